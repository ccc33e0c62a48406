// Records what goes to the service and comes back, without secrets. rpc.md §7.

public import PassJSON

public enum Record: RPCMethod {
    /// How long a record goes on, in seconds. If nobody asks for it, it is dropped after twice the time.
    public static let longest = 15 * 60
    /// Exchanges of one record.
    public static let maxExchanges = 300

    public static let definition = MethodDefinition(
        "passd.record",
        "Records what goes to the service and comes back, without secrets. A call with on = true begins a record and drops an "
            + "earlier one; a call with on = false ends it and returns it. A record ends by itself after 15 minutes.",
        params: [.required("on", .boolean, summary: "Whether to begin a record, or to end it.")],
        result: .object([
            .required(
                "exchanges", .array(.map(.any)),
                summary: "Requests and answers in their order: of values only words of the interface, dates and kinds."),
            .required(
                "complete", .boolean,
                summary: "False: there were more than 300, or some after 15 minutes, which are missing."),
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
