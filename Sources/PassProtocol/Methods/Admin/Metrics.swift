// Returns the daemon's metrics. rpc.md §7.

import PassJSON

public enum Metrics: RPCMethod {
    public typealias Params = NoParams

    public static let definition = MethodDefinition(
        "passd.metrics", "Returns the daemon's metrics as OpenMetrics text.",
        result: .object([.required("contentType", .string), .required("text", .string)]),
        capability: .admin, socket: .admin,
        example: .init([:], ["contentType": .string(Result.contentType), "text": "# EOF\n"]))

    public struct Result: MethodResult {
        public static let contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

        public var text: String

        public init(text: String) { self.text = text }

        public var json: JSONValue { ["contentType": .string(Self.contentType), "text": .string(text)] }
    }
}
