// The web addresses of all apps. A reload replaces them, and the next call of a backend uses the new ones. All services of
// the box share them. May be used from any thread. operations.md §2.

public import AccessEnabler
import Synchronization

public final class LoginSites: Sendable {
    private struct State: Sendable {
        var standard: LoginSite
        var apps: [AppID: LoginSite]
    }

    private let state: Mutex<State>

    /// `standard` is for apps without a site of their own. In `apps`, each member overrides that of `standard`.
    public init(_ standard: LoginSite = LoginSite(), apps: [AppID: LoginSite] = [:]) {
        state = Mutex(State(standard: standard, apps: apps))
    }

    public func replace(_ standard: LoginSite, apps: [AppID: LoginSite]) {
        state.withLock { $0 = State(standard: standard, apps: apps) }
    }

    func site(of app: AppID) -> LoginSite {
        state.withLock { $0.apps[app]?.falling(backOn: $0.standard) ?? $0.standard }
    }
}
