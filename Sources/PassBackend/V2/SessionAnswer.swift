// The answer of S1, and the step to which it leads. Contract: rest-v2.md S1, §5.

import AccessEnabler

struct SessionAnswer: Decodable, Sendable {
    /// The longest lifetime of a code, whatever its dates say.
    private static let longestLife = Duration.seconds(24 * 3600)

    var actionName: String
    var reasonType: String?
    var url: String?
    var code: String?
    var sessionId: String?
    var mvpd: String?
    var notBefore: Milliseconds?
    var notAfter: Milliseconds?

    /// `authorize` never leads to a code. An unknown action makes the answer unusable. Relative URLs are resolved
    /// against the origin.
    func step(_ origin: String, style: LoginStyle) throws(BackendFault) -> LoginStep {
        switch actionName {
        case "authorize":
            guard let mvpd else { throw BackendFault(.unusableAnswer) }
            return .alreadyIn(ProviderID(rawValue: mvpd), reason)
        case "authenticate", "resume":
            guard let code, !code.isEmpty, let notAfter else { throw BackendFault(.unusableAnswer) }
            let begins = notBefore?.time ?? notAfter.time
            let login = OpenLogin(
                code: RegistrationCode(rawValue: code), url: url.flatMap { absolute($0, origin) } ?? "",
                provider: mvpd.map(ProviderID.init), notBefore: begins,
                notAfter: min(max(begins, notAfter.time), begins.advanced(by: Self.longestLife)), sessionID: sessionId)
            return style == .browser && actionName == "authenticate" ? .openURL(login) : .showCode(login)
        default: throw BackendFault(.unusableAnswer)
        }
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
