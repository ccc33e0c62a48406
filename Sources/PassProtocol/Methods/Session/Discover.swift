// Describes the methods of the socket, and lists words for the completion of shells. rpc.md §6.

public import PassJSON

public enum Discover: RPCMethod {
    public static let definition = MethodDefinition(
        "rpc.discover",
        "Returns the description of this interface as OpenRPC 1.4.",
        result: .object([
            .required("openrpc", .string), .required("info", .map(.any)), .required("methods", .array(.map(.any))),
        ]),
        capability: nil,
        example: .init([:], ["openrpc": "1.4.0", "info": ["title": "passd", "version": "1.0"], "methods": []]))
}

/// Words that shells offer for completion. The answer comes from memory. passd does not ask the service and registers no app.
/// Watched resources are returned on the admin socket only. rpc.md §6.
public enum Suggestions: RPCMethod {
    /// The max number of words of each kind.
    public static let limit = 256

    public static let definition = MethodDefinition(
        "passd.suggestions",
        "Lists the requestors that the peer may use, with the providers and resources that the daemon remembers for "
            + "them.",
        params: [
            .optional("requestorID", .string, summary: "Only the providers and resources of this requestor.")
        ],
        result: .object([
            .required("requestors", .array(.string)),
            .required("providers", .array(.string), summary: "The providers' IDs."),
            .required("resources", .array(.string), summary: "The newest first; only on the admin socket."),
        ]),
        capability: nil,
        example: .init(
            ["requestorID": "NEWS24"], ["requestors": ["NEWS24"], "providers": ["CableVista"], "resources": []]))

    public struct Params: MethodParams {
        public var requestorID: String?

        public init(requestorID: String? = nil) { self.requestorID = requestorID }

        public init(params: JSONValue) throws(SchemaFault) {
            try params.limit("requestorID", to: 256)
            requestorID = params.optionalText("requestorID")
        }

        public var json: JSONValue { .members(["requestorID": requestorID.map(JSONValue.string)]) }
    }
}
