// Lists the stored logins, without secrets. rpc.md §7.

public import PassJSON

public enum Tokens: RPCMethod {
    public typealias Params = NoParams
    public typealias Result = JSONValue

    public static let definition = MethodDefinition(
        "passd.tokens", "Lists the stored logins, without any secret.",
        result: .object([
            .required(
                "tokens",
                .array(
                    .object([
                        .required("requestorID", .string),
                        .required("provider", .string, summary: "The provider's ID."),
                        .required("kind", .string), .optional("resource", .string), .optional("expires", .time),
                    ])))
        ]),
        capability: .admin, socket: .admin, example: .init([:], ["tokens": []]))
}
