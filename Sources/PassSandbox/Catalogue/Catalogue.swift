// The content of the sandbox's world: programmers with their channels, providers with their subscribers, apps, and settings. An
// integration says that a provider works with a service provider, and how. The catalogue is read once at the start and never
// changed.

import PassJSON

struct Catalogue: Sendable {
    var settings = Settings()
    var programmers: [Programmer] = []
    var providers: [Provider] = []
    var integrations: [Integration] = []
    var apps: [App] = []
    var degradations: [DegradationRule] = []
    var partners: [Partner] = []
    /// The keys of boxes that the sandbox trusts from the start, by key id.
    var platformKeys: [String: PublicKey] = [:]
    /// Issuers of service tokens besides the sandbox itself.
    var identityServices: [IdentityService] = []

    func serviceProvider(_ id: String) -> ServiceProvider? {
        programmers.lazy.flatMap(\.serviceProviders).first { $0.id == id }
    }

    func programmer(of serviceProvider: String) -> Programmer? {
        programmers.first { $0.serviceProviders.contains { $0.id == serviceProvider } }
    }

    func provider(_ id: String) -> Provider? { providers.first { $0.id == id } }

    /// The integration of this service provider with this provider. Nil if there is none, or if it is switched off.
    func integration(_ serviceProvider: String, _ provider: String) -> Integration? {
        integrations.first { $0.serviceProvider == serviceProvider && $0.provider == provider && $0.isEnabled }
    }

    /// The providers of the service provider, in the catalogue's order.
    func providers(of serviceProvider: String) -> [(provider: Provider, integration: Integration)] {
        integrations.filter { $0.serviceProvider == serviceProvider && $0.isEnabled }
            .compactMap { integration in provider(integration.provider).map { ($0, integration) } }
    }

    var users: [String] { providers.flatMap(\.subscribers).map(\.user) }

    func app(_ id: String) -> App? { apps.first { $0.id == id } }

    func partner(_ name: String) -> Partner? { partners.first { $0.id.lowercased() == name.lowercased() } }

    /// Removes this machine from the registered domains. Used for a foreign service, because such a service is not on this
    /// machine.
    mutating func forgetThisMachine() {
        let here: Set = ["localhost", "127.0.0.1"]
        for index in programmers.indices {
            for channel in programmers[index].serviceProviders.indices {
                programmers[index].serviceProviders[channel].domains.removeAll(where: here.contains)
            }
        }
        for index in apps.indices { apps[index].domains.removeAll(where: here.contains) }
    }
}

struct Programmer: Sendable {
    var id: String
    var name: String
    /// The programmer's key for user metadata. Without one, the sandbox makes a key pair and shows it to developers.
    var metadataKey: PublicKey?
    var serviceProviders: [ServiceProvider]
}

struct ServiceProvider: Sendable {
    var id: String
    var name: String
    var domains: [String]
    var resources: [Resource]
    /// REST V1: whether errors have codes. Contract: rest-v1.md §12.
    var enhancedErrors = false
    /// REST V1: the page where a viewer types the code; nil for the sandbox's own page.
    var registrationURL: String?
}

struct Resource: Sendable {
    var id: String
    var title: String
    /// The ratings by their scheme: `MPAA`, `VCHIP`.
    var ratings: [String: String]
    /// Whether the resource needs a login. If not, the answers of preauthorizations omit the resource.
    var isGated = true
}

struct Provider: Sendable {
    var id: String
    var name: String
    var look: Look
    /// The id of the provider that acts as a proxy for this provider.
    var proxy: String?
    /// Whether a login counts only for its own requestor.
    var loginPerRequestor: Bool
    var hasLogoutPage: Bool
    /// Whether S4 answers with a page that submits a SAML form, in place of a redirect.
    var submitsForm = false
    var platformMappingID: String?
    var boarding: Boarding?
    /// The metadata that the platform must request in a login by partner sign-on. REST V1 only.
    var requiredMetadataFields: [String] = []
    var tempPass: TempPass?
    var subscribers: [Subscriber]

    func subscriber(_ user: String) -> Subscriber? { subscribers.first { $0.user == user } }

    enum Boarding: String, CaseIterable, Sendable { case supported = "SUPPORTED", picker = "PICKER" }

    /// The look of the provider's own pages.
    struct Look: Sendable {
        var color: String
        var ink: String
        var mark: String
        var shape: Shape
        var slogan: String

        enum Shape: String, CaseIterable, Sendable { case circle, square, diamond, hexagon }
    }
}

/// A temporary pass. A promotional pass limits the number of titles and identifies a person by a hash. Contract: rest-v2.md
/// §13.
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
    /// The ids of the channels in the subscriber's package.
    var channels: Set<String>
    /// The highest rating that is allowed, by scheme.
    var maxRatings: [String: String]
    var metadata: [JSONObject.Member]
    /// Scripted answers of the provider, by resource id (`*` for all). The codes are used in turn, and the last code repeats.
    /// With `permit`, the provider decides as usual.
    var answers: [String: [String]]
    /// The text that the provider sends with a denial.
    var denialText: String?
    /// The addresses from which this subscriber is logged in without a password.
    var home: [String]
    /// The purpose of this subscriber in tests, for the start page.
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
    /// Whether partner single sign-on is switched on.
    var partnerSignOn: Bool
    /// Whether sign-on by service token is switched on.
    var serviceTokenSignOn: Bool
    /// An `invalid_configuration_…` code that answers every request about this integration.
    var misconfiguration: ErrorCode?
}

struct App: Sendable {
    var id: String
    var name: String
    /// The name for screens, if it differs from `name`.
    var title: String?
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
    /// The rule's service provider; nil for all service providers.
    var serviceProvider: String?
    var message: String?
    var isActive: Bool
    /// The end of the rule. Nil if only an operator ends the rule.
    var ends: Instant?
}

struct Partner: Sendable {
    var id: String
    var issuer: String
    var profileType: String
    /// The type that the platform's devices report.
    var deviceType: String
}

struct IdentityService: Sendable {
    enum Key: Sendable {
        case pair(PublicKey)
        /// The secret for HS256. The vendor's own service uses this algorithm.
        case secret(String)
    }

    var issuer: String
    var key: Key
}

// Parental ratings in their order, the mildest first.

enum Rating {
    static let order: [String: [String]] = [
        "VCHIP": ["TV-Y", "TV-Y7", "TV-G", "TV-PG", "TV-14", "TV-MA"],
        "MPAA": ["G", "PG", "PG-13", "R", "NC-17"],
    ]

    /// Whether a rating exceeds the subscriber's limit in the same scheme.
    static func exceeds(_ content: [String: String], limit: [String: String]) -> Bool {
        content.contains { scheme, rating in
            guard let order = order[scheme], let limit = limit[scheme].flatMap(order.firstIndex),
                let step = order.firstIndex(of: rating.uppercased())
            else { return false }
            return step > limit
        }
    }
}
