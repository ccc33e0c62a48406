// How viewers of an app can sign in on a second screen, as far as the configuration decides it. Ruling 43.

import PassProtocol

package enum LoginWay: Sendable, CaseIterable {
    /// The QR code leads straight to the provider's login.
    case scan
    /// The code is typed at a page.
    case typing
    /// The box has neither.
    case none
}

extension Configuration.Backend {
    /// For an app, or for one without addresses of its own.
    package func loginWay(of app: AppStanza?) -> LoginWay {
        let redirectURL = app?.redirectURL ?? self.redirectURL
        if (app?.finishURL ?? finishURL) != nil || redirectURL?.hasPrefix("https://") == true { return .scan }
        return (app?.activationURL ?? activationURL) == nil ? .none : .typing
    }
}
