// Records the exchanges with the service, without secrets. rpc.md §7.

public import PassJSON

public enum Record: RPCMethod {
    /// Seconds after the last call when a record ends. It is dropped after twice this time.
    public static let maxSeconds = 15 * 60
    /// Exchanges between two calls.
    public static let maxExchanges = 300

    public static let definition = MethodDefinition(
        "passd.record",
        "Records the exchanges with the service, without secrets. on = true begins or continues a record, on = false "
            + "ends it. Both return the exchanges since the last call. A record also ends 15 minutes after the last "
            + "call.",
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
                    "False: some are missing, because there were more than 300 since the last call, or some after 15 minutes."
            ),
        ]),
        capability: .admin, socket: .admin,
        example: .init(["on": true], ["exchanges": [], "complete": true]))

    public struct Params: MethodParams {
        public var isOn: Bool

        public init(isOn: Bool) { self.isOn = isOn }

        public init(params: JSONValue) { isOn = params["on"]?.bool ?? false }

        public var json: JSONValue { ["on": .bool(isOn)] }
    }

    public struct Result: MethodResult {
        public var exchanges: [JSONValue]
        public var isComplete: Bool

        public init(exchanges: [JSONValue] = [], isComplete: Bool = true) {
            self.exchanges = exchanges
            self.isComplete = isComplete
        }

        public var json: JSONValue { ["exchanges": .array(exchanges), "complete": .bool(isComplete)] }
    }
}
