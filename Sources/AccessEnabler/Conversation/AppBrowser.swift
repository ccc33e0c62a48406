// What is open in the browser that the app itself opens: a login page, or the providers' logout pages one after the
// other. The browser returns once for each page. Contract: access-enabler.md §7.5, §7.6, §18.

struct AppBrowser: Sendable {
    struct LogoutPage: Sendable {
        let provider: ProviderID
        let url: String
    }

    /// What the browser has returned from.
    enum Return: Sendable {
        case logoutPage(next: LogoutPage?)
        case login
        /// A login elsewhere was completed first, so this one is no longer needed.
        case overtakenLogin
    }

    /// The longest time to wait for a login page, whatever the code's dates say.
    private static let longestLogin = Duration.seconds(24 * 3600)

    /// The login whose page the browser shows.
    private(set) var login: OpenLogin?
    /// The logout pages to open; the browser shows the first one.
    private var logoutPages: [LogoutPage] = []
    /// A login elsewhere was completed first, and the browser has not yet returned from its own.
    private var isOvertaken = false

    var isClosed: Bool { logoutPages.isEmpty && login == nil }

    /// The browser is expected back from something other than the flow's login.
    var isAwaited: Bool { !logoutPages.isEmpty || isOvertaken }

    /// Returns until when to wait for the login, so that a browser that never returns cannot block the flow.
    mutating func open(_ login: OpenLogin, at now: BootTime) -> BootTime {
        // A logout page from which the browser never returned must not be taken for the end of this login.
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
