// What the sandbox's world consists of: programmers with their channels, providers with their subscribers, which
// of them work with which, the apps, and the switches. Read once at start, never changed.

struct Catalogue: Sendable {
    var settings = Settings()
    var programmers: [Programmer] = []
    var providers: [Provider] = []
    var integrations: [Integration] = []
    var apps: [App] = []
    var degradations: [DegradationRule] = []
    var partners: [Partner] = []
    /// Keys of boxes that are trusted before they are first seen, by key id.
    var platformKeys: [String: PublicKey] = [:]
    /// Issuers of service tokens beside the sandbox's own.
    var identityServices: [IdentityService] = []

    func serviceProvider(_ id: String) -> ServiceProvider? {
        programmers.lazy.flatMap(\.serviceProviders).first { $0.id == id }
    }

    func programmer(of serviceProvider: String) -> Programmer? {
        programmers.first { $0.serviceProviders.contains { $0.id == serviceProvider } }
    }

    func provider(_ id: String) -> Provider? { providers.first { $0.id == id } }

    /// The pair's integration, if it is switched on.
    func integration(_ serviceProvider: String, _ provider: String) -> Integration? {
        integrations.first { $0.serviceProvider == serviceProvider && $0.provider == provider && $0.isEnabled }
    }

    func app(_ id: String) -> App? { apps.first { $0.id == id } }

    func partner(_ name: String) -> Partner? { partners.first { $0.id.lowercased() == name.lowercased() } }
}

struct Programmer: Sendable {
    var id: String
    var name: String
    /// The programmer's key for user metadata; without one the sandbox makes a pair and shows it to developers.
    var metadataKey: PublicKey?
    var serviceProviders: [ServiceProvider]
}

struct ServiceProvider: Sendable {
    var id: String
    var name: String
    var domains: [String]
    var resources: [Resource]
    /// REST V1: errors have codes. Contract: rest-v1.md §12.
    var enhancedErrors = false
    /// REST V1: where a viewer types the code; nil for the sandbox's own page.
    var registrationURL: String?
}

struct Resource: Sendable {
    var id: String
    var title: String
    /// By scheme: `MPAA`, `VCHIP`.
    var ratings: [String: String]
}

struct Provider: Sendable {
    var id: String
    var name: String
    var look: Look
    /// Reached through this other provider.
    var proxy: String?
    /// A login counts for the requestor that asked for it and for no other.
    var loginPerRequestor: Bool
    var hasLogoutPage: Bool
    var platformMappingID: String?
    var boarding: Boarding?
    /// What the platform is to ask for when a login comes by partner sign-on. REST V1 only.
    var requiredMetadataFields: [String] = []
    var tempPass: TempPass?
    var subscribers: [Subscriber]

    func subscriber(_ user: String) -> Subscriber? { subscribers.first { $0.user == user } }

    enum Boarding: String, CaseIterable, Sendable { case supported = "SUPPORTED", picker = "PICKER" }

    /// How the provider's own pages look.
    struct Look: Sendable {
        var color: String
        var ink: String
        var mark: String
        var shape: Shape
        var slogan: String

        enum Shape: String, CaseIterable, Sendable { case circle, square, diamond, hexagon }
    }
}

/// Contract: rest-v2.md §13. Promotional passes have a title limit and know a person by a hash.
struct TempPass: Sendable {
    var lifetime: Duration
    var promotion: Promotion?

    struct Promotion: Sendable {
        var titles: Int
        var identityKey: String
    }
}

struct Subscriber: Sendable {
    var user: String
    var password: String
    var name: String
    /// Ids of the channels in the package.
    var channels: Set<String>
    /// Highest rating allowed, by scheme.
    var maxRatings: [String: String]
    var metadata: [JSON.Member]
    /// What the provider answers instead of deciding, by resource id (`*` for all): one code after the other,
    /// the last one for ever; `permit` decides as usual.
    var answers: [String: [String]]
    /// Text that the provider sends along with a denial.
    var denialText: String?
    /// Addresses from which this subscriber is logged in without a password.
    var home: [String]
    /// What to try with this subscriber, for the start page.
    var note: String
}

struct Integration: Sendable {
    var serviceProvider: String
    var provider: String
    var isEnabled: Bool
    var authenticationLifetime: Duration
    var homeAuthenticationLifetime: Duration
    var authorizationLifetime: Duration
    var authorizeLimit: Int
    var preauthorizeLimit: Int
    var metadata: Set<String>
    var encryptedMetadata: Set<String>
    /// Partner single sign-on is switched on.
    var partnerSignOn: Bool
    /// A code of the `invalid_configuration_…` family that every question about the pair gets.
    var misconfiguration: ErrorCode?
}

struct App: Sendable {
    var id: String
    var name: String
    var version: String
    var serviceProviders: [String]
    var domains: [String]
    var schemes: [String]
    var scopes: [String]
    var isRevoked: Bool
}

struct DegradationRule: Codable, Equatable, Sendable {
    enum Kind: String, Codable, CaseIterable, Sendable {
        case authenticateAll = "AuthNAll"
        case authorizeAll = "AuthZAll"
        case authorizeNone = "AuthZNone"
    }

    var name: String
    var kind: Kind
    var provider: String
    /// Nil: for all of them.
    var serviceProvider: String?
    var message: String?
    var isActive: Bool
    /// Nil: until it is switched off.
    var ends: Instant?
}

struct Partner: Sendable {
    var id: String
    var issuer: String
    var profileType: String
    /// The name that the platform's devices give as their type.
    var deviceType: String
}

struct IdentityService: Sendable {
    var issuer: String
    var key: PublicKey
}
