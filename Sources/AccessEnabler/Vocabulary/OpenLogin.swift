// A login in progress on a second screen or in a browser.

/// A login that waits for the viewer. One on a second screen is stored and survives a restart.
public struct OpenLogin: Hashable, Codable, Sendable {
    public var code: RegistrationCode
    /// The absolute URL of the page where the viewer logs in, or an empty text if none is known.
    public var url: String
    /// Nil if the viewer chooses the provider on that page.
    public var provider: ProviderID?
    public var notBefore: ServerTime
    public var notAfter: ServerTime
    /// A text that the backend keeps with the login for its polls: in REST V2 the service's name of the session, in
    /// REST V1 the mark of a login that existed before.
    public var sessionID: String?
    /// What is known of the provider since the login began.
    public var details: Provider?
    /// Whether the service keeps sharing an earlier login with this provider, although this one is made: the logout of
    /// that one stays owed.
    public var leavesLogout = false

    public var page: String? { url.isEmpty ? nil : url }

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
