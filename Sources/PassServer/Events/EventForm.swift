// The table of the engine's events. For each event, it has the values for subscribers and the record of the journal. rpc.md §6;
// operations.md §3.

import AccessEnabler
import PassJSON
import PassProtocol
import PassSystem

struct EventForm {
    /// A value of an event. Subscribers get the value under `name`. If `name` is nil, they do not get it. The journal has the
    /// value under `field`. If `field` is nil, the journal does not have it.
    private typealias Item = (name: String?, field: StaticString?, value: JSONValue?)

    /// The event for subscribers; nil if they do not get it.
    let type: EventType?
    /// The record of the journal; nil if it has none.
    let record: JournalEvent?
    private let items: [Item]
    private let cause: EngineEvent.Cause?

    init(_ event: EngineEvent, _ marks: ResourceMarks) {
        cause = event.cause
        let session: Item = ("session", "SESSION", event.session.map { .int($0) })
        let requestor: Item = ("requestorID", "REQUESTOR", event.requestor.map { .string($0.rawValue) })
        let provider: Item = ("provider", "PROVIDER", event.provider.map { .string($0.rawValue) })
        (type, record, items) =
            switch event.kind {
            case .requestor: (.requestor, nil, [session, requestor])
            // If the box has no service, the journal gets no record, because the daemon's status already says so.
            case .requestorFailed:
                (
                    .requestorFailed,
                    cause?.code == "no-service"
                        ? nil
                        : JournalEvent(
                            .notice, name: "REQUESTOR_FAILED", message: "an app could not start with its requestor",
                            maxPerMinute: JournalEvent.decisions),
                    [session, requestor]
                )
            // Neither subscribers nor the journal get this event, because the journal already has a record of the failed
            // request to the service, and `doctor` shows a refusal.
            case .loginFailed: (nil, nil, [])
            case .loginOpened(let expires):
                (
                    .loginOpened,
                    JournalEvent(
                        .info, name: "LOGIN_OPENED", message: "a login is waiting for the viewer",
                        maxPerMinute: JournalEvent.decisions),
                    [requestor, provider, ("expires", nil, .int(expires))]
                )
            case .loginClosed(let end):
                (
                    .loginClosed,
                    JournalEvent(
                        .notice, name: "LOGIN_CLOSED", message: "a login is no longer waiting for the viewer",
                        maxPerMinute: JournalEvent.decisions),
                    [requestor, provider, ("outcome", "OUTCOME", .string(end.rawValue))]
                )
            case .signedIn(let reason):
                (
                    .authentication, Self.authentication,
                    [
                        requestor, provider, ("authenticated", "AUTHENTICATED", true),
                        ("reason", "REASON", reason.map { .string($0.rawValue) }),
                    ]
                )
            case .signedOut(let cause, let party):
                (
                    .authentication, Self.authentication,
                    [
                        requestor, provider, ("authenticated", "AUTHENTICATED", false),
                        ("reason", "REASON", .string(cause.rawValue)), ("by", "BY", party.map(JSONValue.string)),
                    ]
                )
            // Subscribers get a warning instead of this event.
            case .logoutRefused:
                (
                    nil,
                    JournalEvent(
                        .warning, name: "LOGOUT_REFUSED",
                        message: "the service refuses to end a login that has ended here",
                        catalogID: "f620676ab65740ea911dd37a6d9f78fb",
                        maxPerMinute: JournalEvent.decisions), [requestor, provider]
                )
            case .authorization(let resource, let verdict):
                (
                    .authorization,
                    JournalEvent(
                        .notice, name: "AUTHORIZATION", message: "a resource was authorized or refused",
                        maxPerMinute: JournalEvent.decisions),
                    [
                        (nil, "SESSION", session.value), requestor, provider,
                        ("resource", nil, .string(resource.rawValue)),
                        (nil, "RESOURCE_HASH", .string(marks.mark(of: resource))),
                        ("authorized", "AUTHORIZED", .bool(verdict == .permitted)),
                        ("outcome", "OUTCOME", .string(verdict.rawValue)),
                        ("decidedBy", nil, cause?.decider.map { .string($0.rawValue) }),
                    ]
                )
            case .preauthorization(let hints):
                (
                    nil,
                    JournalEvent(
                        .notice, name: "PREAUTHORIZATION",
                        message: "an app was told which resources would be permitted",
                        maxPerMinute: JournalEvent.decisions),
                    [session, requestor, provider] + Self.items(hints, marks)
                )
            case .store(let trouble?): (nil, .storeProblem, [(nil, "REASON", .string(trouble))])
            case .store(nil):
                (
                    nil,
                    JournalEvent(
                        .notice, name: "STORE_MENDED", message: "the store can be written again; nothing is lost"), []
                )
            case .status(let status):
                (
                    nil, JournalEvent(.info, name: "STATUS", message: "an app was told a status code"),
                    [session, requestor, (nil, "CODE", .string(status.rawValue))]
                )
            }
    }

    private static let authentication = JournalEvent(
        .notice, name: "AUTHENTICATION", message: "the login state has changed",
        maxPerMinute: JournalEvent.decisions)

    // MARK: For subscribers

    func data(_ caller: [(String, JSONValue?)]) -> JSONObject {
        Self.object(items.compactMap { item in item.name.map { ($0, item.value) } } + Self.members(cause) + caller)
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

    static func object(_ members: [(String, JSONValue?)]) -> JSONObject {
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
        var items: [Item] = [(nil, "OUTCOME", .string(kinds.count == 1 ? hints[0].verdict.rawValue : "mixed"))]
        for verdict in EngineEvent.Verdict.allCases where kinds.contains(verdict) {
            let resources = hints.filter { $0.verdict == verdict }.map(\.resource)
            let (count, hashes) = verdict.fields
            items.append((nil, count, .int(resources.count)))
            let list = resources.prefix(maxHashes).map(marks.mark).joined(separator: " ")
            items.append((nil, hashes, .string(list)))
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
