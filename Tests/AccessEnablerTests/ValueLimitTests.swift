// Tests the limits of stored values, to the byte.

import PassJSON
import Testing

@testable import AccessEnabler

@Suite("architecture §5.3: limits of what is remembered") struct ValueLimitTests {
    private static func profile(_ name: String = "a", _ value: JSONValue = .null) -> Profile {
        Profile(
            provider: ProviderID(rawValue: "M1"), kind: .regular, issuer: "M1", notBefore: ServerTime(milliseconds: 0),
            notAfter: ServerTime(milliseconds: 1), attributes: [name: .init(value: value, isEncrypted: true)])
    }

    private static func nested(_ levels: Int) -> JSONValue {
        (0..<levels).reduce(true) { value, level in level % 2 == 0 ? [value] : ["a": value] }
    }

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test func `metadata may be as large as a row, but no larger`() {
        #expect(Self.profile("a", .string(Self.text(60_000))).excess == nil)
        #expect(Self.profile("a", .string(Self.text(65_536))).excess?.contains("the limit is 65536") == true)
        #expect(Self.profile(Self.text(65_536)).excess != nil)
        // Each character takes six bytes in JSON.
        #expect(Self.profile("a", .string(String(repeating: "\u{1}", count: 11_000))).excess != nil)
        let number = JSONValue.number(JSONNumber(verbatim: "1e-300"))
        #expect(Self.profile("a", .array(Array(repeating: number, count: 4_000))).excess != nil)
    }

    @Test func `metadata may be nested as deep as a row can hold`() {
        #expect(Self.profile("a", Self.nested(ValueLimits.depth)).excess == nil)
        #expect(Self.profile("a", Self.nested(ValueLimits.depth + 1)).excess?.contains("deeper than 62") == true)
    }

    @Test func `names have a limit too`() {
        var profile = Self.profile()
        profile.issuer = Self.text(ValueLimits.bytes + 1)
        #expect(profile.excess == "the issuer takes up 65537 bytes; the limit is 65536")
        var provider = Provider(id: ProviderID(rawValue: "M1"), displayName: "North", logoURL: "")
        #expect(provider.excess == nil)
        provider.logoURL = Self.text(ValueLimits.bytes)
        #expect(provider.excess != nil)
        var login = OpenLogin(
            code: RegistrationCode(rawValue: "K"), url: "", provider: nil, notBefore: ServerTime(milliseconds: 0),
            notAfter: ServerTime(milliseconds: 1))
        #expect(login.excess == nil)
        login.sessionID = Self.text(ValueLimits.bytes + 1)
        #expect(login.excess != nil)
    }
}
