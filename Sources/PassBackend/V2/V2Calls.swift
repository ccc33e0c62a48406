// All calls of REST V2 that a device makes, each with its name in the contract. Contract: rest-v2.md §1.4, §3.1, §4.

import AccessEnabler
import PassJSON

struct V2Calls: Sendable {
    let requestor: RequestorID
    let headers: CallHeaders

    private static let form = "application/x-www-form-urlencoded"
    private static let json = "application/json;charset=utf-8"

    /// C1
    func configuration() -> ServiceCall { call("GET", "configuration") }

    /// S1. Values that the box does not know are left out; the second screen supplies them.
    func createSession(provider: ProviderID?, domainName: String?, redirectURL: String?) -> ServiceCall {
        let fields = [("mvpd", provider?.rawValue), ("domainName", domainName), ("redirectUrl", redirectURL)]
        return call("POST", "sessions", [], .signOn, form: fields)
    }

    /// P1
    func profiles() -> ServiceCall { call("GET", "profiles", [], .signOn, withPartner: true) }

    /// P2
    func profile(of provider: ProviderID) -> ServiceCall {
        call("GET", "profiles/{mvpd}", [provider.rawValue], .signOnAndTemporary, withPartner: true)
    }

    /// P3
    func profile(of code: RegistrationCode) -> ServiceCall {
        call("GET", "profiles/code/{code}", [code.rawValue], .temporary)
    }

    /// D1
    func authorize(_ resources: [ResourceID], at provider: ProviderID) -> ServiceCall {
        call(
            "POST", "decisions/authorize/{mvpd}", [provider.rawValue], .signOnAndTemporary, withPartner: true,
            resources: resources)
    }

    /// D2
    func preauthorize(_ resources: [ResourceID], at provider: ProviderID) -> ServiceCall {
        call(
            "POST", "decisions/preauthorize/{mvpd}", [provider.rawValue], .signOn, withPartner: true,
            resources: resources)
    }

    /// L1
    func logout(_ provider: ProviderID, redirectURL: String?) -> ServiceCall {
        call(
            "GET", "logout/{mvpd}", [provider.rawValue], .signOn,
            query: redirectURL.map { "redirectUrl=" + percentEncoded($0) } ?? "")
    }

    /// X1. `domainName` and `redirectURL` are for the ordinary login that the service may fall back to.
    func createPartnerSession(_ partner: String, domainName: String?, redirectURL: String?) -> ServiceCall {
        call(
            "POST", "sessions/sso/{partner}", [partner], .signOn, withPartner: true,
            form: [("domainName", domainName), ("redirectUrl", redirectURL)])
    }

    /// X2
    func createPartnerProfile(_ partner: String, _ response: Secret) -> ServiceCall {
        call(
            "POST", "profiles/sso/{partner}", [partner], .signOn, withPartner: true,
            form: [("SAMLResponse", response.reveal())])
    }

    /// `path` follows the name of the requestor, and `values` replace its placeholders. Resources are sent byte for byte as
    /// the app wrote them. Contract: access-enabler.md §13.0.
    private func call(
        _ method: String, _ path: String, _ values: [String] = [], _ extra: CallHeaders.Extra = .none,
        withPartner: Bool = false, query: String = "", form: [(name: String, value: String?)]? = nil,
        resources: [ResourceID]? = nil
    ) -> ServiceCall {
        let json = resources.map { JSONWriter.bytes(["resources": .strings($0.map(\.rawValue))]) }
        let contentType = form != nil ? Self.form : json != nil ? Self.json : nil
        return ServiceCall(
            method, route: Route(stringLiteral: "/api/v2/{serviceProvider}/" + path),
            values: [requestor.rawValue] + values,
            query: query, headers: headers.headers(extra, contentType: contentType, withPartner: withPartner),
            body: form.map { Array(formEncoded($0).utf8) } ?? json ?? [])
    }
}

// The headers of REST V2. Contract: rest-v2.md §3.

/// The headers that all calls of a device share. Both device headers are always sent, but no header that is missing in
/// the reference. Contract: rest-v2.md §3.1.
struct CallHeaders: Sendable {
    var accessToken: Secret
    var device: DeviceID
    /// A JSON object, encoded once as Base64. Contract: rest-v2.md §3.4.
    var deviceInfo: String
    var visitorID: String?
    var platformIdentity: Secret?
    var serviceToken: Secret?
    /// The promotional identity, as Base64. Contract: rest-v2.md §3.9.
    var temporaryIdentity: String?
    /// The state of the platform's TV account, as Base64. Contract: rest-v2.md §3.8.
    var partnerStatus: String?

    enum Extra { case none, signOn, signOnAndTemporary, temporary }

    /// Sign-on headers are sent only where the reference has them.
    func headers(
        _ extra: Extra, contentType: String? = nil, withPartner: Bool = false
    ) -> [ServiceCall.Header] {
        var headers: [ServiceCall.Header] = [
            .init(name: "Authorization", value: "Bearer \(accessToken.reveal())"),
            .init(name: "AP-Device-Identifier", value: "fingerprint \(device.rawValue.utf8.base64)"),
            .init(name: "X-Device-Info", value: deviceInfo), .init(name: "Accept", value: "application/json"),
        ]
        if let contentType { headers.append(.init(name: "Content-Type", value: contentType)) }
        if let visitorID { headers.append(.init(name: "AP-Visitor-Identifier", value: visitorID)) }
        if extra == .signOn || extra == .signOnAndTemporary {
            if let platformIdentity {
                headers.append(.init(name: "Adobe-Subject-Token", value: platformIdentity.reveal()))
            }
            if let serviceToken { headers.append(.init(name: "AD-Service-Token", value: serviceToken.reveal())) }
        }
        if extra == .temporary || extra == .signOnAndTemporary, let temporaryIdentity {
            headers.append(.init(name: "AP-TempPass-Identity", value: temporaryIdentity))
        }
        if withPartner, let partnerStatus {
            headers.append(.init(name: "AP-Partner-Framework-Status", value: partnerStatus))
        }
        return headers
    }
}
