// The pages that an app shows in its own browser: a login page, or the logout pages of providers, one after the other. The
// app reports one return of the browser for each page. `Conversation` owns this state. Contract: access-enabler.md §7.5,
// §7.6, §18.

struct AppBrowser: Sendable {
    struct LogoutPage: Sendable {
        let provider: ProviderID
        let url: String
    }

    /// The page that the browser has returned from.
    enum Return: Sendable {
        case logoutPage(next: LogoutPage?)
        case login
        /// A login page that is no longer needed, because the viewer has logged in elsewhere.
        case overtakenLogin
    }

    /// The maximum wait for a login page. It overrides the dates of the code.
    private static let longestLogin = Duration.seconds(24 * 3600)

    /// The login whose page the browser shows, if any.
    @Rare private(set) var login: OpenLogin?
    /// The logout pages that have not returned yet. The browser shows the first one.
    private var logoutPages: [LogoutPage] = []
    /// Whether the viewer has logged in elsewhere before the browser returned from its login page.
    private var isOvertaken = false

    var isClosed: Bool { logoutPages.isEmpty && login == nil }

    /// Whether a return of the browser is expected. The return from a login in progress is not included;
    /// `AuthenticationFlow` expects that return.
    var isAwaited: Bool { !logoutPages.isEmpty || isOvertaken }

    /// Returns the time at which the wait for the login page ends. A browser that never returns must not block the flow.
    mutating func open(_ login: OpenLogin, at now: BootTime) -> BootTime {
        // A return from this login must not count as a return from an earlier logout page.
        self = AppBrowser()
        self.login = login
        return now.advanced(by: min(login.notBefore.duration(to: login.notAfter), Self.longestLogin))
    }

    mutating func open(_ pages: [LogoutPage]) { logoutPages = pages }

    mutating func closeLogin() -> OpenLogin? {
        defer { login = nil }
        return login
    }

    mutating func overtake() { isOvertaken = true }

    mutating func forgetOvertaken() { isOvertaken = false }

    mutating func comeBack(fromLogin isLogin: Bool) -> Return {
        if !logoutPages.isEmpty {
            logoutPages.removeFirst()
            return .logoutPage(next: logoutPages.first)
        }
        if isLogin { return .login }
        isOvertaken = false
        return .overtakenLogin
    }
}
