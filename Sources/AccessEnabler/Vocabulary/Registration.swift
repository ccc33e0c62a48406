// An app's registration at a service: its key and its credentials.

/// Identifies a registration: an app with its statement, at one origin, in one interface. Two apps never share a
/// registration. Contract: rest-v2.md §2, dcr.md §7.
public struct RegistrationKey: Hashable, Codable, Sendable {
    public var app: AppID
    /// SHA-256 of the software statement, in hexadecimal.
    public var statement: String
    /// The address of the service. For united services, a list of addresses, separated by spaces.
    public var origin: String
    /// `v1` or `v2`. A registration is valid for one interface only.
    public var interface: String

    public init(app: AppID, statement: String, origin: String, interface: String) {
        self.app = app
        self.statement = statement
        self.origin = origin
        self.interface = interface
    }
}

/// The credentials of a registration. They do not expire; the access token does.
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
