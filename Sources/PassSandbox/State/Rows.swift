// The rows of the tables in `State`.

/// A client registration. Contract: dcr.md §3, §5.
struct Client: Codable, Sendable {
    var id: String
    var secret: String
    var app: String
    var issued: Instant
    /// The end of the registration; nil if it never expires.
    var ends: Instant?
    var isDismissed = false
    var redirectURI: String?
}

struct AccessToken: Codable, Sendable {
    var client: String
    var issued: Instant
    var ends: Instant
}

/// One login attempt. Contract: rest-v2.md S1–S4.
struct Session: Codable, Sendable {
    var code: String
    var id: String
    var serviceProvider: String
    var client: String
    var device: String
    var deviceInfo: DeviceInfo
    var mvpd: String?
    var domainName: String?
    var redirectURL: String?
    /// The app that registered the URL. It is the app on the TV, or an app on a second screen with its own registration.
    var redirectApp: String?
    /// Whether the request named the provider. If so, the viewer cannot choose a provider.
    var isProviderGiven = false
    /// The platform or service identities of the request. The login will be stored under them.
    var identities: [String]
    var begins: Instant
    var ends: Instant
    /// The key of the profile that the login has made.
    var profile: String?
    var isSuperseded = false
    /// The additional data of a code of the older interface.
    var registration: Registration?
}

/// The data of a registration code besides its session. Contract: rest-v1.md §6.1, §7.
struct Registration: Codable, Sendable {
    /// The client that asked for the code, and its user agent.
    var client: String
    var userAgent: String
    var deviceType: String?
    var deviceUser: String?
    var appID: String?
    var url: String?
    /// The identifier of the person with a promotional pass.
    var person: String?
    /// The time when the device first read the login that the code has made.
    var pickedUp: Instant?
}

/// A login of one client on one device for one service provider. Contract: rest-v2.md §9.
struct Profile: Codable, Sendable {
    enum Source: Codable, Equatable, Sendable {
        case regular
        case partner(String)
        /// A login without any proof, by a temporary pass or by a rule that admits everyone. Older interface only.
        case temporary
        case degraded
        /// A login that all apps with the same platform or service identity share. No stored profile has the source `platform`
        /// or `service`.
        case platform
        case service
    }

    var client: String
    var device: String
    var serviceProvider: String
    var mvpd: String
    var user: String
    var begins: Instant
    var ends: Instant
    var source: Source
    var sessionID: String?
    /// The device's address, if the home network was the only proof of the subscription.
    var home: String?
    var isInvalidated = false
    /// Identities that share this login.
    var identities: [String] = []
    /// The additional data of a login over the older interface.
    var v1: V1Login?

    var key: String { owner.key(mvpd) }

    /// The names in the state file.
    enum CodingKeys: String, CodingKey {
        case client, device, serviceProvider, mvpd, user, begins, ends, source, sessionID, home, isInvalidated
        case identities
        case v1 = "grant"
    }
}

/// The data of a login over the older interface besides its profile. Contract: rest-v1.md §14.
struct V1Login: Codable, Sendable {
    /// The id of a single sign-on on the device. All logins made from the same login have the same value.
    var signOn: String
    var code: String?
    var deviceUser: String?
    /// The identifier of the person with a promotional pass.
    var person: String?
    /// The time of the last change of the metadata.
    var updated: Instant
}

/// A permit. Media tokens can be made for it. Contract: rest-v1.md §6.8–§6.10, §14.
struct Authorization: Codable, Sendable {
    var mvpd: String
    var viewer: String
    var begins: Instant
    var ends: Instant
}

/// The record of a logout on the device. After it, older logins of other service providers do not log the device in. Contract:
/// rest-v1.md §14.
struct SignOff: Codable, Sendable { var at: Instant }

/// A login shared by all apps with the same platform or service identity.
struct SharedLogin: Codable, Sendable {
    var identity: String
    var serviceProvider: String
    var mvpd: String
    var user: String
    var begins: Instant
    var ends: Instant
    var home: String?
    var isInvalidated = false

    static func key(_ identity: String, _ mvpd: String) -> String { rowKey(identity, mvpd) }
}

/// A provider's decision, kept while it is valid.
struct StoredDecision: Codable, Sendable {
    var isAuthorized: Bool
    var error: ErrorCode?
    var details: String?
    var begins: Instant
    var ends: Instant
}

/// The use of a temporary pass by one device or one person. Contract: rest-v2.md §13.
struct Trial: Codable, Equatable, Sendable {
    var begins: Instant
    var ends: Instant
    var titles: [String] = []
    /// The key of the earlier trial that this one continues, on another device or with another person.
    var continues: String?
}

/// A viewer's visit to a provider's login page.
struct LoginAttempt: Codable, Sendable {
    var id: String
    var code: String
    var mvpd: String
    /// A secret in the form of the login page, so that forms from other pages are refused.
    var token: String
    /// Whether the viewer came from the activation page. If so, the login ends with the sandbox's own last page.
    var cameFromActivation: Bool
    var failures = 0
    /// Whether the viewer is signed in. If so, the page only leads to the last page.
    var isDone = false
    var ends: Instant

    static let maxFailures = 5
    static let lifetime = Duration.seconds(15 * 60)

    var isLocked: Bool { failures >= Self.maxFailures }
}

/// A request for a profile, handed to a partner's framework. Contract: rest-v2.md X1.
struct PartnerRequest: Codable, Sendable {
    var id: String
    var partner: String
    var client: String
    var device: String
    var serviceProvider: String
    var mvpd: String
    var ends: Instant
}

/// A device of a user of the sign-on service. Contract: rest-v2.md §12.4.
struct LinkedDevice: Codable, Sendable {
    var subject: String
    var device: String
    var info: DeviceInfo
    var lastSeen: Instant
    var isLinked: Bool
}

struct LinkCode: Codable, Sendable {
    var subject: String
    var ends: Instant
}

/// A device key that was unknown at its first use and is trusted.
struct TrustedKey: Codable, Sendable {
    var key: PublicKey
    var client: String
    var seen: Instant
}

struct UsedToken: Codable, Sendable { var ends: Instant }

/// The number of scripted answers already given to a subscriber.
struct AnswerCount: Codable, Sendable { var given: Int }

struct RevokedApp: Codable, Sendable { var since: Instant }

/// Single values outside of tables.
struct Singles: Codable, Sendable {
    var random: SeededRandom
    var clockOffset: Instant = 0
}
