// How viewers of an app can sign in, as far as the configuration and the service's links tell. Ruling 43.

import PassBackend
import PassProtocol

package enum LoginWay: Sendable {
    /// The QR code leads straight to the provider's login.
    case scan
    /// The viewer types the code on a page.
    case typing
    /// The app opens the login in a browser on the box.
    case browser
    /// The box has no address for the end of a login and no page for typing the code.
    case none
}

extension Configuration.Backend {
    /// Returns how viewers of this app sign in. `givesLinks` is false if the service gives the app no links. If only a browser
    /// on the box can open the app's return address, passd assumes that the app has such a browser.
    package func loginWay(of app: AppStanza, givesLinks: Bool = true) -> LoginWay {
        let site = app.site.falling(backOn: self.site)
        if givesLinks, site.finish != nil { return .scan }
        if site.activationURL != nil { return .typing }
        return site.finish == nil && site.redirectURL != nil ? .browser : .none
    }
}

extension LoadedConfiguration {
    /// The pages that phones open during a login of any app, with the settings that name them.
    package var loginPages: [(address: String, setting: String?)] {
        let sites = [configuration.backend.site] + apps.map(\.site)
        return [("activation-url", sites.map(\.activationURL)), ("finish-url", sites.map(\.finishURL))]
            .flatMap { setting, pages in
                Set(pages.compactMap(\.self)).sorted().map { (address: $0, setting: setting) }
            }
    }

    /// Returns the ways in which viewers of each app sign in, as text, and whether there is an app whose viewers cannot sign
    /// in. `withoutLink` has the requestors that got no link from the service. Returns nil if there is no service or no app.
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
            (.browser, "viewers log in with a browser on the box"),
            (.none, isOld ? "viewers type the code at the page that the service names" : "viewers cannot sign in"),
        ]
        let text = words.compactMap { way, words in names[way].map { "\($0): \(words)." } }.joined(separator: " ")
        return (text, names[.none] != nil && !isOld)
    }
}
