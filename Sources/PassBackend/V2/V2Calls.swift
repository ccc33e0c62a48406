// Every call of REST V2 that a device makes. Contract: rest-v2.md §1.4, §3.1, §4.

import AccessEnabler
import FoundationEssentials

struct V2Calls: Sendable {
    let requestor: RequestorID
    let headers: CallHeaders

    private static let form = "application/x-www-form-urlencoded"
    private static let json = "application/json;charset=utf-8"

    /// C1
    func configuration() -> ServiceCall {
        ServiceCall(
            method: "GET", path: path("configuration"), headers: headers.headers(.none), urgency: .configuration)
    }

    /// S1. What the box knows is sent, and what it lacks is left out: the second screen supplies it.
    func createSession(provider: ProviderID?, domainName: String?, redirectURL: String?) -> ServiceCall {
        let fields = [("mvpd", provider?.rawValue), ("domainName", domainName), ("redirectUrl", redirectURL)]
        let body = fields.compactMap { name, value in value.map { "\(name)=\(escaped($0))" } }.joined(separator: "&")
        return ServiceCall(
            method: "POST", path: path("sessions"), headers: headers.headers(.signOn, contentType: Self.form),
            body: Array(body.utf8), urgency: .session)
    }

    /// P1
    func profiles() -> ServiceCall {
        ServiceCall(method: "GET", path: path("profiles"), headers: headers.headers(.signOn), urgency: .profile)
    }

    /// P2
    func profile(of provider: ProviderID) -> ServiceCall {
        ServiceCall(
            method: "GET", path: path("profiles", provider.rawValue), headers: headers.headers(.signOnAndTemporary),
            urgency: .profile)
    }

    /// P3
    func profile(of code: RegistrationCode) -> ServiceCall {
        ServiceCall(
            method: "GET", path: path("profiles", "code", code.rawValue), headers: headers.headers(.temporary),
            urgency: .poll)
    }

    /// D1
    func authorize(_ resources: [ResourceID], at provider: ProviderID) -> ServiceCall {
        ServiceCall(
            method: "POST", path: path("decisions", "authorize", provider.rawValue),
            headers: headers.headers(.signOnAndTemporary, contentType: Self.json), body: Self.body(resources),
            urgency: .authorize)
    }

    /// D2
    func preauthorize(_ resources: [ResourceID], at provider: ProviderID) -> ServiceCall {
        ServiceCall(
            method: "POST", path: path("decisions", "preauthorize", provider.rawValue),
            headers: headers.headers(.signOn, contentType: Self.json), body: Self.body(resources),
            urgency: .preauthorize)
    }

    /// L1
    func logout(_ provider: ProviderID, redirectURL: String) -> ServiceCall {
        ServiceCall(
            method: "GET", path: path("logout", provider.rawValue) + "?redirectUrl=" + escaped(redirectURL),
            headers: headers.headers(.signOn), urgency: .logout)
    }

    private func path(_ parts: String...) -> String {
        (["", "api", "v2", requestor.rawValue] + parts).map(escaped).joined(separator: "/")
    }

    private struct Question: Encodable { var resources: [String] }

    /// Byte for byte as the app wrote them. Contract: access-enabler.md §13.0.
    private static func body(_ resources: [ResourceID]) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(Question(resources: resources.map(\.rawValue)))).map(Array.init) ?? []
    }
}

/// Percent-encoded, but for letters, digits and `-._~`.
func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var out: [UInt8] = []
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            out.append(byte)
        default: out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: out, as: UTF8.self)
}
