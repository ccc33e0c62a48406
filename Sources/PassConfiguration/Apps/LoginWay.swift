// How viewers of an app can sign in on a second screen, as far as the configuration decides it. Ruling 43.

package import PassBackend

package enum LoginWay: Sendable {
    /// The QR code leads straight to the provider's login.
    case scan
    /// The code is typed at a page.
    case typing
    /// The box has neither.
    case none
}

extension Configuration.Backend {
    /// The addresses of apps without addresses of their own.
    package var site: LoginSite {
        LoginSite(
            domainName: domainName, redirectURL: redirectURL, finishURL: finishURL, activationURL: activationURL)
    }

    /// For an app, or for one without addresses of its own.
    package func loginWay(of app: AppStanza?) -> LoginWay {
        let site = (app?.site ?? LoginSite()).falling(backOn: self.site)
        return site.finish != nil ? .scan : site.activationURL != nil ? .typing : .none
    }
}

extension AppStanza {
    package var site: LoginSite {
        LoginSite(
            domainName: domainName, redirectURL: redirectURL, finishURL: finishURL, activationURL: activationURL)
    }
}
