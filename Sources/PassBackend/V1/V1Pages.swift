// The addresses that the app opens in a browser. They contain no token, since a plain browser has none. Contract:
// rest-v1.md §6.4, §6.13; open-questions.md OQ-43, OQ-50.

import AccessEnabler

struct V1Pages: Sendable {
    let origin: Origin
    let site: LoginSite
    let caller: BackendCaller

    /// The code comes first, because `&reg` could be taken for a character reference; the redirect URL comes last.
    func login(
        _ code: RegistrationCode, at provider: ProviderID, domainName: String?, genericData: String?
    ) -> String {
        let fields: [(name: String, value: String?)] = [
            ("reg_code", code.rawValue), ("requestor_id", caller.requestor.rawValue), ("mso_id", provider.rawValue),
            ("domain_name", domainName), ("noflash", "true"), ("no_iframe", "true"),
            ("generic_data", genericData), ("ap_vi", caller.visitorID), ("redirect_url", site.browserRedirect),
        ]
        return page("authenticate", fields)
    }

    /// Also ends the provider's own session.
    var logout: String {
        page(
            "logout",
            [
                ("requestor", caller.requestor.rawValue), ("deviceId", caller.device.rawValue),
                ("ap_vi", caller.visitorID), ("redirect_url", site.browserRedirect),
            ])
    }

    private func page(_ name: String, _ fields: [(name: String, value: String?)]) -> String {
        "\(origin)/api/v1/\(name)?"
            + formEncoded(fields.compactMap { field in field.value.map { (field.name, $0) } })
    }
}
