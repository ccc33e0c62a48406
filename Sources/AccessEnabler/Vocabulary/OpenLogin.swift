// A login in progress on a second screen or in a browser.

/// A login that waits for the viewer. A login on a second screen is stored and survives a restart.
public struct OpenLogin: Hashable, Codable, Sendable {
    /// The reason why a code has no link. The reason is nil if the configuration has no address where a login ends
    /// (`finish-url`). Ruling 43.
    public enum MissingLink: Hashable, Codable, Sendable {
        /// The service does not accept the address for this requestor. In REST V1, the service may have refused the domain
        /// instead.
        case addressRefused
        /// passd knows no domain that the service has registered for the requestor.
        case noDomain
        /// The service has not said why.
        case notGiven
    }

    public var code: RegistrationCode
    /// The absolute URL of a page: with a code, the page where the viewer types the code; in a browser, the login page.
    /// Empty if there is none.
    public var url: String
    /// The address that leads a phone directly to the provider's login, for a second screen. Ruling 43.
    public var link: String?
    public var missingLink: MissingLink?
    /// Nil if the viewer chooses the provider on the page at `url`.
    public var provider: ProviderID?
    public var notBefore: ServerTime
    public var notAfter: ServerTime
    /// A text that the backend needs for its polls. In REST V2 it is the service's name of the session. In REST V1 it
    /// identifies an earlier login, so that a poll does not confuse that login with the new login.
    public var sessionID: String?
    /// What passd knew about the provider when the login began.
    public var details: Provider?
    /// Whether the service keeps an earlier login with this provider even after this login. If so, the logout of the earlier
    /// login still has to be reported.
    public var leavesLogout = false

    /// The max lifetime of a code, even if the code's dates allow a longer one.
    static let longestLife = Duration.seconds(24 * 3600)

    /// The date on which the code expires. All checks, alarms and answers use it.
    var end: ServerTime { min(notAfter, notBefore.advanced(by: Self.longestLife)) }

    var lifetime: Duration { notBefore.duration(to: end) }

    public var page: String? { url.isEmpty ? nil : url }
    /// The address in a QR code.
    public var scanned: String? { link ?? page }

    public init(
        code: RegistrationCode, url: String, provider: ProviderID?, notBefore: ServerTime, notAfter: ServerTime,
        sessionID: String? = nil
    ) {
        self.code = code
        self.url = url
        self.provider = provider
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.sessionID = sessionID
    }
}

extension OpenLogin {
    /// The exceeded limit, in words; nil if there is none.
    public var excess: String? {
        ValueLimits.excess([
            ("registration code", code.rawValue), ("address of a login", url), ("link of a login", link ?? ""),
            ("name of a provider", provider?.rawValue ?? ""), ("name of a session", sessionID ?? ""),
        ])
    }
}
