// The calls by which client and daemon introduce themselves, and the call by which the web gateway names a web app. rpc.md §3,
// §6.

public import PassJSON

public enum Hello: RPCMethod {
    public static let definition = MethodDefinition(
        "passd.hello", "Introduces the client, and returns what the daemon knows about the client.",
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

/// Tells the caller its identity, as the daemon sees it, and its rights under policy. rpc.md §6.
public enum WhoAmI: RPCMethod {
    public static let definition = MethodDefinition(
        "passd.whoami", "Tells who the peer is, what policy allows the peer, and which rule decided.",
        result: .object([
            .required("identity", .component(PeerIdentity.component)),
            .required("may", .array(.words(Capability.self))),
            .required("requestors", .array(.string), summary: "The requestors that the peer may use; \"*\" means all."),
            .required("rule", .string, summary: "The rule that decided, in words."),
        ]),
        capability: nil,
        example: .init(
            [:],
            [
                "identity": ["uid": 1000, "gid": 1000, "pid": 4242, "app": "news24"],
                "may": ["entitlement", "observe"], "requestors": ["NEWS24"],
                "rule": "app news24: allow unit:news24.service",
            ]))

    public struct Result: MethodResult {
        public var identity: PeerIdentity
        public var may: [Capability]
        public var requestors: [String]
        public var rule: String

        public init(identity: PeerIdentity, may: [Capability], requestors: [String], rule: String) {
            self.identity = identity
            self.may = may
            self.requestors = requestors
            self.rule = rule
        }

        public var json: JSONValue {
            [
                "identity": identity.json, "may": .strings(may.map(\.rawValue)),
                "requestors": .strings(requestors), "rule": .string(rule),
            ]
        }
    }
}

/// The web gateway's first call on each connection. From then on, the named web app uses the connection. Only the gateway may
/// use this method, so the table of methods does not have it. docs/decisions/0021.
public enum SpeakFor: RPCMethod {
    public static let definition = MethodDefinition(
        "passd.speakFor", "Tells the daemon which web app the connection belongs to.",
        params: [
            .required("origin", .string, summary: "The origin of the page, as the browser sent it."),
            .required("uid", .integer(0...Int64(UInt32.max)), summary: "The browser's user, as the kernel reports it."),
            .optional("pid", .integer(1...Int64(Int32.max)), summary: "The browser's process, if it is known."),
            .optional("unit", .string),
        ],
        capability: nil, example: .init(["origin": "https://news24.example", "uid": 1000], [:]))

    public struct Params: MethodParams {
        public var origin: WebOrigin
        public var uid: UInt32
        public var pid: Int32?
        public var unit: String?

        public init(params: JSONValue) throws(SchemaFault) {
            do throws(WebOrigin.Fault) { origin = try WebOrigin(params["origin"]?.string ?? "") } catch {
                throw SchemaFault(path: "origin", expected: "an origin", found: "\(error)")
            }
            // The kernel uses the highest number for "no user".
            guard let user = params["uid"]?.int64.flatMap(UInt32.init(exactly:)), user != .max else {
                throw SchemaFault(path: "uid", expected: "the number of a user", found: "none")
            }
            uid = user
            pid = params["pid"]?.int64.flatMap(Int32.init(exactly:))
            try params.limit("unit", to: 4095)
            unit = params.optionalText("unit")
        }

        public var json: JSONValue {
            .members([
                "origin": .string(origin.description), "uid": .int(uid), "pid": pid.map { .int($0) },
                "unit": unit.map(JSONValue.string),
            ])
        }
    }
}
