// The table of the engine's events: for each event, what subscribers see and what the journal has. rpc.md §6; operations.md
// §3.

import AccessEnabler
import PassJSON
import PassProtocol
import PassSystem

struct EventForm {
    /// A value of an event. Subscribers get it under `name`, and the journal has it under `field`. A side whose name is nil
    /// does not get the value.
    private struct Item {
        let name: String?
        let field: StaticString?
        let value: JSONValue?

        init(_ name: String?, _ field: StaticString?, _ value: JSONValue?) {
            self.name = name
            self.field = field
            self.value = value
        }

        init(_ name: String?, _ field: StaticString?, _ text: String?) {
            self.init(name, field, text.map(JSONValue.string))
        }
    }

    /// The event for subscribers; nil if they do not get it.
    let type: EventType?
    /// The record of the journal; nil if it has none.
    let record: JournalEvent?
    private let items: [Item]
    private let cause: EngineEvent.Cause?

    init(_ event: EngineEvent, _ marks: ResourceMarks) {
        cause = event.cause
        let session = Item("session", "SESSION", event.session.map { .int($0) })
        let requestor = Item("requestorID", "REQUESTOR", event.requestor?.rawValue)
        let provider = Item("provider", "PROVIDER", event.provider?.rawValue)
        (type, record, items) =
            switch event.kind {
            case .requestor: (.requestor, nil, [session, requestor])
            // If the box has no service, the daemon's status says so. The journal gets no record.
            case .requestorFailed:
                (.requestorFailed, cause?.code == "no-service" ? nil : .requestorFailed, [session, requestor])
            // The journal has a record of the question to the service that failed. Operators see the failure in `doctor`.
            case .loginFailed: (nil, nil, [])
            case .loginOpened(let expires):
                (.loginOpened, .loginOpened, [requestor, provider, Item("expires", nil, .int(expires))])
            case .loginClosed(let end):
                (.loginClosed, .loginClosed, [requestor, provider, Item("outcome", "OUTCOME", end.rawValue)])
            case .signedIn(let reason):
                (
                    .authentication, .authentication,
                    [
                        requestor, provider, Item("authenticated", "AUTHENTICATED", true),
                        Item("reason", "REASON", reason?.rawValue),
                    ]
                )
            case .signedOut(let cause, let party):
                (
                    .authentication, .authentication,
                    [
                        requestor, provider, Item("authenticated", "AUTHENTICATED", false),
                        Item("reason", "REASON", cause.rawValue), Item("by", "BY", party),
                    ]
                )
            // Subscribers do not get this event. They get a warning.
            case .logoutRefused: (nil, .logoutRefused, [requestor, provider])
            case .authorization(let resource, let verdict):
                (
                    .authorization, .authorization,
                    [
                        Item(nil, "SESSION", session.value), requestor, provider,
                        Item("resource", nil, resource.rawValue),
                        Item(nil, "RESOURCE_HASH", marks.mark(of: resource)),
                        Item("authorized", "AUTHORIZED", .bool(verdict == .permitted)),
                        Item("outcome", "OUTCOME", verdict.rawValue), Item("decidedBy", nil, cause?.decider?.rawValue),
                    ]
                )
            case .preauthorization(let hints):
                (nil, .preauthorization, [session, requestor, provider] + Self.items(hints, marks))
            case .store(let trouble?): (nil, .storeProblem, [Item(nil, "REASON", trouble)])
            case .store(nil): (nil, .storeMended, [])
            case .status(let status): (nil, .statusCode, [session, requestor, Item(nil, "CODE", status.rawValue)])
            }
    }

    // MARK: For subscribers

    var data: JSONObject {
        Self.object(items.compactMap { item in item.name.map { ($0, item.value) } } + Self.members(cause))
    }

    static func data(of hint: EngineEvent.Hint, in menu: EngineEvent) -> JSONObject {
        object(
            [
                ("requestorID", menu.requestor.map { .string($0.rawValue) }),
                ("provider", menu.provider.map { .string($0.rawValue) }),
                ("resource", .string(hint.resource.rawValue)), ("outcome", .string(hint.verdict.rawValue)),
            ] + members(hint.cause))
    }

    private static func members(_ cause: EngineEvent.Cause?) -> [(String, JSONValue?)] {
        [("source", cause?.source), ("code", cause?.code), ("trace", cause?.trace), ("text", cause?.text)]
            .map { ($0, $1.map(JSONValue.string)) }
    }

    private static func object(_ members: [(String, JSONValue?)]) -> JSONObject {
        JSONObject(members.compactMap { name, value in value.map { (name, $0) } })
    }

    // MARK: For the journal

    var fields: [JournalField] {
        items.compactMap { item in
            item.field.map { field in
                switch item.value {
                case .bool(let flag): JournalField(field, flag)
                case .number(let number): JournalField(field, number.text)
                case let value: JournalField(field, value?.string ?? "")
                }
            }
        } + Self.fields(cause)
    }

    private static func fields(_ cause: EngineEvent.Cause?) -> [JournalField] {
        let fields: [(StaticString, String?)] = [
            ("DECIDED_BY", cause?.decider?.rawValue), ("SOURCE", cause?.source), ("CODE", cause?.code),
            ("TRACE", cause?.trace), ("TEXT", cause?.text), ("SAYS", cause?.text == nil ? cause?.message : nil),
        ]
        return fields.compactMap { name, text in text.map { JournalField(name, $0) } }
    }

    /// The number of resources with each outcome, and the marks of these resources (see `ResourceMarks`). If there are very
    /// many resources, only the first marks are included.
    private static func items(_ hints: [EngineEvent.Hint], _ marks: ResourceMarks) -> [Item] {
        let kinds = Set(hints.map(\.verdict))
        var items = [Item(nil, "OUTCOME", kinds.count == 1 ? hints[0].verdict.rawValue : "mixed")]
        for verdict in EngineEvent.Verdict.allCases where kinds.contains(verdict) {
            let resources = hints.filter { $0.verdict == verdict }.map(\.resource)
            let (count, hashes) = verdict.fields
            items.append(Item(nil, count, .int(resources.count)))
            items.append(Item(nil, hashes, resources.prefix(maxHashes).map(marks.mark).joined(separator: " ")))
        }
        return items
    }

    private static let maxHashes = 32
}

extension EngineEvent.Verdict {
    /// The names of the fields for the number of resources and for their marks.
    fileprivate var fields: (StaticString, StaticString) {
        switch self {
        case .permitted: ("PERMITTED", "PERMITTED_HASHES")
        case .denied: ("DENIED", "DENIED_HASHES")
        case .unauthenticated: ("UNAUTHENTICATED", "UNAUTHENTICATED_HASHES")
        case .undecided: ("UNDECIDED", "UNDECIDED_HASHES")
        }
    }
}
