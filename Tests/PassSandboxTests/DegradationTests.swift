// Tests the effects of a degradation rule, cell by cell of the contract's table.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md §14: degradation")
struct DegradationTests {
    private static let message = "North Cable has a fault; everyone may watch tonight."

    private func client(_ rule: String, loggedIn user: String? = nil) throws -> TestClient {
        let client = try TestClient(SandboxFixture())
        if let user { try client.logIn(user) }
        try client.fixture.control(
            "degradation", ["rule": .string(rule), "provider": "NorthCable", "message": .string(Self.message)])
        return client
    }

    // MARK: S1, S2, X1

    static let sessions = [
        ("AuthNAll", "authorize", "degraded"), ("AuthZAll", "authenticate", "none"),
        ("AuthZNone", "authenticate", "none"),
    ]

    @Test(arguments: sessions)
    func `S1 and S2 without a profile`(_ rule: String, _ action: String, _ reason: String) throws {
        let client = try client(rule)
        let first = client.send(client.post("sessions", form: TestClient.loginForm())).json
        #expect(first["actionName"] == .string(action))
        #expect(first["reasonType"] == .string(reason))
        let code = try #require(client.openSession([]))
        let second = client.send(client.post("sessions/\(code)", form: TestClient.loginForm())).json
        #expect(second["actionName"] == .string(action))
        #expect(second["reasonType"] == .string(reason))
    }

    @Test(arguments: [
        ("AuthNAll", "authorize", "degraded"), ("AuthZAll", "partner_profile", "none"),
        ("AuthZNone", "partner_profile", "none"),
    ])
    func `X1 with an account at the partner`(_ rule: String, _ action: String, _ reason: String) throws {
        let client = try TestClient(SandboxFixture())
        try client.fixture.control("degradation", ["rule": .string(rule), "provider": "BeaconTV"])
        let answer = client.send(client.post("sessions/sso/Apple", form: [], [TestClient.partnerStatus()])).json
        #expect(answer["actionName"] == .string(action))
        #expect(answer["reasonType"] == .string(reason))
    }

    // MARK: P1, P2, P3

