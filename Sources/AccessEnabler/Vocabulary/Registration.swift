/// The key of a registration: one app with its statement, at one origin, over one interface. Two apps never share one.
/// Contract: rest-v2.md §2, dcr.md §7.
public struct RegistrationKey: Hashable, Codable, Sendable {
    public var app: AppID
    /// The SHA-256 of the software statement, in hexadecimal.
    public var statement: String
    public var origin: String
    public var interface: String

    public init(app: AppID, statement: String, origin: String, interface: String) {
        self.app = app
        self.statement = statement
        self.origin = origin
        self.interface = interface
    }
}

/// An app's credentials at a service, which do not expire, and its access token, which does.
public struct StoredRegistration: Sendable {
    public var clientID: String
    public var clientSecret: Secret
    public var accessToken: Secret?
    public var accessTokenEnds: ServerTime?

    public init(clientID: String, clientSecret: Secret, accessToken: Secret? = nil, accessTokenEnds: ServerTime? = nil)
    {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.accessToken = accessToken
        self.accessTokenEnds = accessTokenEnds
    }
}
