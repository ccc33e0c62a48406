// The state of a login after a call, and what the app has to show for it. rpc.md §4.

public enum LoginState: String, Sendable, CaseIterable {
    case authenticated, selectProvider, secondScreen, browser, platformDialog
    /// The provider is recorded for the next getAuthentication; no login is under way.
    case selected
    case cancelled
}

/// What the viewer needs for the second screen or the browser.
public struct LoginInvitation: Sendable, Equatable {
    /// The code that the viewer types, on the second screen only.
    public var code: String?
    public var url: String
    /// Milliseconds since the epoch.
    public var expires: Int64?

    public init(code: String? = nil, url: String, expires: Int64? = nil) {
        self.code = code
        self.url = url
        self.expires = expires
    }

    static let members: [Member] = [
        .optional("code", .string, summary: "What the viewer types."),
        .optional("url", .string(format: "uri"), summary: "Where; it fits a QR code and carries the code."),
        .optional("expires", .time, summary: "The end of the code."),
    ]
}
