// Returns the description of the socket's methods. rpc.md §6.

public import PassJSON

public enum Discover: RPCMethod {
    public typealias Params = NoParams
    public typealias Result = JSONValue

    public static let definition = MethodDefinition(
        "rpc.discover", "Returns this document: OpenRPC 1.4, made from the table that the daemon itself uses.",
        result: .object([
            .required("openrpc", .string), .required("info", .map(.any)), .required("methods", .array(.map(.any))),
        ]),
        capability: nil,
        example: .init([:], ["openrpc": "1.4.0", "info": ["title": "passd", "version": "1.0"], "methods": []]))
}
