// An app's registration at a service: the key by which everything of it is found, and its credentials.

/// One registration at the service: an app with its statement, at one origin, in one interface. Two apps never
/// share one. Contract: rest-v2.md §2, dcr.md §7.
public struct RegistrationKey: Hashable, Codable, Sendable {
    public var app: AppID
    /// SHA-256 of the software statement, hexadecimal.
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

/// Credentials are for ever, the access token until it ends.
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
