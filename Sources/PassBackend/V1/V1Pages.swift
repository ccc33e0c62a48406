// The addresses for a browser on the box or on a phone. They contain no token, because a browser has none. passd itself
// requests the first one of each login, but follows no redirect. Contract: rest-v1.md §6.4, §6.13; open-questions.md
// OQ-43, OQ-50.

import AccessEnabler

struct V1Pages: Sendable {
    let origin: Origin
    let site: LoginSite
    let caller: BackendCaller

    /// The code comes first, because `&reg` could be taken for a character reference; the redirect URL comes last.
    func login(
        _ code: RegistrationCode, at provider: ProviderID, domainName: String?, genericData: String?,
        endingAt redirectURL: String
    ) -> String {
        page(
            "authenticate",
            loginQuery(
                code, at: provider, domainName: domainName, genericData: genericData, endingAt: redirectURL))
    }

    func loginQuery(
        _ code: RegistrationCode, at provider: ProviderID, domainName: String?, genericData: String?,
        endingAt redirectURL: String
    ) -> String {
        Self.encoded([
            ("reg_code", code.rawValue), ("requestor_id", caller.requestor.rawValue), ("mso_id", provider.rawValue),
            ("domain_name", domainName), ("noflash", "true"), ("no_iframe", "true"),
            ("generic_data", genericData), ("ap_vi", caller.visitorID), ("redirect_url", redirectURL),
        ])
    }

    enum Finding: Sendable {
        /// The service redirects the viewer straight back, so there is no login page.
        case leadsBack
        /// The service does not accept the final address of the login, or the domain.
        case refused
        case other
    }

    func finding(_ response: HTTPResponse, endingAt redirectURL: String) -> Finding {
        if response.status == 400 { return .refused }
        guard (301...308).contains(response.status), let location = response.headers["Location"] else { return .other }
        return location.hasPrefix(redirectURL) ? .leadsBack : .other
    }

    /// Also ends the provider's own session.
    var logout: String {
        page(
            "logout",
            Self.encoded([
                ("requestor", caller.requestor.rawValue), ("deviceId", caller.device.rawValue),
                ("ap_vi", caller.visitorID), ("redirect_url", site.browserRedirect),
            ]))
    }

    private func page(_ name: String, _ query: String) -> String { "\(origin)/api/v1/\(name)?\(query)" }

    private static func encoded(_ fields: [(name: String, value: String?)]) -> String {
        formEncoded(fields.compactMap { field in field.value.map { (field.name, $0) } })
    }
}
