// Events for subscribers, and the table of their `data`. The events are numbered without gaps. A subscriber that falls
// behind gets `overrun` as its last event. rpc.md §6.

public import PassJSON

public enum EventType: String, Sendable, CaseIterable {
    case sessionOpened = "session.opened"
    case sessionClosed = "session.closed"
    case requestor
    case requestorFailed = "requestor.failed"
    case loginOpened = "login.opened"
    case loginClosed = "login.closed"
    case authentication
    case authorization
    case hint
    case denied
    case configuration
    case readiness
    case warning
    /// The subscriber fell behind; the connection ends after this event.
    case overrun
}

public struct Event: Sendable, Equatable {
    public var sequence: Int64
    public var type: EventType
    /// The time in milliseconds since the epoch.
    public var time: Int64
    public var data: JSONObject

    public init(sequence: Int64, type: EventType, time: Int64, data: JSONObject = JSONObject()) {
        self.sequence = sequence
        self.type = type
        self.time = time
        self.data = data
    }

    static let members: [Member] = [
        .required("seq", .integer(0...Int64.max)),
        .required("type", .words(EventType.self)),
        .required("time", .time),
        .required("data", .map(.any), summary: "The members depend on the type; x-passd-events lists them."),
    ]

    public var json: JSONValue {
        [
            "seq": .int(sequence), "type": .string(type.rawValue), "time": .int(time), "data": .object(data),
        ]
    }
}

/// The members of `data` for each type of event. The members contain no secret, and no code of a login, because any subscriber
/// could use the code.
public struct EventDefinition: Sendable {
    public let type: EventType
    public let summary: String
    public let data: [Member]

    public var schema: Schema { .object(data) }
}

public enum EventTable {
    private static let session = Member.required("session", .integer(1...Int64.max))
    private static let requestor = Member.required("requestorID", .string)
    private static let provider = Member.optional("provider", .string, summary: "The provider's ID.")
    /// The app and the program behind an event.
    private static let caller: [Member] = [
        .optional("app", .string), .optional("client", .string, summary: "The client's name from passd.hello."),
    ]
    private static let login = [requestor, provider] + caller
    private static let outcome = Member.required(
        "outcome", .enumeration(["permitted", "denied", "unauthenticated", "undecided"]),
        summary: "undecided if the service gave no answer.")
    /// The reason for the service's decision, or for the missing answer.
    private static let cause: [Member] = [
        .optional("source", .string, summary: "The source of the decision, as the service names it."),
        .optional("code", .string, summary: "The code of the service's refusal, or of the fault."),
        .optional("trace", .string, summary: "The ID by which the service's support finds the request."),
        .optional("text", .string, summary: "The provider's text for viewers."),
    ]

    public static let all: [EventDefinition] = EventType.allCases.map { type in
        let (summary, data) = row(type)
        return EventDefinition(type: type, summary: summary, data: data)
    }

    private static func row(_ type: EventType) -> (String, [Member]) {
        switch type {
        case .sessionOpened:
            ("An app connected.", [session, .required("identity", .component(PeerIdentity.component))])
        case .sessionClosed: ("An app disconnected.", [session, .required("reason", .string)])
        case .requestor: ("A session chose its requestor.", [session, requestor] + caller)
        case .requestorFailed: ("An app could not start with its requestor.", [session, requestor] + cause + caller)
        case .loginOpened: ("A login waits for the viewer.", login + [.optional("expires", .time)])
        case .loginClosed:
            (
                "A login no longer waits for the viewer.",
                login + [.required("outcome", .enumeration(["authenticated", "expired", "cancelled", "failed"]))]
            )
        case .authentication:
            (
                "A requestor's login state changed.",
                login + [
                    .required("authenticated", .boolean),
                    .optional(
                        "reason",
                        .enumeration([Callback.Reason.sso.rawValue] + LoginEndCause.allCases.map(\.rawValue)),
                        summary: "Why a login has ended; or sso, if another app has made the login."),
                    .optional(
                        "by", .string, summary: "Who ended the login: an app, operator, or the box's TV account."),
                ]
            )
        case .authorization:
            (
                "A resource was authorized or refused.",
                login + [
                    .required("resource", .string), .required("authorized", .boolean), outcome,
                    .optional("decidedBy", .enumeration(["service", "memory"])),
                ] + cause
            )
        case .hint:
            (
                "An app was told that a resource would not be permitted. For a long menu, only the first hints are sent.",
                [requestor, provider, .required("resource", .string), outcome] + cause
            )
        case .denied:
            (
                "Policy denied a call. Only subscribers at the admin socket get this event, at most 300 in a minute.",
                [
                    session, .optional("requestorID", .string), .required("method", .string),
                    .required("reason", .string),
                ]
                    + caller
            )
        case .configuration: ("The configuration was read again.", [.required("applied", .boolean)])
        case .readiness: ("The daemon's readiness changed.", [.required("readiness", Status.readiness)])
        case .warning: ("A new warning.", [.required("warning", .component(Status.warning))])
        case .overrun: ("This subscriber reads too slowly, and passd disconnects it. Connect and subscribe again.", [])
        }
    }
}
