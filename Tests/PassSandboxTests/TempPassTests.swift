// Tests temporary passes: watching without a login, limited by time or by time and titles.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md §13, §3.9: temporary passes")
struct TempPassTests {
    private static let tenMinutes: Int64 = 600_000
    private static let twoDays: Int64 = 2 * 86_400_000

    private static func identity(_ text: String) -> Field {
        Field("AP-TempPass-Identity", base64("{\"email\":\"\(text)\"}".utf8))
    }

    private static func digest(_ text: String) -> Field { identity(hexadecimal(sha256(text.utf8))) }

    private static let ada = digest("ada@lumentv.example")
    private static let kim = digest("kim@lumentv.example")

    private func watch(
        _ client: TestClient, _ title: String = "any-title", mvpd: String = "LumenPreview", _ headers: [Field] = []
    ) -> Response { client.authorize([title], mvpd: mvpd, headers) }

    private func look(_ client: TestClient, mvpd: String = "LumenPreview", _ headers: [Field] = []) -> Response {
        client.send(client.get("profiles/\(mvpd)", headers))
    }

    // MARK: Basic

    @Test func `before the first use the whole time remains, and a look at the pass does not start the clock`() throws {
        let client = try TestClient(SandboxFixture())
        for _ in 0..<3 {
            let now = client.fixture.clock.now
            let profile = try #require(look(client).profile("LumenPreview"))
            let user = try #require(profile["attributes"]?["userID"]?["value"])
            #expect(
                profile
                    == ([
                        "notBefore": .int(now), "notAfter": .int(now + Self.tenMinutes),
                        "issuer": "Adobe", "type": "temporary",
                        "attributes":
                            ["userID": .plain(user), "expiration_date": .plain(.int(now + Self.tenMinutes))],
                    ] as JSONValue))
            #expect(
                client.preauthorize(["any-title"], mvpd: "LumenPreview").decisions.first?["authorized"] == true)
            #expect(client.send(client.post("sessions", form: [Field("mvpd", "LumenPreview")])).status == 200)
            client.fixture.clock.advance(.seconds(3600))
        }
    }

    @Test func `the first authorization starts the clock, and any title is permitted while it runs`() throws {
        let client = try TestClient(SandboxFixture())
        client.fixture.clock.advance(.seconds(3600))
        let begin = client.fixture.clock.now
        let first = watch(client, "no-such-title")
        let token = try #require(first.mediaToken)
        expect(
            first, 200,
            is: [
                "decisions": [
                    [
                        "resource": "no-such-title", "serviceProvider": "LUMENTV", "mvpd": "LumenPreview",
                        "source": "temppass", "authorized": true,
                        "token": [
                            "notBefore": .int(begin), "notAfter": .int(begin + 420_000),
                            "serializedToken": .string(token),
                        ],
                        "notBefore": .int(begin), "notAfter": .int(begin + Self.tenMinutes),
                    ]
                ]
            ])
        client.fixture.clock.advance(.milliseconds(Self.tenMinutes - 1))
        #expect(watch(client, "another").mediaToken != nil)
        let profile = look(client).profile("LumenPreview")
        #expect(profile?["notBefore"] == .int(begin))
        #expect(profile?["notAfter"] == .int(begin + Self.tenMinutes))
        #expect(profile?["attributes"]?["expiration_date"] == .plain(.int(begin + Self.tenMinutes)))
    }

    @Test func `the time always runs, and its end is 403 on P2 and P3 and an item on D1`() throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        #expect(client.send(client.post("sessions/\(code)", form: [Field("mvpd", "LumenPreview")])).status == 200)
        #expect(watch(client).mediaToken != nil)
        client.fixture.clock.advance(.milliseconds(Self.tenMinutes))
        let limit = "temporary_access_duration_limit_exceeded"
        expect(look(client), refuses: 403, limit, action: "authentication")
        expect(client.send(client.get("profiles/code/\(code)")), refuses: 403, limit, action: "authentication")
        let denied = watch(client)
        #expect(denied.status == 200)
        #expect(
            denied.decisions.first?.names
                == ["authorized", "error", "mvpd", "resource", "serviceProvider", "source"],
            "no validity, no token")
        #expect(denied.decisions.first?["authorized"] == false)
        #expect(denied.decisions.first?["source"] == "temppass")
        #expect(denied.itemError?["code"] == .string(limit))
        #expect(denied.itemError?["action"] == "authentication")
        #expect(denied.itemError?["status"] == 403)
        #expect(
            client.preauthorize(["any-title"], mvpd: "LumenPreview").itemError?["code"] == .string(limit))
    }

    @Test func `the trial belongs to the device, with any registration`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        #expect(watch(client).mediaToken != nil)
        fixture.clock.advance(.milliseconds(Self.tenMinutes))
        let again = try TestClient(fixture)
        expect(look(again), refuses: 403, "temporary_access_duration_limit_exceeded", action: "authentication")
        let neighbour = try TestClient(fixture, device: "box-2")
        #expect(look(neighbour).status == 200)
        #expect(watch(neighbour).mediaToken != nil)
    }

    @Test func `a pass exists beside a regular login and does not change it`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        #expect(watch(client).mediaToken != nil)
        client.fixture.clock.advance(.milliseconds(Self.tenMinutes))
        #expect(look(client).status == 403)
        #expect(client.send(client.get("profiles")).profiles.map(\.name) == ["NorthCable"])
        #expect(client.authorize(["lumen-sports-1"]).mediaToken != nil)
    }

    @Test func `a logout from a pass gives no new time`() throws {
        let client = try TestClient(SandboxFixture())
        #expect(watch(client).mediaToken != nil)
        client.fixture.clock.advance(.milliseconds(Self.tenMinutes))
        #expect(client.send(client.get("logout/LumenPreview")).status == 200)
        #expect(look(client).status == 403)
    }

    @Test func `the basic pass ignores the header of the promotional pass`() throws {
        let client = try TestClient(SandboxFixture())
        #expect(look(client, [Field("AP-TempPass-Identity", "nonsense")]).status == 200)
        #expect(watch(client, "a", [Field("AP-TempPass-Identity", "nonsense")]).mediaToken != nil)
    }

    // MARK: Promotional

    static let badIdentities: [Row<String?>] = [
        .init("absent", nil), .init("empty", ""), .init("bare JSON", "{\"email\":\"x\"}"),
        .init("Base64 of no JSON", base64("ada".utf8)), .init("an array", base64("[\"ada\"]".utf8)),
        .init("another key", base64("{\"phone\":\"x\"}".utf8)),
        .init("an empty value", base64("{\"email\":\"\"}".utf8)),
        .init("a number", base64("{\"email\":1}".utf8)),
        .init("the key twice", base64("{\"email\":\"a\",\"email\":\"b\"}".utf8)),
        .init("a value far too long", base64("{\"email\":\"\(String(repeating: "x", count: 513))\"}".utf8)),
    ]

    @Test(arguments: badIdentities)
    func `the promotional pass requires the identity on P2, P3 and D1`(_ row: Row<String?>) throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        #expect(client.send(client.post("sessions/\(code)", form: [Field("mvpd", "LumenPromo")])).status == 200)
        let headers = row.value.map { [Field("AP-TempPass-Identity", $0)] } ?? []
        for request in [
            client.get("profiles/LumenPromo", headers), client.get("profiles/code/\(code)", headers),
            client.post("decisions/authorize/LumenPromo", json: ["resources": ["a"]], headers),
        ] {
            expect(client.send(request), refuses: 400, "invalid_header_identity_for_temporary_access")
        }
    }

    @Test func `a preauthorization needs no identity, and permits everything while the pass is valid`() throws {
        let client = try TestClient(SandboxFixture())
        for headers in [[], [Self.ada]] {
            let answer = client.preauthorize(["a", "b"], mvpd: "LumenPromo", headers)
            #expect(answer.decisions.map { $0["authorized"] } == [true, true])
            #expect(answer.decisions.map { $0["source"] } == ["temppass", "temppass"])
        }
    }

    @Test func `the header name may also have the schema's spelling`() throws {
        let client = try TestClient(SandboxFixture())
        #expect(look(client, mvpd: "LumenPromo", [Field("AP-Temppass-Identity", Self.ada.value)]).status == 200)
    }

    @Test func `the profile counts down the titles and names the used ones`() throws {
        let client = try TestClient(SandboxFixture())
        func attributes() -> JSONValue? {
            look(client, mvpd: "LumenPromo", [Self.ada]).profile("LumenPromo")?["attributes"]
        }
        let before = try #require(attributes())
        #expect(before.names == ["expiration_date", "remaining_resources", "used_assets", "userID"])
        #expect(before["remaining_resources"] == .plain(3))
        #expect(before["used_assets"] == .plain([]))
        #expect(before["expiration_date"] == .plain(.int(TestClock.start + Self.twoDays)))
        #expect(watch(client, "one", mvpd: "LumenPromo", [Self.ada]).mediaToken != nil)
        #expect(watch(client, "two", mvpd: "LumenPromo", [Self.ada]).mediaToken != nil)
        #expect(watch(client, "one", mvpd: "LumenPromo", [Self.ada]).mediaToken != nil, "a title counts once")
        #expect(attributes()?["remaining_resources"] == .plain(1))
        #expect(attributes()?["used_assets"] == .plain(["one", "two"]))
        #expect(attributes()?["userID"] == before["userID"])
    }

    @Test func `the fourth title is over the limit: an item on D1, 403 on P2 and P3`() throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        #expect(client.send(client.post("sessions/\(code)", form: [Field("mvpd", "LumenPromo")])).status == 200)
        for title in ["one", "two", "three"] {
            #expect(watch(client, title, mvpd: "LumenPromo", [Self.ada]).mediaToken != nil)
        }
        let limit = "temporary_access_resources_limit_exceeded"
        let denied = watch(client, "four", mvpd: "LumenPromo", [Self.ada])
        #expect(denied.status == 200)
        #expect(denied.itemError?["code"] == .string(limit))
        #expect(denied.itemError?["action"] == "authentication")
        #expect(denied.decisions.first?["notAfter"] == nil)
        expect(look(client, mvpd: "LumenPromo", [Self.ada]), refuses: 403, limit, action: "authentication")
        expect(
            client.send(client.get("profiles/code/\(code)", [Self.ada])), refuses: 403, limit, action: "authentication")
    }

    @Test func `the time ends the promotional pass even if titles remain`() throws {
        let client = try TestClient(SandboxFixture.longLived())
        #expect(watch(client, "one", mvpd: "LumenPromo", [Self.ada]).mediaToken != nil)
        client.fixture.clock.advance(.milliseconds(Self.twoDays))
        let limit = "temporary_access_duration_limit_exceeded"
        for title in ["one", "two"] {
            let denied = watch(client, title, mvpd: "LumenPromo", [Self.ada])
            #expect(denied.itemError?["code"] == .string(limit))
        }
        expect(look(client, mvpd: "LumenPromo", [Self.ada]), refuses: 403, limit, action: "authentication")
    }

    /// Device and person of the later trial, and whether it continues the first trial.
    static let continuations: [Row<(device: String, identity: Field, continues: Bool)>] = [
        .init("same device, same person", ("box-1", ada, true)),
        .init("same device, another person", ("box-1", kim, true)),
        .init("another device, same person", ("box-2", ada, true)),
        .init("another device, another person", ("box-2", kim, false)),
    ]

    @Test(arguments: continuations)
    func `a known device or a known person continues the trial`(
        _ row: Row<(device: String, identity: Field, continues: Bool)>
    ) throws {
        let fixture = try SandboxFixture()
        let first = try TestClient(fixture)
        for title in ["one", "two"] {
            #expect(watch(first, title, mvpd: "LumenPromo", [Self.ada]).mediaToken != nil)
        }
        let second = try TestClient(fixture, device: row.value.device)
        let attributes = look(second, mvpd: "LumenPromo", [row.value.identity]).profile("LumenPromo")?["attributes"]
        #expect(attributes?["remaining_resources"] == .plain(row.value.continues ? 1 : 3))
        #expect(watch(second, "three", mvpd: "LumenPromo", [row.value.identity]).mediaToken != nil)
        let fourth = watch(second, "four", mvpd: "LumenPromo", [row.value.identity])
        #expect((fourth.mediaToken == nil) == row.value.continues)
        let back = watch(first, "five", mvpd: "LumenPromo", [Self.ada])
        #expect((back.mediaToken == nil) == row.value.continues, "both use the same titles")
    }

    @Test func `a chain of devices and persons is one trial`() throws {
        let fixture = try SandboxFixture()
        let one = try TestClient(fixture, device: "box-1")
        let two = try TestClient(fixture, device: "box-2")
        #expect(watch(one, "one", mvpd: "LumenPromo", [Self.ada]).mediaToken != nil)
        #expect(watch(two, "two", mvpd: "LumenPromo", [Self.ada]).mediaToken != nil)
        #expect(watch(two, "three", mvpd: "LumenPromo", [Self.kim]).mediaToken != nil)
        let three = try TestClient(fixture, device: "box-3")
        #expect(
            watch(three, "four", mvpd: "LumenPromo", [Self.kim]).itemError?["code"]
                == "temporary_access_resources_limit_exceeded")
    }

    static let identities: [Row<(text: String, isDigest: Bool)>] = [
        .init("SHA-256", (String(repeating: "0a", count: 32), true)),
        .init("SHA-512", (String(repeating: "0A", count: 64), true)),
        .init("SHA-384, of the same family", (String(repeating: "0a", count: 48), true)),
        .init("SHA-224, of the same family", (String(repeating: "0a", count: 28), true)),
        .init("MD5", (String(repeating: "0a", count: 16), false)),
        .init("an address", ("ada@lumentv.example", false)),
        .init("64 letters that are no digits", (String(repeating: "xy", count: 32), false)),
    ]

    @Test(arguments: identities)
    func `the switch strict requires a SHA-2 digest, otherwise any text is accepted`(
        _ row: Row<(text: String, isDigest: Bool)>
    ) throws {
        let lenient = try TestClient(SandboxFixture())
        #expect(look(lenient, mvpd: "LumenPromo", [Self.identity(row.value.text)]).status == 200)
        let strict = TestClient(lenient, on: try SandboxFixture { $0.settings.strict = true })
        let state = lenient.fixture.sandbox.withWorld { world, _ in world.state }
        strict.fixture.sandbox.withWorld { world, _ in world.state = state }
        let answer = look(strict, mvpd: "LumenPromo", [Self.identity(row.value.text)])
        if row.value.isDigest {
            #expect(answer.status == 200)
        } else {
            expect(answer, refuses: 400, "invalid_header_identity_for_temporary_access")
        }
    }

    @Test func `a misconfigured pass is reported as the service's fault`() throws {
        let fixture = try SandboxFixture { catalogue in
            catalogue.integration("LUMENTV", "LumenPreview") { $0.misconfiguration = .invalidTempPassConfiguration }
        }
        let client = try TestClient(fixture)
        expect(
            look(client), refuses: 500, "invalid_configuration_temporary_access", action: "configuration")
    }
}
