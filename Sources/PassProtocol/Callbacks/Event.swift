// Events for subscribers. They are numbered without gaps. A subscriber that falls behind gets a last event that says so.
// rpc.md §6.

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
    case configuration
    case readiness
    case warning
    /// The subscriber fell behind; the connection ends after this event.
    case overrun
}

public struct Event: Sendable, Equatable {
    public var sequence: Int64
    public var type: EventType
    /// Milliseconds since the epoch.
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
        .required("type", .enumeration(EventType.allCases.map(\.rawValue))),
        .required("time", .time),
        .required("data", .map(.any), summary: "Its members depend on the type; x-passd-events lists them."),
    ]

    public var json: JSONValue {
        [
            "seq": .int(sequence), "type": .string(type.rawValue), "time": .int(time), "data": .object(data),
        ]
    }
}
