// Tells the caller how the daemon identifies it and what policy allows it. rpc.md §6.

public import PassJSON

public enum WhoAmI: RPCMethod {
    public typealias Params = NoParams

    public static let definition = MethodDefinition(
        "passd.whoami", "Tells who the peer is, what policy allows it and which rule decided.",
        result: .object([
            .required("identity", .component(PeerIdentity.component)),
            .required("may", .array(.enumeration(Capability.allCases.map(\.rawValue)))),
            .required("requestors", .array(.string), summary: "The requestors it may use; \"*\" means all."),
            .required("rule", .string, summary: "The rule that decided, in words."),
        ]),
        capability: nil,
        example: .init(
            [:],
            [
                "identity": ["uid": 1000, "gid": 1000, "pid": 4242, "app": "news24"],
                "may": ["entitlement", "observe"], "requestors": ["NEWS24"],
                "rule": "app news24: allow executable:/usr/bin/news24",
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
