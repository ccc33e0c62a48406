// All calls of REST V2 that a device makes, each with its name in the contract. Contract: rest-v2.md §1.4, §3.1, §4.

import AccessEnabler
import PassJSON

struct V2Calls: Sendable {
    let requestor: RequestorID
    let headers: CallHeaders

    private static let form = "application/x-www-form-urlencoded"
    private static let json = "application/json;charset=utf-8"

    /// C1
    func configuration() -> ServiceCall {
        ServiceCall(
            "GET", route: "/api/v2/{serviceProvider}/configuration", values: [requestor.rawValue],
            headers: headers.headers(.none))
    }

    /// S1. Values that the box does not know are left out; the second screen supplies them.
    func createSession(provider: ProviderID?, domainName: String?, redirectURL: String?) -> ServiceCall {
        let fields = [("mvpd", provider?.rawValue), ("domainName", domainName), ("redirectUrl", redirectURL)]
        return ServiceCall(
            "POST", route: "/api/v2/{serviceProvider}/sessions", values: [requestor.rawValue],
            headers: headers.headers(.signOn, contentType: Self.form),
            body: Self.form(fields))
    }

    /// P1
    func profiles() -> ServiceCall {
        ServiceCall(
            "GET", route: "/api/v2/{serviceProvider}/profiles", values: [requestor.rawValue],
            headers: headers.headers(.signOn, withPartner: true))
    }

    /// P2
    func profile(of provider: ProviderID) -> ServiceCall {
        ServiceCall(
            "GET", route: "/api/v2/{serviceProvider}/profiles/{mvpd}", values: [requestor.rawValue, provider.rawValue],
            headers: headers.headers(.signOnAndTemporary, withPartner: true))
    }

    /// P3
    func profile(of code: RegistrationCode) -> ServiceCall {
        ServiceCall(
            "GET", route: "/api/v2/{serviceProvider}/profiles/code/{code}",
            values: [requestor.rawValue, code.rawValue],
            headers: headers.headers(.temporary))
    }

    /// D1
    func authorize(_ resources: [ResourceID], at provider: ProviderID) -> ServiceCall {
        ServiceCall(
            "POST", route: "/api/v2/{serviceProvider}/decisions/authorize/{mvpd}",
            values: [requestor.rawValue, provider.rawValue],
            headers: headers.headers(.signOnAndTemporary, contentType: Self.json, withPartner: true),
            body: Self.body(resources))
    }

    /// D2
    func preauthorize(_ resources: [ResourceID], at provider: ProviderID) -> ServiceCall {
        ServiceCall(
            "POST", route: "/api/v2/{serviceProvider}/decisions/preauthorize/{mvpd}",
            values: [requestor.rawValue, provider.rawValue],
            headers: headers.headers(.signOn, contentType: Self.json, withPartner: true), body: Self.body(resources))
    }

    /// L1
    func logout(_ provider: ProviderID, redirectURL: String?) -> ServiceCall {
        ServiceCall(
            "GET", route: "/api/v2/{serviceProvider}/logout/{mvpd}", values: [requestor.rawValue, provider.rawValue],
            query: redirectURL.map { "redirectUrl=" + percentEncoded($0) } ?? "",
            headers: headers.headers(.signOn))
    }

    /// X1. `domainName` and `redirectURL` are for the ordinary login that the service may fall back to.
    func createPartnerSession(_ partner: String, domainName: String?, redirectURL: String?) -> ServiceCall {
        ServiceCall(
            "POST", route: "/api/v2/{serviceProvider}/sessions/sso/{partner}", values: [requestor.rawValue, partner],
            headers: headers.headers(.signOn, contentType: Self.form, withPartner: true),
            body: Self.form([("domainName", domainName), ("redirectUrl", redirectURL)]))
    }

    /// X2
    func createPartnerProfile(_ partner: String, _ response: Secret) -> ServiceCall {
        ServiceCall(
            "POST", route: "/api/v2/{serviceProvider}/profiles/sso/{partner}", values: [requestor.rawValue, partner],
            headers: headers.headers(.signOn, contentType: Self.form, withPartner: true),
            body: Self.form([("SAMLResponse", response.reveal())]))
    }

    private static func form(_ fields: [(String, String?)]) -> [UInt8] {
        Array(formEncoded(fields.compactMap { name, value in value.map { (name, $0) } }).utf8)
    }

    /// Resources are sent byte for byte as the app wrote them. Contract: access-enabler.md §13.0.
    private static func body(_ resources: [ResourceID]) -> [UInt8] {
        JSONWriter.bytes(["resources": .strings(resources.map(\.rawValue))])
    }
}
