// A login from its beginning to its end. It has a state, data for the viewer, an outcome and a cause of its end. rpc.md §4, §5,
// §6; access-enabler.md §7.8.

public import PassJSON

public enum LoginState: String, Sendable {
    /// The service has been asked, and has not answered yet.
    case beginning
    case authenticated, selectProvider, secondScreen, browser, platformDialog
    /// No login is in progress. The choice is kept for the next getAuthentication.
    case selected
    case cancelled
}

/// The data that the viewer needs for the second screen or the browser.
public struct LoginInvitation: Sendable, Equatable {
    /// The code for the viewer to type; only for the second screen.
    public var code: String?
    /// The address of the provider's login, for a phone. Nil if the service gave no link, or if the box has no address for the
    /// end of a login. Ruling 43.
    public var link: String?
    /// The page for typing the code, or the login page for this device's browser.
    public var url: String?
    /// Milliseconds since the epoch, by the box's clock.
    public var expires: Int64?
    /// The QR code, if the app wants one.
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
        summary: "An address for a QR code. It leads a phone to the provider's login, where the viewer need not "
            + "type the code.")

    static let members: [Member] = [
        .optional("code", .string, summary: "The code that the viewer types."),
        linkMember,
        .optional(
            "url", .string(format: "uri"),
            summary:
                "The page where the viewer types the code, with the code in its address; or the login page for a "
                + "browser."
        ),
        .optional("expires", .time, summary: "When the code expires, by the box's clock."), QRPicture.member,
    ]
}

/// The progress of a login, with the data for the next step. Several calls return this answer, each with some of the states.
/// rpc.md §4.
public enum LoginAnswer: MethodResult {
    case beginning, authenticated, platformDialog, selected, cancelled
    /// The providers to choose from. Nil in the answer of `checkAuthentication`.
    case selectProvider([MVPD]?)
    case secondScreen(LoginInvitation)
    case browser(LoginInvitation)

    public var state: LoginState {
        switch self {
        case .beginning: .beginning
        case .authenticated: .authenticated
        case .selectProvider: .selectProvider
        case .secondScreen: .secondScreen
        case .browser: .browser
        case .platformDialog: .platformDialog
        case .selected: .selected
        case .cancelled: .cancelled
        }
    }

    public var json: JSONValue {
        var members = [("state", JSONValue.string(state.rawValue))]
        switch self {
        case .selectProvider(let providers?): members.append(("providers", .array(providers.map(\.json))))
        case .secondScreen(let invitation), .browser(let invitation): members += invitation.members
        default: break
        }
        return .object(JSONObject(members))
    }

    /// The schema of the open login in `checkAuthentication`.
    static let openLogin = Schema.object(
        [
            .required(
                "state", .enumeration(["beginning", "selectProvider", "secondScreen", "browser", "platformDialog"]),
                summary: "beginning: passd is asking the service. The other states are those of getAuthentication.")
        ] + LoginInvitation.members)
}

/// The outcome of a login that an app began. Each outcome is reported once, to that app. rpc.md §5; access-enabler.md §7.8.
public struct LoginOutcome: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable { case authenticated, cancelled, expired, denied, failed }

    public var kind: Kind
    /// The status code of the cause, such as N111; nil if the kind says enough.
    public var cause: SDKStatus?
    /// The last code on the app's screen for this login; nil if there was none.
    public var code: String?

    public init(_ kind: Kind, _ cause: SDKStatus? = nil, code: String? = nil) {
        self.kind = kind
        self.cause = cause
        self.code = code
    }
}

/// The cause of a login's end. Events and the journal report the cause itself. Apps get only a `Callback.Reason`, which has
/// fewer possible values. rpc.md §5, §6.
public enum LoginEndCause: String, Hashable, CaseIterable, Sendable {
    case expired
    /// The provider or the service has ended the login, or the requestor no longer works with the provider.
    case revoked
    /// A viewer has logged out.
    case logout
    /// An operator has removed the login from the box.
    case forgotten
    /// A new login has replaced this login.
    case replaced
    /// The login was made for another device.
    case anotherDevice = "another-device"
    /// The store no longer has the login. A check or an app has erased it, the store was damaged, or a backup has replaced the
    /// store.
    case store

    public var reason: Callback.Reason {
        switch self {
        case .expired: .expired
        case .revoked: .revoked
        case .logout, .forgotten, .replaced, .anotherDevice, .store: .logout
        }
    }
}
