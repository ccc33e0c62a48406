// All calls of REST V2 that a device makes, each with its name in the contract. Contract: rest-v2.md §1.4, §3, §4.

import AccessEnabler
import PassJSON
import PassProtocol

struct V2Calls: Sendable {
    let service: ServiceConfiguration
    let caller: BackendCaller
    let accessToken: Secret
    /// The box's tokens for single sign-on.
    var platformIdentity: Secret?
    var serviceToken: Secret?

    /// The groups of headers that only some calls have. Contract: rest-v2.md §3.1.
    private enum Extra { case signOn, temporary, partner }

    /// C1
    func configuration() -> HTTPRequest { call(.get, "configuration") }

    /// S1. Values that the box does not know are left out, because the login page on the viewer's phone or computer supplies
    /// them.
    func createSession(provider: ProviderID?, domainName: String?, redirectURL: String?) -> HTTPRequest {
        let fields = [("mvpd", provider?.rawValue), ("domainName", domainName), ("redirectUrl", redirectURL)]
        return call(.post, "sessions", [], [.signOn], form: fields)
    }

    /// P1
    func profiles() -> HTTPRequest { call(.get, "profiles", [], [.signOn, .partner]) }

    /// P2
    func profile(of provider: ProviderID) -> HTTPRequest {
        call(.get, "profiles/{mvpd}", [provider.rawValue], [.signOn, .temporary, .partner])
    }

    /// P3
    func profile(of code: RegistrationCode) -> HTTPRequest {
        call(.get, "profiles/code/{code}", [code.rawValue], [.temporary])
    }

    /// D1
    func authorize(_ resources: [ResourceID], at provider: ProviderID) -> HTTPRequest {
        call(
            .post, "decisions/authorize/{mvpd}", [provider.rawValue], [.signOn, .temporary, .partner],
            resources: resources)
    }

    /// D2
    func preauthorize(_ resources: [ResourceID], at provider: ProviderID) -> HTTPRequest {
        call(.post, "decisions/preauthorize/{mvpd}", [provider.rawValue], [.signOn, .partner], resources: resources)
    }

    /// L1
    func logout(_ provider: ProviderID, redirectURL: String?) -> HTTPRequest {
        call(
            .get, "logout/{mvpd}", [provider.rawValue], [.signOn],
            query: redirectURL.map { "redirectUrl=" + percentEncoded($0) } ?? "")
    }

    /// X1. `domainName` and `redirectURL` are for the ordinary login that the service may fall back to.
    func createPartnerSession(_ partner: String, domainName: String?, redirectURL: String?) -> HTTPRequest {
        call(
            .post, "sessions/sso/{partner}", [partner], [.signOn, .partner],
            form: [("domainName", domainName), ("redirectUrl", redirectURL)])
    }

    /// X2
    func createPartnerProfile(_ partner: String, _ response: Secret) -> HTTPRequest {
        call(
            .post, "profiles/sso/{partner}", [partner], [.signOn, .partner],
            form: [("SAMLResponse", response.reveal())])
    }

    /// `path` follows the name of the requestor. `values` replace the placeholders in `path`. Resources are sent byte for byte
    /// as the app wrote them. Both headers about the device are always sent. Headers that the reference does not list are not
    /// sent. Contract: rest-v2.md §3.1; access-enabler.md §13.0.
    private func call(
        _ method: HTTPRequest.Method, _ path: String, _ values: [String] = [], _ extras: Set<Extra> = [],
        query: String = "", form: [(name: String, value: String?)]? = nil, resources: [ResourceID]? = nil
    ) -> HTTPRequest {
        var headers: HTTPHeaders = [
            "Authorization": "Bearer \(accessToken.reveal())",
            "AP-Device-Identifier": "fingerprint \(caller.device.rawValue.utf8.base64)",
            "X-Device-Info": service.deviceInfo(of: caller), "Accept": "application/json",
        ]
        var body: [UInt8] = []
        if let form {
            headers.append("Content-Type", formType)
            body = Array(formEncoded(form).utf8)
        } else if let resources {
            headers.append("Content-Type", "application/json;charset=utf-8")
            body = JSONWriter.bytes(["resources": .strings(resources.map(\.rawValue))])
        }
        headers.append("AP-Visitor-Identifier", caller.options.texts[.visitorID])
        if extras.contains(.signOn) {
            headers.append("Adobe-Subject-Token", platformIdentity?.reveal())
            headers.append("AD-Service-Token", serviceToken?.reveal())
        }
        if extras.contains(.temporary) {
            headers.append("AP-TempPass-Identity", (try? TemporaryIdentity(caller.options.temporaryIdentity))?.header)
        }
        if extras.contains(.partner) { headers.append("AP-Partner-Framework-Status", caller.partnerStatus?.header) }
        var request = HTTPRequest(
            method, service.origin, route: "/api/v2/{serviceProvider}/" + path, [caller.requestor.rawValue] + values,
            query: query, headers: headers, body: body)
        request.device = service.description(for: caller)
        return request
    }
}
