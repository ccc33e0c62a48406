// Lists all logins of the requestor on this device. rpc.md §4.

public import PassJSON

public enum ListProfiles: RPCMethod {
    public static let definition = MethodDefinition(
        "listProfiles", "Lists the logins of this requestor.",
        result: .object([.required("profiles", .array(.component(ProfileSummary.component)))]),
        statuses: [.R401, .CFG404, .CFG429, .CFG5xx, .SEC420, .N500], capability: .entitlement, needsRequestor: true,
        example: .init([:], ["profiles": []]))

    public struct Result: MethodResult {
        public var profiles: [ProfileSummary]

        public init(profiles: [ProfileSummary]) { self.profiles = profiles }

        public var json: JSONValue { ["profiles": .array(profiles.map(\.json))] }
    }
}

/// A login in the answer of `listProfiles`. rpc.md §4.
public struct ProfileSummary: Sendable, Equatable {
    /// The provider's ID.
    public var provider: String
    public var type: String
    public var issuer: String
    /// Milliseconds since the epoch.
    public var notBefore: Int64
    public var notAfter: Int64
    /// User metadata by name.
    public var attributes: JSONObject

    public init(
        provider: String, type: String, issuer: String, notBefore: Int64, notAfter: Int64,
        attributes: JSONObject = JSONObject()
    ) {
        self.provider = provider
        self.type = type
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.attributes = attributes
    }

    public static let component = Component(
        "Profile", summary: "One login.",
        schema: .object([
            .required("provider", .string, summary: "The provider's ID."),
            .required("type", .string, summary: "How the viewer logged in, e.g. regular, temporary, degraded."),
            .required("issuer", .string),
            .required("notBefore", .time),
            .required("notAfter", .time),
            .required("attributes", .map(.any), summary: "User metadata by name."),
        ]))

    public var json: JSONValue {
        [
            "provider": .string(provider), "type": .string(type), "issuer": .string(issuer),
            "notBefore": .int(notBefore), "notAfter": .int(notAfter), "attributes": .object(attributes),
        ]
    }
}
