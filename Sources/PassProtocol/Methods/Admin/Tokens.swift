// Lists the stored logins, without secrets. rpc.md §7.

public import PassJSON

public enum Tokens: RPCMethod {
    public typealias Params = NoParams

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

    /// A stored login without its secrets.
    public struct StoredToken: Sendable, Equatable {
        public var requestorID: String
        public var provider: String
        public var kind: String
        /// In milliseconds since the epoch.
        public var expires: Int64

        public init(requestorID: String, provider: String, kind: String, expires: Int64) {
            self.requestorID = requestorID
            self.provider = provider
            self.kind = kind
            self.expires = expires
        }

        fileprivate var json: JSONValue {
            [
                "requestorID": .string(requestorID), "provider": .string(provider), "kind": .string(kind),
                "expires": .int(expires),
            ]
        }
    }

    public struct Result: MethodResult {
        public var tokens: [StoredToken]

        public init(tokens: [StoredToken]) { self.tokens = tokens }

        public var json: JSONValue { ["tokens": .array(tokens.map(\.json))] }
    }
}
