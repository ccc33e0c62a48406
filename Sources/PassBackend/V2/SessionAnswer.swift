// The answer of S1, and the login step that follows from it. Contract: rest-v2.md S1, §5.

import AccessEnabler

struct SessionAnswer: Decodable, Sendable {
    /// Codes that claim to live longer are cut to this.
    private static let longestLife = Duration.seconds(24 * 3600)

    var actionName: String
    var reasonType: String?
    var url: String?
    var code: String?
    var sessionId: String?
    var mvpd: String?
    var notBefore: Milliseconds?
    var notAfter: Milliseconds?

    /// Returns the step. `authorize` never shows a code, and an unknown action is an unusable answer. Relative URLs are
    /// resolved against the origin.
    func step(_ origin: Origin, style: LoginStyle) throws(BackendFault) -> LoginStep {
        switch actionName {
        case "authorize":
            guard let mvpd else { throw BackendFault(.unusableAnswer) }
            return .alreadyIn(ProviderID(rawValue: mvpd), reason)
        case "authenticate", "resume":
            guard let code, !code.isEmpty, let notAfter else { throw BackendFault(.unusableAnswer) }
            let begins = notBefore?.time ?? notAfter.time
            var login = OpenLogin(
                code: RegistrationCode(rawValue: code), url: page(origin),
                provider: mvpd.map(ProviderID.init), notBefore: begins,
                notAfter: min(max(begins, notAfter.time), begins.advanced(by: Self.longestLife)), sessionID: sessionId)
            if style == .browser { return actionName == "authenticate" ? .openURL(login) : .showCode(login) }
            // passd never makes up a page for a code: with `resume` the service may name any address. Ruling 43.
            login.link = actionName == "authenticate" ? login.page : nil
            login.url = ""
            return .showCode(login)
        default: throw BackendFault(.unusableAnswer)
        }
    }

    /// The page for the viewer, or an empty text: with `resume` the address may be that of S2, which no browser can use.
    private func page(_ origin: Origin) -> String {
        guard let url = url.flatMap({ absolute($0, origin) }) else { return "" }
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return actionName == "resume" && path.hasSuffix("/sessions/" + (code ?? "")) ? "" : url
    }

    var reason: LoginReason {
        switch reasonType {
        case "authenticatedSSO": .signOn
        case "temporary": .temporary
        case "degraded": .degraded
        default: .regular
        }
    }
}
