// Subscribes to live events: first a snapshot, then every event after it. rpc.md §6.

public import PassJSON

public enum Subscribe: RPCMethod {
    public static let definition = MethodDefinition(
        "passd.subscribe",
        "Sends events from now on. If a client reads too slowly, the daemon sends overrun as the last event, and "
            + "disconnects the client.",
        params: [
            .optional("types", .array(.words(EventType.self)), summary: "Only events of these types; absent: all.")
        ],
        result: .object([
            .required("seq", .integer(0...Int64.max), summary: "Number of the last event before the snapshot."),
            .required("snapshot", .map(.any), summary: "The state before the first event."),
        ]),
        capability: .observe, callbacks: ["event"],
        example: .init(["types": ["authentication"]], ["seq": 17, "snapshot": ["readiness": "ready"]]))

    public struct Params: MethodParams {
        /// Nil means all types.
        public var types: [EventType]?

        public init(types: [EventType]? = nil) { self.types = types }

        public init(params: JSONValue) {
            types = params.optionalTexts("types")?.compactMap(EventType.init(rawValue:))
        }

        public var json: JSONValue { .members(["types": types.map { .strings($0.map(\.rawValue)) }]) }
    }
}

public enum Unsubscribe: RPCMethod {

    public static let definition = MethodDefinition(
        "passd.unsubscribe", "Stops the events.", capability: .observe, example: .init([:], [:]))
}
