// Tests P1 to P3, which return the logins by device, by provider and by code.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md P1, P2, P3, §9: profiles")
struct ProfilesTests {
    private static func calls(_ code: String) -> [String] {
        ["profiles", "profiles/NorthCable", "profiles/code/\(code)"]
    }

    @Test func `a regular login looks the same in all three calls: times are numbers, and every attribute has a state`()
        throws
    {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession(TestClient.loginForm()))
        let session = client.send(client.get("sessions/\(code)"))
        #expect(session.status == 200)
        client.fixture.clock.advance(.seconds(61))
        try client.completeLogin(code: code, user: "ada")
        for path in Self.calls(code) {
            let answer = client.send(client.get(path))
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "application/json;charset=utf-8")
            #expect(answer.json.names == ["profiles"])
            #expect(answer.profiles.map(\.name) == ["NorthCable"])
            let profile = try #require(answer.profile("NorthCable"))
            #expect(profile["notBefore"] == 1_795_564_861_000)
            #expect(profile["notAfter"] == 1_803_340_861_000, "90 days later")
            #expect(profile["issuer"] == "NorthCable")
            #expect(profile["type"] == "regular")
            let attributes = try #require(profile["attributes"])
            #expect(
                attributes.names == [
                    "channelID", "householdID", "is_hoh", "language", "maxRating", "userID", "zip",
                ])
            let user = try #require(attributes["userID"]?["value"]?.string)
            #expect(!user.isEmpty && user != "ada")
            #expect(attributes["userID"]?["state"] == "plain")
            #expect(attributes["householdID"] == .plain("nc-house-1001"))
        }
    }

    @Test func `without a login the map is empty, without an error`() throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession(TestClient.loginForm()))
        for path in Self.calls(code) { expect(client.send(client.get(path)), 200, is: ["profiles": [:]]) }
    }

    @Test func `an expired profile disappears, to the millisecond`() throws {
        let fixture = try SandboxFixture.longLived { catalogue in
            catalogue.integration("LUMENTV", "NorthCable") { $0.authenticationLifetime = .seconds(600) }
        }
        let client = try TestClient(fixture)
        let code = try #require(client.openSession(TestClient.loginForm()))
        try client.completeLogin(code: code, user: "ada")
        fixture.clock.advance(.milliseconds(599_999))
        for path in Self.calls(code) { #expect(client.send(client.get(path)).profiles.count == 1) }
        fixture.clock.advance(.milliseconds(1))
        for path in Self.calls(code) { expect(client.send(client.get(path)), 200, is: ["profiles": [:]]) }
    }

    @Test(arguments: ["expired", "invalidated"])
    func `a profile that the operator ends disappears`(_ reason: String) throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession(TestClient.loginForm()))
        try client.completeLogin(code: code, user: "ada")
        try client.fixture.control("expire", ["kind": "login", "id": "NorthCable", "reason": .string(reason)])
        for path in Self.calls(code) { expect(client.send(client.get(path)), 200, is: ["profiles": [:]]) }
    }

    @Test func `several profiles can exist at the same time`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn("ada")
        try client.logIn("omar", mvpd: "BeaconTV")
        try client.logIn("heidi", mvpd: "AlpenTel")
        let all = client.send(client.get("profiles"))
        #expect(Set(all.profiles.map(\.name)) == ["NorthCable", "BeaconTV", "AlpenTel"])
        #expect(all.profile("AlpenTel")?["notAfter"] == .int(TestClock.start + 30 * 86_400_000))
        #expect(client.send(client.get("profiles/BeaconTV")).profiles.map(\.name) == ["BeaconTV"])
    }

    @Test func `a profile belongs to its client, its device and its channel`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        let code = try #require(client.openSession(TestClient.loginForm()))
        try client.completeLogin(code: code, user: "ada")
        let otherDevice = Field("AP-Device-Identifier", "fingerprint \(base64("box-2".utf8))")
        let other = try TestClient(fixture)
        for path in ["profiles", "profiles/NorthCable"] {
            let request = client.get(path).with(header: otherDevice.name, otherDevice.value)
            expect(client.send(request), 200, is: ["profiles": [:]])
            expect(other.send(other.get(path)), 200, is: ["profiles": [:]])
            expect(client.send(.get("/api/v2/LUMENKIDS/\(path)", client.headers)), 200, is: ["profiles": [:]])
        }
        #expect(
            other.send(other.get("profiles/code/\(code)")).profiles.count == 1, "either screen may ask for a code")
    }

    static let refused: [Row<(channel: String, path: String, status: Int, code: String, action: String)>] = [
        .init("P2, unknown MVPD", ("LUMENTV", "profiles/Nobody", 400, "invalid_parameter_mvpd", "none")),
        .init("P2, missing MVPD", ("LUMENTV", "profiles/", 400, "invalid_parameter_mvpd", "none")),
        .init("P2, no integration", ("NEWS24", "profiles/AlpenTel", 400, "invalid_integration", "none")),
        .init("P2, integration off", ("SUMMITTV", "profiles/NorthCable", 400, "invalid_integration", "none")),
        .init(
            "P2, misconfigured",
            ("SUMMITTV", "profiles/BeaconTV", 500, "invalid_configuration_platform", "configuration")),
        .init(
            "P2, no promotional identity",
            ("LUMENTV", "profiles/LumenPromo", 400, "invalid_header_identity_for_temporary_access", "none")),
        .init("P3, missing code", ("LUMENTV", "profiles/code/", 400, "invalid_parameter_code", "none")),
        .init("P3, malformed code", ("LUMENTV", "profiles/code/a b c d", 400, "invalid_parameter_code", "none")),
        .init("P3, unknown code", ("LUMENTV", "profiles/code/ZZZZZZZ", 400, "invalid_authentication_session", "none")),
    ]

    @Test(arguments: refused)
    func `a wrong MVPD or code is refused`(
        _ row: Row<(channel: String, path: String, status: Int, code: String, action: String)>
    ) throws {
        let apps = ["LUMENTV": "lumen-tv", "NEWS24": "news24", "SUMMITTV": "summit"]
        let value = row.value
        let client = try TestClient(
            SandboxFixture(), app: try #require(apps[value.channel]), serviceProvider: value.channel)
        expect(client.send(client.get(value.path)), refuses: value.status, value.code, action: value.action)
    }

    @Test func `a disabled integration affects P2, but not P1 and P3`() throws {
        let fixture = try SandboxFixture { catalogue in
            catalogue.integration("LUMENTV", "NorthCable") { $0.isEnabled = false }
        }
        let client = try TestClient(fixture)
        let code = try #require(client.openSession([]))
        client.addProfile("NorthCable", user: "ada")
        fixture.sandbox.withWorld { world, _ in
            world.state.sessions[code]?.profile = world.state.profiles.rows.keys.first
        }
        for path in ["profiles", "profiles/code/\(code)"] {
            #expect(client.send(client.get(path)).profiles.map(\.name) == ["NorthCable"])
        }
        expect(client.send(client.get("profiles/NorthCable")), refuses: 400, "invalid_integration")
    }

    /// A row of the table of types in §9: how to make the profile, and which calls show it.
    struct Kind: Sendable, CustomTestStringConvertible {
        let type: String
        let issuer: String
        let mvpd: String
        /// Whether each of P1, P2 and P3 shows the profile.
        let seen: [Bool]
        /// A function that makes the profile, and returns the headers of the calls.
        let prepare: @Sendable (TestClient, String) throws -> [Field]

        var testDescription: String { type }
    }

    private static let boxKey = RSAKey(random: SeededRandom(number: 7))

    static let kinds: [Kind] = [
        Kind(type: "regular", issuer: "NorthCable", mvpd: "NorthCable", seen: [true, true, true]) { client, code in
            try client.completeLogin(code: code, user: "ada")
            return []
        },
        Kind(type: "platformSSO", issuer: "NorthCable", mvpd: "NorthCable", seen: [true, true, false]) { client, _ in
            let claims: JSONValue = ["sub": "box", "exp": .int(TestClock.start / 1000 + 3600)]
            let token = Field("Adobe-Subject-Token", JWS.sign(claims, keyID: "box-key", key: boxKey))
            try TestClient(client.fixture).logIn("ada", [token])
            return [token]
        },
        Kind(type: "serviceTokenSSO", issuer: "NorthCable", mvpd: "NorthCable", seen: [true, true, false]) {
            client, _ in
            let text = try client.fixture.control("service-token", ["subscriber": "ada"])["serviceToken"]?.string
            let token = Field("AD-Service-Token", try #require(text))
            try TestClient(client.fixture, device: "box-2").logIn("ada", [token])
            return [token]
        },
        Kind(type: "appleSSO", issuer: "Apple", mvpd: "BeaconTV", seen: [true, true, false]) { client, _ in
            client.addProfile("BeaconTV", user: "omar", source: .partner("Apple"))
            return [TestClient.partnerStatus()]
        },
        Kind(type: "degraded", issuer: "Adobe", mvpd: "NorthCable", seen: [false, true, true]) { client, _ in
            try client.fixture.control("degradation", ["rule": "AuthNAll", "provider": "NorthCable"])
            return []
        },
        Kind(type: "temporary", issuer: "Adobe", mvpd: "LumenPreview", seen: [false, true, true]) { client, code in
            _ = client.send(client.post("sessions/\(code)", form: [Field("mvpd", "LumenPreview")]))
            return []
        },
    ]

    @Test(arguments: kinds)
    func `each type of profile is shown by the calls in the table`(_ kind: Kind) throws {
        let fixture = try SandboxFixture { $0.platformKeys["box-key"] = Self.boxKey.publicKey }
        let client = try TestClient(fixture)
        let code = try #require(
            client.openSession([Field("mvpd", kind.mvpd == "LumenPreview" ? "NorthCable" : kind.mvpd)]))
        let headers = try kind.prepare(client, code)
        let paths = ["profiles", "profiles/\(kind.mvpd)", "profiles/code/\(code)"]
        for (path, isSeen) in zip(paths, kind.seen) {
            let answer = client.send(client.get(path, headers))
            #expect(answer.status == 200)
            #expect(answer.profiles.map(\.name) == (isSeen ? [kind.mvpd] : []), "\(path)")
            guard isSeen else { continue }
            let profile = try #require(answer.profile(kind.mvpd))
            #expect(profile["type"] == .string(kind.type))
            #expect(profile["issuer"] == .string(kind.issuer))
            #expect(profile["notBefore"]?.int != nil)
            #expect(profile["notAfter"]?.int != nil)
            #expect(profile["attributes"]?["userID"]?["value"]?.string?.isEmpty == false)
        }
    }

    @Test func `the ids of degraded and temporary profiles are synthetic, and show that`() throws {
        let client = try TestClient(SandboxFixture())
        try client.fixture.control("degradation", ["rule": "AuthNAll", "provider": "NorthCable"])
        func user(_ mvpd: String) -> String? {
            client.send(client.get("profiles/\(mvpd)")).profile(mvpd)?["attributes"]?["userID"]?["value"]?.string
        }
        #expect(user("NorthCable")?.hasPrefix("95cf93bcd183214a") == true)
        #expect(user("LumenPreview")?.hasPrefix("temppass_") == true)
    }
}
