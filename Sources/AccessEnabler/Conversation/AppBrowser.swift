// The pages that an app shows in its own browser: a login page, or the logout pages of providers, one after the other. For each
// page, the app reports once that the browser has returned. `Conversation` owns this state. Contract: access-enabler.md §7.5,
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

    /// The login whose page the browser shows, if any.
    @Rare private(set) var login: OpenLogin?
    /// The logout pages from which the browser has not returned yet. The browser shows the first one now.
    private var logoutPages: [LogoutPage] = []
    /// Whether the viewer has logged in elsewhere before the browser returned from its login page.
    private var isOvertaken = false

    var isClosed: Bool { logoutPages.isEmpty && login == nil }

    /// Whether the browser still shows a logout page, or a login page that is no longer needed. This is false for the page of
    /// the login in progress, because `AuthenticationFlow` waits for the return from that page.
    var isAwaited: Bool { !logoutPages.isEmpty || isOvertaken }

    /// Notes that the browser shows the page of this login. Returns the time at which passd stops waiting for the browser.
    /// Without this limit, a browser that never returns would block the next login.
    mutating func open(_ login: OpenLogin, at now: BootTime) -> BootTime {
        // Forgets earlier logout pages. Otherwise the return from the login page would count as a return from a logout page.
        self = AppBrowser()
        self.login = login
        return now.advanced(by: login.lifetime)
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
