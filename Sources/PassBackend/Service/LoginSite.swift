// The web addresses of an app's logins: where viewers log in, and where they return to. Contract: rest-v1.md §6.4,
// rest-v2.md S1, L1.

public import AccessEnabler
import Synchronization

public struct LoginSite: Hashable, Sendable {
    public static let none = LoginSite()

    /// One of the domains that the programmer has registered.
    public var domainName: String?
    /// The address to which a browser on the box goes after a login or a logout.
    public var redirectURL: String?
    /// The last page of a login on a phone.
    public var finishURL: String?
    /// The page on which a viewer types the code.
    public var activationURL: String?

    /// Takes each address from this site, or else from the other site.
    public func falling(backOn other: LoginSite) -> LoginSite {
        LoginSite(
            domainName: domainName ?? other.domainName, redirectURL: redirectURL ?? other.redirectURL,
            finishURL: finishURL ?? other.finishURL, activationURL: activationURL ?? other.activationURL)
    }

    /// The address to which a browser on the box returns. The app recognises the standard address and does not load it.
    /// Contract: access-enabler.md §3, §7.6.
    var browserRedirect: String { redirectURL ?? "adobepass://ios.app" }

    /// The page at the end of a login on a phone. Any phone can open this page. It is never an address of the box or of
    /// an app. Ruling 43.
    public var finish: String? { finishURL ?? redirectURL.flatMap { Self.isOpenToPhones($0) ? $0 : nil } }

    private static func isOpenToPhones(_ url: String) -> Bool {
        let scheme = "https://"
        guard url.hasPrefix(scheme) else { return false }
        let server = url.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        return (try? Origin(scheme + server)).map { !$0.isLoopback } ?? false
    }

    /// The configured page with the code. Nil if no page is configured.
    func activation(of code: RegistrationCode) -> String? { activationURL.map { Self.page($0, code) } }

    /// Returns the address with the code added to its query. A fragment stays at the end.
    static func page(_ url: String, _ code: RegistrationCode) -> String {
        let address = url.prefix { $0 != "#" }
        let sign = address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return "\(address)\(sign)code=\(percentEncoded(code.rawValue))\(url.dropFirst(address.count))"
    }
}

/// Makes an address of an answer absolute, for a browser. Returns nil if the text is not an allowed address. Plain HTTP is
/// allowed only for the origin itself. A service on this machine may name any address with plain HTTP, because phones must
/// reach its pages.
/// Contract: rest-v2.md §1.3.
func absolute(_ url: String, _ origin: Origin) -> String? {
    guard !url.isEmpty else { return nil }
    let fragment = url.drop { $0 != "#" }
    do throws(HTTPFault) {
        let target = try origin.resolving(url)
        let isAllowed = target.origin.scheme == .https || target.origin == origin || origin.isLoopback
        return isAllowed ? target.text + fragment : nil
    } catch {
        return error == .insecure && origin.isLoopback ? url : nil
    }
}

/// The web addresses of all apps. After a reload, the next call of a backend uses the new addresses. All services of
/// the box share the addresses. May be used from any thread. operations.md §2.
public final class LoginSites: Sendable {
    private struct State: Sendable {
        var standard: LoginSite
        var apps: [AppID: LoginSite]
    }

    private let state: Mutex<State>

    /// `standard` is for apps without addresses of their own. An address in `apps` overrides the address in `standard`.
    public init(_ standard: LoginSite = .none, apps: [AppID: LoginSite] = [:]) {
        state = Mutex(State(standard: standard, apps: apps))
    }

    public func replace(_ standard: LoginSite, apps: [AppID: LoginSite]) {
        state.withLock { $0 = State(standard: standard, apps: apps) }
    }

    func site(of app: AppID) -> LoginSite {
        state.withLock { $0.apps[app]?.falling(backOn: $0.standard) ?? $0.standard }
    }
}
