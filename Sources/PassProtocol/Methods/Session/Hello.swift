// The optional first call: both sides introduce themselves and agree on a version of the protocol. rpc.md §3.

public import PassJSON

public enum Hello: RPCMethod {
    public typealias Result = JSONValue

    public static let definition = MethodDefinition(
        "passd.hello", "Introduces the client, and tells it how the daemon sees it.",
        params: [
            .optional(
                "client", .object([.required("name", .string), .required("version", .string)]),
                summary: "For the journal only; it does not affect any decision."),
            .optional(
                "protocol", .integer(1...Int64(Int32.max)), summary: "The newest version the client speaks.", default: 1
            ),
        ],
        result: .object([
            .required("protocol", .integer(1...Int64(Int32.max)), summary: "The version that both sides speak."),
            .required("version", .string, summary: "The daemon's version."),
            .required("features", .array(.string)),
            .required("identity", .component(PeerIdentity.component)),
        ]),
        capability: nil,
        example: .init(
            ["client": ["name": "news24", "version": "3.1"], "protocol": 1],
            [
                "protocol": 1, "version": "1.0.0", "features": ["secondScreen"],
                "identity": ["uid": 1000, "gid": 1000, "pid": 4242, "app": "news24"],
            ]))

    public struct Params: MethodParams {
        public struct Client: Sendable, Equatable {
            public var name: String
            public var version: String

            public init(name: String, version: String) {
                self.name = name
                self.version = version
            }
        }

        public var client: Client?
        public var version: Int64

        public init(client: Client? = nil, version: Int64 = 1) {
            self.client = client
            self.version = version
        }

        public init(params: JSONValue) throws(SchemaFault) {
            if let value = params["client"] {
                client = Client(name: try value.text("name"), version: try value.text("version"))
            }
            version = params["protocol"]?.int64 ?? 1
        }

        public var json: JSONValue {
            .members([
                "client": client.map { ["name": .string($0.name), "version": .string($0.version)] },
                "protocol": .int(version),
            ])
        }
    }
}
