// Where a login stands after a call, and what the app has to show for it. rpc.md §4.

public enum LoginState: String, Sendable, CaseIterable {
    case authenticated, selectProvider, secondScreen, browser, platformDialog
    /// Recorded for the next getAuthentication, no flow being open.
    case selected
    case cancelled
}

/// What the viewer needs for the second screen or the browser.
public struct LoginInvitation: Sendable, Equatable {
    /// What the viewer types; only for the second screen.
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
        .optional("code", .string, summary: "The code that the viewer types."),
        .optional(
            "url", .string(format: "uri"), summary: "The page to open; it includes the code and fits into a QR code."),
        .optional("expires", .time, summary: "When the code expires."),
    ]
}
