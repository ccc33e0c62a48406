// Tests that the box signs for itself, always with the same key. Contract: rest-v2.md §3.6, §12.1.

import AccessEnabler
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct DeviceKeyTests {
    private static let noon = ServerTime(milliseconds: 1_795_564_800_000)

    private let key: DeviceKey
    private let pem: Secret

    init() throws { (key, pem) = try DeviceKey.make() }

    private func token(of key: DeviceKey, at time: ServerTime = noon) throws -> String {
        try #require(key.identityToken(at: time)).reveal()
    }

    @Test func `the token is a JWS by ES256, and its own key verifies it`() throws {
        let token = try JWS(token(of: key))
        #expect(token.header.alg == "ES256")
        #expect(token.header.typ == "JWT")
        #expect(token.header.jwk.kty == "EC")
        #expect(token.header.jwk.crv == "P-256")
        #expect(try token.isGenuine())
    }

    @Test func `a token with changed claims is not valid`() throws {
        let one = try token(of: key).split(separator: ".")
        let other = try token(of: key, at: Self.noon.advanced(by: .seconds(3600))).split(separator: ".")
        #expect(try !JWS("\(one[0]).\(other[1]).\(one[2])").isGenuine())
        #expect(try JWS("\(other[0]).\(other[1]).\(other[2])").isGenuine())
    }

    @Test func `the token is valid for ten minutes from the given time, and names only the key`() throws {
        let claims = try JWS(token(of: key)).claims
        #expect(claims.iss == "passd")
        #expect(claims.iat == 1_795_564_800)
        #expect(claims.exp == 1_795_565_400)
        #expect(claims.sub.wholeMatch(of: /box-[0-9a-f]{32}/) != nil)
    }

    @Test func `every signature has 64 bytes`() throws {
        // One number in 128 has leading zeros.
        for step in 0..<400 {
            let time = Self.noon.advanced(by: .seconds(3600 * step))
            #expect(try JWS(token(of: key, at: time)).isGenuine())
        }
    }

    @Test(arguments: [
        (0, true), (300, true), (479, true), (480, false), (600, false), (86_400, false), (-60, true),
        (-121, false), (-86_400, false), (-1_795_564_800, false),
    ]) func `the token is reused until near its expiry, but not after a jump of the clock`(
        seconds: Int, isSame: Bool
    ) throws {
        let first = try token(of: key)
        let time = Self.noon.advanced(by: .seconds(seconds))
        let second = try token(of: key, at: time)
        #expect((first == second) == isSame)
        let token = try JWS(second)
        #expect(token.claims.exp - time.milliseconds / 1000 > 120, "still valid for some time")
        #expect(token.claims.exp - time.milliseconds / 1000 <= 720, "not valid for too long")
        #expect(try token.isGenuine())
    }

    @Test func `the stored form gives the same key`() throws {
        let first = try JWS(token(of: key))
        let second = try JWS(token(of: DeviceKey(pem: pem)))
        #expect(second.header == first.header && second.claims.sub == first.claims.sub)
        #expect(try second.isGenuine())
        #expect(try JWS(token(of: DeviceKey.make().0)).header.jwk != first.header.jwk)
    }

    @Test func `a good key makes valid tokens`() throws {
        #expect(try JWS(token(of: DeviceKey(pem: Secret(DeviceKeyFile.pem(.p256))))).isGenuine())
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let says: String
        let text: @Sendable () throws -> String
    }

    nonisolated static let bad: [Bad] = [
        Bad(testDescription: "empty", says: "is empty") { "" },
        Bad(testDescription: "no PEM", says: "contains no readable key") { "not a key\n" },
        Bad(testDescription: "cut", says: "contains no readable key") {
            String(try DeviceKeyFile.pem(.p256).prefix(100))
        },
        Bad(testDescription: "one letter changed", says: "contains no readable key") {
            try DeviceKeyFile.pem(.p256).replacing("MI", with: "NI", maxReplacements: 1)
        },
        Bad(testDescription: "public", says: "contains no readable key") {
            try DeviceKeyFile.publicPEM(of: DeviceKeyFile.pem(.p256))
        },
        Bad(testDescription: "with a password", says: "contains no readable key") {
            try DeviceKeyFile.pem(.p256, password: "guess")
        },
        Bad(testDescription: "P-384", says: "contains a different kind of key") { try DeviceKeyFile.pem(.p384) },
        Bad(testDescription: "secp256k1", says: "contains a different kind of key") {
            try DeviceKeyFile.pem(.secp256k1)
        },
        Bad(testDescription: "Ed25519", says: "contains a different kind of key") { try DeviceKeyFile.pem(.ed25519) },
    ]

    @Test(arguments: bad) func `any other text is an error`(_ bad: Bad) throws {
        let text = try bad.text()
        let fault = #expect(throws: DeviceKey.Fault.self) { try DeviceKey(pem: Secret(text)) }
        #expect(fault?.description == bad.says)
    }

    @Test func `many callers may ask at once`() async throws {
        let tokens = await withTaskGroup(of: String?.self) { group in
            for _ in 1...50 { group.addTask { key.identityToken(at: Self.noon)?.reveal() } }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        #expect(tokens.first != .some(nil))
    }
}
