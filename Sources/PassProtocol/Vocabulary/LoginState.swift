// The state of a login after a call, and what the app has to show the viewer. rpc.md §4.

public enum LoginState: String, Sendable, CaseIterable {
    case authenticated, selectProvider, secondScreen, browser, platformDialog
    /// The choice is kept for the next getAuthentication, since no login is in progress.
    case selected
    case cancelled
}

/// The data that the viewer needs for the second screen or the browser.
public struct LoginInvitation: Sendable, Equatable {
    /// The code that the viewer types; only for the second screen.
    public var code: String?
    /// The page to open; nil if neither the service nor the configuration names one. Then the app tells its viewers
    /// where to type the code.
    public var url: String?
    /// Milliseconds since the epoch, by the box's clock.
    public var expires: Int64?
    /// If the app wants one.
    public var qr: QRPicture?

    public init(code: String? = nil, url: String?, expires: Int64? = nil, qr: QRPicture? = nil) {
        self.code = code
        self.url = url
        self.expires = expires
        self.qr = qr
    }

    static let members: [Member] = [
        .optional("code", .string, summary: "The code that the viewer types."),
        .optional(
            "url", .string(format: "uri"),
            summary:
                "The page to open; it includes the code and fits into a QR code. Without it the app says where to type the code."
        ),
        .optional("expires", .time, summary: "When the code expires, by the box's clock."), QRPicture.member,
    ]
}
