// Returns the OpenRPC document of the socket. rpc.md §6.

import PassJSON

public enum Discover: RPCMethod {
    public typealias Params = NoParams

    public static let definition = MethodDefinition(
        "rpc.discover", "Returns this document: OpenRPC 1.3, made from the table the router uses.",
        result: .object([
            .required("openrpc", .string), .required("info", .map(.any)), .required("methods", .array(.map(.any))),
        ]),
        capability: nil,
        example: .init([:], ["openrpc": "1.3.2", "info": ["title": "passd", "version": "1.0"], "methods": []]))

    public struct Result: MethodResult {
        public var document: JSONValue

        public init(document: JSONValue) { self.document = document }

        public var json: JSONValue { document }
    }
}
