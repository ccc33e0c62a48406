// A login in progress on a second screen or in a browser.

/// A login that waits for the viewer. One on a second screen is stored and survives a restart.
public struct OpenLogin: Hashable, Codable, Sendable {
    /// Why a code has no link although the box has an address for the end of the login. Ruling 43.
    public enum MissingLink: Hashable, Codable, Sendable {
        /// The service does not accept the address for this requestor. REST V1 says the same of a domain.
        case addressRefused
        /// No domain is known that the service has registered for the requestor.
        case noDomain
        /// The service has not said why.
        case notGiven
    }

    public var code: RegistrationCode
    /// The absolute URL of the page where the viewer types the code; in a browser, of the login page. An empty text if none
    /// is known.
    public var url: String
    /// For a second screen, the address that leads a phone straight to the provider's login. Ruling 43.
    public var link: String?
    public var missingLink: MissingLink?
    /// Nil if the viewer chooses the provider on that page.
    public var provider: ProviderID?
    public var notBefore: ServerTime
    public var notAfter: ServerTime
    /// A text that the backend keeps with the login for its polls: in REST V2 the service's name of the session, in
    /// REST V1 the mark of a login that existed before.
    public var sessionID: String?
    /// What is known of the provider from the beginning of the login.
    public var details: Provider?
    /// Whether the service still shares an earlier login with this provider after this one. The earlier login's logout
    /// stays owed.
    public var leavesLogout = false

    /// Whether the code has expired at this date of the service.
    func hasEnded(at now: ServerTime) -> Bool { notAfter <= now }

    public var page: String? { url.isEmpty ? nil : url }
    /// Where a QR code leads.
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
