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
    /// The address that leads a phone straight to the provider's login; nil if the box has no address for the end of a
    /// login, or the service gave none. Ruling 43.
    public var link: String?
    /// The page where the viewer types the code, or the login in this device's browser.
    public var url: String?
    /// Milliseconds since the epoch, by the box's clock.
    public var expires: Int64?
    /// If the app wants one.
    public var qr: QRPicture?

    public init(
        code: String? = nil, link: String? = nil, url: String?, expires: Int64? = nil, qr: QRPicture? = nil
    ) {
        self.code = code
        self.link = link
        self.url = url
        self.expires = expires
        self.qr = qr
    }

    static let linkMember = Member.optional(
        "link", .string(format: "uri"),
        summary: "For a QR code: it leads a phone straight to the provider's login, and nothing has to be typed.")

    static let members: [Member] = [
        .optional("code", .string, summary: "The code that the viewer types."),
        linkMember,
        .optional(
            "url", .string(format: "uri"),
            summary: "The page where the viewer types the code, which the address includes; or the login in a browser."
        ),
        .optional("expires", .time, summary: "When the code expires, by the box's clock."), QRPicture.member,
    ]
}