    @Test(arguments: [("AuthNAll", true), ("AuthZAll", false), ("AuthZNone", false)])
    func `P2 and P3 show a degraded profile, P1 does not`(_ rule: String, _ isDegraded: Bool) throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession(TestClient.loginForm()))
        try client.fixture.control("degradation", ["rule": .string(rule), "provider": "NorthCable"])
        expect(client.send(client.get("profiles")), 200, is: ["profiles": [:]])
        for path in ["profiles/NorthCable", "profiles/code/\(code)"] {
            let answer = client.send(client.get(path))
            guard isDegraded else {
                expect(answer, 200, is: ["profiles": [:]])
                continue
            }
            let profile = try #require(answer.profile("NorthCable"))
            let user = try #require(profile["attributes"]?["userID"]?["value"])
            #expect(
                profile
                    == ([
                        "notBefore": .int(TestClock.start), "notAfter": .int(TestClock.start + 3_600_000),
                        "issuer": "Adobe", "type": "degraded",
                        "attributes": ["userID": .plain(user)],
                    ] as JSONValue))
        }
    }

    @Test(arguments: ["AuthNAll", "AuthZAll", "AuthZNone"])
    func `P1 still shows a login from before the rule`(_ rule: String) throws {
        let client = try client(rule, loggedIn: "ada")
        #expect(client.send(client.get("profiles")).profile("NorthCable")?["type"] == "regular")
    }

    // MARK: D1

    @Test(arguments: [nil, "ada", "noor"])
    func `D1 under AuthNAll permits with a token and a lifetime, with and without a login`(_ user: String?) throws {
        let client = try client("AuthNAll", loggedIn: user)
        let answer = client.authorize(["lumen-sports-1"])
        let token = try #require(answer.mediaToken)
        expect(
            answer, 200,
            is: [
                "decisions": [
                    [
                        "resource": "lumen-sports-1", "serviceProvider": "LUMENTV", "mvpd": "NorthCable",
                        "source": "degradation", "authorized": true,
                        "token": [
                            "notBefore": .int(TestClock.start), "notAfter": .int(TestClock.start + 420_000),
                            "serializedToken": .string(token),
                        ],
                        "notBefore": .int(TestClock.start), "notAfter": .int(TestClock.start + 3_600_000),
                    ]
                ]
            ])
    }

    @Test(arguments: ["ada", "noor"])
    func `D1 under AuthZAll permits viewers that the provider would deny, without a lifetime`(_ user: String) throws {
        let client = try client("AuthZAll", loggedIn: user)
        let answer = client.authorize(["no-such-channel"])
        let token = try #require(answer.mediaToken)
        expect(
            answer, 200,
            is: [
                "decisions": [
                    [
                        "resource": "no-such-channel", "serviceProvider": "LUMENTV", "mvpd": "NorthCable",
                        "source": "degradation", "authorized": true,
                        "token": [
                            "notBefore": .int(TestClock.start), "notAfter": .int(TestClock.start + 420_000),
                            "serializedToken": .string(token),
                        ],
                    ]
                ]
            ])
    }

    @Test(arguments: [nil, "ada", "noor"])
    func `D1 and D2 under AuthZNone deny with the programmer's message`(_ user: String?) throws {
        let client = try client("AuthZNone", loggedIn: user)
        for answer in [client.authorize(["lumen-sports-1"]), client.preauthorize(["lumen-sports-1"])] {
            #expect(answer.status == 200)
            #expect(
                answer.decisions.first?.names
                    == ["authorized", "error", "mvpd", "resource", "serviceProvider", "source"],
                "no token, no validity")
            #expect(answer.decisions.first?["authorized"] == false)
            #expect(answer.itemError?["code"] == "authorization_denied_by_degradation_rule")
            #expect(answer.itemError?["action"] == "none")
            #expect(answer.itemError?["status"] == 403)
            #expect(answer.itemError?["details"] == .string(Self.message))
        }
    }

    // MARK: D2

    @Test(arguments: [("AuthNAll", nil), ("AuthNAll", "noor"), ("AuthZAll", "noor")] as [(String, String?)])
    func `D2 permits`(_ rule: String, _ user: String?) throws {
        let client = try client(rule, loggedIn: user)
        let answer = client.preauthorize(["lumen-sports-1", "no-such-channel"])
        #expect(answer.decisions.map { $0["authorized"] } == [true, true])
        #expect(answer.decisions.map { $0["source"] } == ["degradation", "degradation"])
        #expect(answer.decisions.first?.names == ["authorized", "mvpd", "resource", "serviceProvider", "source"])
    }

    // MARK: L1

    @Test(
        arguments: [
            ("AuthNAll", nil, "complete"), ("AuthZAll", nil, "invalid"), ("AuthZNone", nil, "invalid"),
            ("AuthZAll", "ada", "logout"), ("AuthZNone", "ada", "logout"),
        ] as [(String, String?, String)])
    func `L1 is complete under AuthNAll, and otherwise follows the real profile`(
        _ rule: String, _ user: String?, _ action: String
    ) throws {
        let client = try client(rule, loggedIn: user)
        let answer = client.send(client.get("logout/NorthCable"))
        #expect(answer.json["logouts"]?["NorthCable"]?["actionName"] == .string(action))
    }

    // MARK: Scope and duration

    @Test func `a rule affects only its own provider`() throws {
        let client = try client("AuthNAll")
        #expect(client.send(client.get("profiles/BeaconTV")).profiles.isEmpty)
        #expect(
            client.authorize(["lumen-sports-1"], mvpd: "BeaconTV").itemError?["code"]
                == "authenticated_profile_missing")
    }

    @Test func `a rule may be for one channel`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        try fixture.control(
            "degradation", ["rule": "AuthNAll", "provider": "NorthCable", "serviceProvider": "LUMENKIDS"])
        #expect(client.send(client.get("profiles/NorthCable")).profiles.isEmpty)
        let kids = fixture.send(.get("/api/v2/LUMENKIDS/profiles/NorthCable", client.headers))
        #expect(kids.profile("NorthCable")?["type"] == "degraded")
    }

    @Test func `a rule ends when its time is over, or when it is switched off`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        func isDegraded() -> Bool {
            client.send(client.get("profiles/NorthCable")).profile("NorthCable")?["type"] == "degraded"
        }
        try fixture.control("degradation", ["rule": "AuthNAll", "provider": "NorthCable", "duration": "1h"])
        fixture.clock.advance(.milliseconds(3_599_999))
        #expect(isDegraded())
        fixture.clock.advance(.milliseconds(1))
        #expect(!isDegraded())
        try fixture.control("degradation", ["name": "north-cable-login-down", "active": true])
        #expect(isDegraded())
        try fixture.control("degradation", ["rule": "none", "provider": "NorthCable"])
        #expect(!isDegraded())
    }

    @Test func `decisions from a rule are not stored after the rule`() throws {
        let client = try client("AuthNAll", loggedIn: "noor")
        #expect(client.authorize(["lumen-sports-1"]).mediaToken != nil)
        try client.fixture.control("degradation", ["rule": "none", "provider": "NorthCable"])
        #expect(client.authorize(["lumen-sports-1"]).itemError?["code"] == "authorization_denied_by_mvpd")
        try client.fixture.control("degradation", ["rule": "AuthZAll", "provider": "NorthCable"])
        #expect(client.authorize(["lumen-sports-1"]).mediaToken != nil, "the rule overrides a stored denial")
    }
}
