// How viewers of an app can sign in on a second screen. Looks only at the configuration and the service's links. Ruling 43.

import PassBackend
import PassProtocol

package enum LoginWay: Sendable {
    /// The QR code leads straight to the provider's login.
    case scan
    /// The viewer types the code on a page.
    case typing
    /// The box has no address for the end of a login and no page for typing the code.
    case none
}

extension Configuration.Backend {
    /// The way for this app. If `app` is nil, the way for apps without their own addresses. `givesLinks` is false if the
    /// service gives the app no links.
    package func loginWay(of app: AppStanza?, givesLinks: Bool = true) -> LoginWay {
        let site = (app?.site ?? LoginSite.none).falling(backOn: self.site)
        return givesLinks && site.finish != nil ? .scan : site.activationURL != nil ? .typing : .none
    }
}

extension LoadedConfiguration {
    /// The ways in which viewers of each app sign in, and whether an app has no way. The service gave no link to the requestors
    /// in `withoutLink`. Nil without a service or an app.
    package func loginWays(withoutLink: Set<String> = []) -> (text: String, isLacking: Bool)? {
        let backend = configuration.backend
        let apps = apps.filter { $0.may.contains(.entitlement) }
        guard backend.origin != nil, !apps.isEmpty else { return nil }
        let names = Dictionary(grouping: apps) { app in
            backend.loginWay(of: app, givesLinks: withoutLink.isDisjoint(with: app.requestors))
        }.mapValues { $0.map(\.name).joined(separator: ", ") }
        let isOld = backend.version == .v1
        let words: [(LoginWay, String)] = [
            (.scan, "viewers scan a link that leads to the provider"),
            (.typing, "viewers type the code at activation-url"),
            (.none, isOld ? "viewers type the code at the page that the service names" : "viewers cannot sign in"),
        ]
        let text = words.compactMap { way, words in names[way].map { "\($0): \(words)." } }.joined(separator: " ")
        return (text, names[.none] != nil && !isOld)
    }
}
