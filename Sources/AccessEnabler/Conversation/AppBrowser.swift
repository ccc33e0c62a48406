// What runs in the browser that the app opens itself: a login, or the providers' own logouts one after the other. The
// browser comes back once for each of them. Contract: access-enabler.md §7.5, §7.6, §18.

struct AppBrowser: Sendable {
    struct LogoutPage: Sendable {
        let provider: ProviderID
        let url: String
    }

    /// What the browser has come back from.
    enum Return: Sendable {
        case logoutPage(next: LogoutPage?)
        case login
        /// A login elsewhere was faster, and what this one was for is done.
        case overtakenLogin
    }

    /// No page is waited for longer, whatever the code's dates say.
    private static let longestLogin = Duration.seconds(24 * 3600)

    /// Whose page the browser shows.
    private(set) var login: OpenLogin?
    /// The first one is on the browser's screen.
    private var logoutPages: [LogoutPage] = []
    /// A login elsewhere was faster than the one in this browser, which has not come back yet.
    private var isOvertaken = false

    var isClosed: Bool { logoutPages.isEmpty && login == nil }

    /// Apart from a login, of which the flow knows.
    var isAwaited: Bool { !logoutPages.isEmpty || isOvertaken }

    /// Until when the login is waited for: a browser that never comes back does not keep the flow for ever.
    mutating func open(_ login: OpenLogin, at now: BootTime) -> BootTime {
        // A logout page that never came back must not take this login's end for its own.
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
