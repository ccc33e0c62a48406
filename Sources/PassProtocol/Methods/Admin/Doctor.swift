// Two methods: one checks the running daemon; the other records the daemon's exchanges with the service, without secrets.
// rpc.md §7.

public import PassJSON

public enum Doctor: RPCMethod {
    public static let definition = MethodDefinition(
        "passd.doctor",
        "Runs named checks, and explains how to fix failures. Asks the service whether it answers, and "
            + "registers apps that are not registered yet.",
        params: [
            .optional("offline", .boolean, summary: "True: do not ask the service.", default: .bool(false))
        ],
        result: .object([
            .required(
                "checks",
                .array(
                    .object([
                        .required("name", .string), .required("outcome", .enumeration(["pass", "warn", "fail"])),
                        .required("message", .string), .optional("remedy", .string),
                    ])))
        ]),
        capability: .admin,
        example: .init(
            [:], ["checks": [["name": "store", "outcome": "pass", "message": "The store can be read and written."]]]))

    public struct Params: MethodParams {
        public var isOffline: Bool

        public init(isOffline: Bool = false) { self.isOffline = isOffline }

        public init(params: JSONValue) { isOffline = params["offline"]?.bool ?? false }

        public var json: JSONValue { ["offline": .bool(isOffline)] }
    }

    public struct Check: Sendable, Equatable {
        public enum Outcome: String, Sendable { case pass, warn, fail }

        public var name: String
        public var outcome: Outcome
        public var message: String
        public var remedy: String?

        public init(_ name: String, _ outcome: Outcome, message: String, remedy: String? = nil) {
            self.name = name
            self.outcome = outcome
            self.message = message
            self.remedy = remedy
        }

        public var json: JSONValue {
            .members([
                "name": .string(name), "outcome": .string(outcome.rawValue), "message": .string(message),
                "remedy": remedy.map(JSONValue.string),
            ])
        }
    }
}

/// Records the exchanges with the service, without secrets. rpc.md §7.
public enum Record: RPCMethod {
    /// passd stops recording this many seconds after the last call of this method. After twice this time, passd drops the
    /// record.
    public static let maxSeconds = 15 * 60
    /// The max number of recorded exchanges between two calls of this method.
    public static let maxExchanges = 300

    public static let definition = MethodDefinition(
        "passd.record",
        "Records the exchanges with the service, without secrets. on = true begins or continues a record, "
            + "and on = false ends the record. Each call returns the exchanges since the previous call. A record also "
            + "ends 15 minutes after the last call.",
        params: [.required("on", .boolean, summary: "Whether to record from now on.")],
        result: .object([
            .required(
                "exchanges", .array(.map(.any)),
                summary:
                    "Requests and answers in order. Values are shown only if they are words of the interface, dates or kinds."
            ),
            .required(
                "complete", .boolean,
                summary:
                    "False: exchanges are missing. More than 300 came since the last call, or some came after 15 minutes."
            ),
        ]),
        capability: .admin,
        example: .init(["on": true], ["exchanges": [], "complete": true]))

    public struct Params: MethodParams {
        public var isOn: Bool

        public init(isOn: Bool) { self.isOn = isOn }

        public init(params: JSONValue) { isOn = params["on"]?.bool ?? false }

        public var json: JSONValue { ["on": .bool(isOn)] }
    }
}
