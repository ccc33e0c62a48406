// A login in the answer of `listProfiles`. rpc.md §4.

public import PassJSON

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
