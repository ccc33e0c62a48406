// All calls of REST V1 that a device makes, each with its section in rest-v1.md. Parameters are in the query, except in
// the two calls that send a form. The device's description is percent-encoded even in its header. Contract: rest-v1.md
// §2, §3, §5, §6, §9.1.

import AccessEnabler
import PassProtocol

struct V1Calls: Sendable {
    let service: ServiceConfiguration
    let caller: BackendCaller
    let accessToken: Secret
    var platformIdentity: Secret?

    typealias Field = (name: String, value: String?)

    /// The identity for a promotional temporary pass, as JSON. Contract: §9.2.
    private var genericData: String? { (try? TemporaryIdentity(caller.options.temporaryIdentity))?.json }
    private var codes: Origin { service.codes ?? service.origin }
    private var requestor: String { caller.requestor.rawValue }
    private var device: String { caller.device.rawValue }

    /// §6.1
    func createCode(provider: ProviderID?, registrationURL: String?) -> HTTPRequest {
        call(
            .post, at: codes, "/reggie/v1/{serviceProvider}/regcode", values: [requestor],
            [("deviceId", device), ("mvpd", provider?.rawValue), ("registrationURL", registrationURL)])
    }

    /// §6.2
    func deleteCode(_ code: RegistrationCode) -> HTTPRequest {
        call(.delete, at: codes, "/reggie/v1/{serviceProvider}/regcode/{code}", values: [requestor, code.rawValue], [])
    }

    /// §6.3. The service sends data about the platform's TV account only to devices of the platform's type.
    func configuration(deviceType: String?) -> HTTPRequest {
        call(.get, "/api/v1/config/{serviceProvider}", values: [requestor], [("deviceType", deviceType)])
    }

    /// §6.4. Asks for the page as a browser does: without an access token and without a description of the device.
    func loginPage(_ query: String) -> HTTPRequest {
        HTTPRequest(.get, service.origin, route: "/api/v1/authenticate", query: query, headers: ["Accept": "text/html"])
    }

    /// §6.7
    func authentication() -> HTTPRequest {
        call(.get, "/api/v1/tokens/authn", own)
    }

    /// §6.8
    func authorize(_ resource: ResourceID) -> HTTPRequest {
        call(.get, "/api/v1/authorize", own + [("resource", resource.rawValue), ("generic_data", genericData)])
    }

    /// §6.9
    func authorization(_ resource: ResourceID) -> HTTPRequest {
        call(.get, "/api/v1/tokens/authz", own + [("resource", resource.rawValue)])
    }

    /// §6.10
    func mediaToken(_ resource: ResourceID) -> HTTPRequest {
        call(.get, "/api/v1/tokens/media", own + [("resource", resource.rawValue)])
    }

    /// §6.11
    func preauthorize(_ resources: [ResourceID]) -> HTTPRequest {
        call(
            .get, "/api/v1/preauthorize", own + [("resource", resources.map(\.rawValue).joined(separator: ","))])
    }

    /// §6.12
    func metadata() -> HTTPRequest {
        call(.get, "/api/v1/tokens/usermetadata", own)
    }

    /// §6.13
    func logout() -> HTTPRequest { call(.delete, "/api/v1/logout", own) }

    /// §9.1
    func freePreview(_ provider: ProviderID, domainName: String?) -> HTTPRequest {
        call(
            .post, "/api/v1/authenticate/freepreview",
            [
                ("requestor_id", requestor), ("deviceId", device), ("mso_id", provider.rawValue),
                ("domain_name", domainName), ("generic_data", genericData),
            ], isForm: true)
    }

    /// §10.1
    func profileRequest(_ provider: ProviderID, deviceType: String) -> HTTPRequest {
        call(
            .get, "/api/v1/{serviceProvider}/profile-requests/{mvpd}", values: [requestor, provider.rawValue],
            [("deviceType", deviceType)])
    }

    /// §10.3. `response` is percent-encoded once, with the whole form.
    func exchange(_ response: Secret, at provider: ProviderID, deviceType: String) -> HTTPRequest {
        call(
            .post, "/api/v1/tokens/authn",
            own + [("mvpd", provider.rawValue), ("deviceType", deviceType), ("SAMLResponse", response.reveal())],
            isForm: true)
    }

    private var own: [Field] { [("requestor", requestor), ("deviceId", device)] }

    /// `values` replace the placeholders of the route. The fields become the query, or the body if `isForm` is true. `format`
    /// and file extensions are not sent, because `Accept` selects JSON.
    private func call(
        _ method: HTTPRequest.Method, at origin: Origin? = nil, _ route: String, values: [String] = [],
        _ fields: [Field], isForm: Bool = false
    ) -> HTTPRequest {
        var headers: HTTPHeaders = [
            "Authorization": "Bearer \(accessToken.reveal())",
            DeviceDescription.header: percentEncoded(service.deviceInfo(of: caller)), "Accept": "application/json",
        ]
        headers.append("Adobe-Subject-Token", platformIdentity?.reveal())
        if isForm { headers.append("Content-Type", formType) }
        let parameters = formEncoded(fields + [("ap_vi", caller.options.texts[.visitorID])])
        var request = HTTPRequest(
            method, origin ?? service.origin, route: route, values, query: isForm ? "" : parameters, headers: headers,
            body: isForm ? Array(parameters.utf8) : [])
        request.device = service.description(for: caller, isPercentEncoded: true)
        return request
    }
}

/// The addresses for a browser on the box or on a phone. The addresses contain no token, because a browser has none. passd
/// itself may request the address of a login page, but follows no redirect. Contract: rest-v1.md §6.4, §6.13; open-questions.md
/// OQ-43, OQ-50.
struct V1Pages: Sendable {
    let origin: Origin
    let site: LoginSite
    let caller: BackendCaller

    /// The code comes first, because `&reg` within a page could be read as the sign ®. The redirect URL comes last.
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
        formEncoded([
            ("reg_code", code.rawValue), ("requestor_id", caller.requestor.rawValue), ("mso_id", provider.rawValue),
            ("domain_name", domainName), ("noflash", "true"), ("no_iframe", "true"),
            ("generic_data", genericData), ("ap_vi", caller.options.texts[.visitorID]), ("redirect_url", redirectURL),
        ])
    }

    enum Finding: Sendable {
        /// The service redirects the viewer back at once, so there is no login page.
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

    /// The page that also ends the provider's own session.
    var logout: String {
        page(
            "logout",
            formEncoded([
                ("requestor", caller.requestor.rawValue), ("deviceId", caller.device.rawValue),
                ("ap_vi", caller.options.texts[.visitorID]), ("redirect_url", site.browserRedirect),
            ]))
    }

    private func page(_ name: String, _ query: String) -> String { "\(origin)/api/v1/\(name)?\(query)" }
}
