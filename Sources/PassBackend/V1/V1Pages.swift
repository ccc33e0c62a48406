// The URLs that the app's browser opens. They contain no token, because a plain browser must not have one.
// Contract: rest-v1.md §6.4, §6.13; open-questions.md OQ-43, OQ-50.

import AccessEnabler

struct V1Pages: Sendable {
    let origin: String
    let site: LoginSite.Complete
    let caller: BackendCaller

    /// `reg_code` comes first, because `&reg` might be read as a character entity; the redirect URL comes last.
    func login(_ code: RegistrationCode, at provider: ProviderID, genericData: String?) -> String {
        let fields: [(name: String, value: String?)] = [
            ("reg_code", code.rawValue), ("requestor_id", caller.requestor.rawValue), ("mso_id", provider.rawValue),
            ("domain_name", site.domainName), ("noflash", "true"), ("no_iframe", "true"),
            ("generic_data", genericData), ("ap_vi", caller.visitorID), ("redirect_url", site.redirectURL),
        ]
        return page("authenticate", fields)
    }

    /// The page that also ends the provider's own session.
    var logout: String {
        page(
            "logout",
            [
                ("requestor", caller.requestor.rawValue), ("deviceId", caller.device.rawValue),
                ("ap_vi", caller.visitorID), ("redirect_url", site.redirectURL),
            ])
    }

    private func page(_ name: String, _ fields: [(name: String, value: String?)]) -> String {
        "\(origin)/api/v1/\(name)?"
            + formEncoded(fields.compactMap { field in field.value.map { (field.name, $0) } })
    }
}
