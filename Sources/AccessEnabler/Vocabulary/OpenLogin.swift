/// A login that the viewer has yet to complete, on a second screen or in a browser. One on a second screen survives a
/// restart.
public struct OpenLogin: Hashable, Codable, Sendable {
    public var code: RegistrationCode
    /// The absolute address where the viewer continues.
    public var url: String
    public var provider: ProviderID?
    public var notBefore: ServerTime
    public var notAfter: ServerTime
    public var sessionID: String?

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
