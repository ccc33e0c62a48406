// All calls of REST V1 that a device makes; the § of each is its section in rest-v1.md. Parameters are in the query,
// except in the two calls that send a form; the device's description is percent-encoded even in its header. Contract:
// rest-v1.md §2, §3, §5, §6, §9.1.

import AccessEnabler

struct V1Calls: Sendable {
    let requestor: RequestorID
    let device: DeviceID
    let codes: Origin
    let accessToken: Secret
    /// A JSON object, encoded once as Base64.
    let deviceInfo: String
    var visitorID: String?
    var platformIdentity: Secret?
    /// The identity for a promotional temporary pass, as JSON. Contract: §9.2.
    var genericData: String?

    typealias Field = (name: String, value: String?)

    /// §6.1
    func createCode(provider: ProviderID?, registrationURL: String?) -> ServiceCall {
        var call = call(
            "POST", route: "/reggie/v1/{serviceProvider}/regcode", values: [requestor.rawValue],
            fields: [
                ("deviceId", device.rawValue), ("mvpd", provider?.rawValue), ("registrationURL", registrationURL),
            ])
        call.origin = codes
        return call
    }

    /// §6.2
    func deleteCode(_ code: RegistrationCode) -> ServiceCall {
        var call = call(
            "DELETE", route: "/reggie/v1/{serviceProvider}/regcode/{code}",
            values: [requestor.rawValue, code.rawValue], fields: [])
        call.origin = codes
        return call
    }

    /// §6.3. The service sends data about the platform's TV account only to devices of its type.
    func configuration(deviceType: String?) -> ServiceCall {
        call(
            "GET", route: "/api/v1/config/{serviceProvider}", values: [requestor.rawValue],
            fields: [("deviceType", deviceType)])
    }

    /// §6.4. A browser has no token, and sends nothing about a device.
    static func loginPage(_ query: String) -> ServiceCall {
        ServiceCall(
            "GET", route: "/api/v1/authenticate", values: [], query: query,
            headers: [.init(name: "Accept", value: "text/html")])
    }

    /// §6.7
    func authentication() -> ServiceCall {
        call("GET", route: "/api/v1/tokens/authn", values: [], fields: own)
    }

    /// §6.8
    func authorize(_ resource: ResourceID) -> ServiceCall {
        call(
            "GET", route: "/api/v1/authorize", values: [],
            fields: own + [("resource", resource.rawValue), ("generic_data", genericData)])
    }

    /// §6.9
    func authorization(_ resource: ResourceID) -> ServiceCall {
        call(
            "GET", route: "/api/v1/tokens/authz", values: [], fields: own + [("resource", resource.rawValue)])
    }

    /// §6.10
    func mediaToken(_ resource: ResourceID) -> ServiceCall {
        call(
            "GET", route: "/api/v1/tokens/media", values: [], fields: own + [("resource", resource.rawValue)])
    }

    /// §6.11
    func preauthorize(_ resources: [ResourceID]) -> ServiceCall {
        let list = resources.map(\.rawValue).joined(separator: ",")
        return call(
            "GET", route: "/api/v1/preauthorize", values: [], fields: own + [("resource", list)])
    }

    /// §6.12
    func metadata() -> ServiceCall {
        call("GET", route: "/api/v1/tokens/usermetadata", values: [], fields: own)
    }

    /// §6.13
    func logout() -> ServiceCall { call("DELETE", route: "/api/v1/logout", values: [], fields: own) }

    /// §9.1
    func freePreview(_ provider: ProviderID, domainName: String?) -> ServiceCall {
        var call = call(
            "POST", route: "/api/v1/authenticate/freepreview", values: [], fields: [], isForm: true)
        call.body = Array(
            formEncoded([
                ("requestor_id", requestor.rawValue), ("deviceId", device.rawValue), ("mso_id", provider.rawValue),
                ("domain_name", domainName), ("generic_data", genericData), ("ap_vi", visitorID),
            ]).utf8)
        return call
    }

    /// §10.1
    func profileRequest(_ provider: ProviderID, deviceType: String) -> ServiceCall {
        call(
            "GET", route: "/api/v1/{serviceProvider}/profile-requests/{mvpd}",
            values: [requestor.rawValue, provider.rawValue],
            fields: [("deviceType", deviceType)])
    }

    /// §10.3. `response` is percent-encoded once, with the whole form.
    func exchange(_ response: Secret, at provider: ProviderID, deviceType: String) -> ServiceCall {
        var call = call("POST", route: "/api/v1/tokens/authn", values: [], fields: [], isForm: true)
        call.body = Array(
            formEncoded(
                own + [
                    ("mvpd", provider.rawValue), ("deviceType", deviceType), ("SAMLResponse", response.reveal()),
                    ("ap_vi", visitorID),
                ]
            ).utf8)
        return call
    }

    private var own: [Field] { [("requestor", requestor.rawValue), ("deviceId", device.rawValue)] }

    /// `format` and file extensions are not sent: `Accept` alone selects JSON.
    private func call(
        _ method: String, route: Route, values: [String], fields: [Field],
        isForm: Bool = false
    ) -> ServiceCall {
        var headers: [ServiceCall.Header] = [
            .init(name: "Authorization", value: "Bearer \(accessToken.reveal())"),
            .init(name: "X-Device-Info", value: percentEncoded(deviceInfo)),
            .init(name: "Accept", value: "application/json"),
        ]
        if let platformIdentity {
            headers.append(.init(name: "Adobe-Subject-Token", value: platformIdentity.reveal()))
        }
        if isForm { headers.append(.init(name: "Content-Type", value: "application/x-www-form-urlencoded")) }
        let query = isForm ? "" : formEncoded(fields + [("ap_vi", visitorID)])
        var call = ServiceCall(method, route: route, values: values, query: query, headers: headers)
        call.encodesDeviceInfo = true
        return call
    }
}

/// The addresses for a browser on the box or on a phone. They contain no token, because a browser has none. passd itself
/// requests the first one of each login, but follows no redirect. Contract: rest-v1.md §6.4, §6.13; open-questions.md
/// OQ-43, OQ-50.
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
        formEncoded([
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
            formEncoded([
                ("requestor", caller.requestor.rawValue), ("deviceId", caller.device.rawValue),
                ("ap_vi", caller.visitorID), ("redirect_url", site.browserRedirect),
            ]))
    }

    private func page(_ name: String, _ query: String) -> String { "\(origin)/api/v1/\(name)?\(query)" }
}
