// Tests the behaviour of the real service, known from working clients, where it differs from the vendor's pages. The
// switch `strict` demands the pages' behaviour. Each name begins with the number of the evidence.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("what working clients do") struct EvidenceTests {
    private static func strict(_ client: TestClient) throws -> TestClient {
        let state = client.fixture.sandbox.withWorld { world, _ in world.state }
        let fixture = try SandboxFixture { $0.settings.strict = true }
        fixture.sandbox.withWorld { world, _ in world.state = state }
        return TestClient(client, on: fixture)
    }

    @Test func `E1: the description of the device may be missing, unless the service is strict`() throws {
        let lenient = try TestClient(SandboxFixture())
        let strict = try Self.strict(lenient)
        let statement = try lenient.fixture.statement()
        let calls: [(TestClient) -> Request] = [
            { $0.get("profiles").without(header: "X-Device-Info") },
            { $0.post("sessions", form: []).without(header: "X-Device-Info") },
            { _ in
                .post(
                    "/o/client/register", json: ["software_statement": .string(statement), "redirect_uri": "lumentv:x"])
            },
            {
                .post(
                    "/o/client/token",
                    form: [
                        Field("client_id", $0.clientID), Field("client_secret", $0.secret),
                        Field("grant_type", "client_credentials"),
                    ])
            },
        ]
        for (number, call) in calls.enumerated() {
            #expect(lenient.send(call(lenient)).status < 300, "\(number)")
            #expect(strict.send(call(strict)).status == 400, "\(number)")
        }
        let bent = lenient.get("profiles").with(header: "X-Device-Info", "%%%")
        #expect(lenient.send(bent).code == "invalid_header_device_info", "an existing description must be readable")
    }

    @Test func `E1: the description may also be missing on the older interface`() throws {
        let lenient = try V1Client(SandboxFixture())
        try lenient.logIn()
        let strict = try V1Client.strict()
        let call = lenient.request("GET", "/api/v1/checkauthn").without(header: "X-Device-Info")
        #expect(lenient.send(call).status == 200)
        let code = lenient.codeRequest().without(header: "X-Device-Info")
        #expect(lenient.send(code).status == 201)
        #expect(strict.send(strict.codeRequest().without(header: "X-Device-Info")).status == 400)
    }

    @Test func `E2: format and token may be in the form`() throws {
        let client = try V1Client(SandboxFixture())
        let form = client.previewForm() + [Field("format", "json"), Field("access_token", client.client.token)]
        let bare = [Field("Content-Type", "application/x-www-form-urlencoded")]
        let wrong = client.send(
            .post("/api/v1/authenticate/freepreview", form: form.filter { $0.name != "mso_id" }, bare))
        #expect(wrong.status == 400)
        #expect(wrong.header("Content-Type")?.hasPrefix("application/json") == true)
        #expect(client.send(.post("/api/v1/authenticate/freepreview", form: form, bare)).status < 300)
        let strict = try V1Client.strict()
        #expect(strict.send(.post("/api/v1/authenticate/freepreview", form: form, bare)).status == 401)
    }

    @Test(arguments: [
        ("lumentv.example", true), ("LUMENTV.example", true), ("www.lumentv.example", true),
        ("https://lumentv.example", true), ("https://www.lumentv.example/path?x=y", true),
        ("http://evil.example/?.lumentv.example", false), ("http://evil.example#.lumentv.example", false),
        (".lumentv.example", false), ("evil-lumentv.example", false), ("lumentv.example.evil", false),
        ("lumentv .example", false), (" lumentv.example", false), ("lumentv.example\u{0}", false),
        ("https://lumentv.example@evil.example/", false), ("lumentv.example:", false),
        ("ftp://lumentv.example/", false),
        ("", true),
    ]) func `E3: a domain may be an address, and is compared as a host name`(domain: String, isTaken: Bool) throws {
        let client = try TestClient(SandboxFixture())
        let answer = client.send(client.post("sessions", form: [Field("domainName", domain)]))
        #expect((answer.status == 200) == isTaken)
        #expect(isTaken || answer.code == "invalid_parameter_domain_name")
        let older = try V1Client(SandboxFixture())
        var query = V1Client.authenticate(try older.code())
        query = query.with("domain_name", domain)
        #expect((older.authenticate(query).status == 302) == (isTaken && !domain.isEmpty))
    }

    @Test func `E4: unknown fields in a registration or a token request are ignored, unless the service is strict`()
        throws
    {
        let client = try TestClient(SandboxFixture())
        let strict = try Self.strict(client)
        let info = [Field("X-Device-Info", Request.deviceInfo)]
        let registration = Request.post(
            "/o/client/register",
            json: [
                "software_statement": .string(try client.fixture.statement()), "redirect_uri": "lumentv:x",
                "client_name": "TV", "grant_types": ["client_credentials"],
            ], info)
        #expect(client.send(registration).status == 201)
        #expect(strict.send(registration).status == 400)
        let token = Request.post(
            "/o/client/token",
            form: [
                Field("client_id", client.clientID), Field("client_secret", client.secret),
                Field("grant_type", "client_credentials"), Field("scope", "api:client:v2"),
            ], info)
        #expect(client.send(token).status < 300)
        #expect(strict.send(token).status == 400)
    }

    @Test func `E6: for some providers S4 answers with a form that submits itself, for others with a redirect`() throws
    {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        func open(_ mvpd: String) throws -> Response {
            let code = try #require(client.openSession(TestClient.loginForm(mvpd)))
            return fixture.send(.get("/api/v2/authenticate/LUMENTV/" + code))
        }
        #expect(try open("NorthCable").status == 302)
        let page = try open("BeaconTV")
        #expect(page.status == 200 && page.header("Set-Cookie") == nil)
        let path = try #require(page.text.between("action=\"", "\""))
        let request = try #require(page.text.between("name=\"SAMLRequest\" value=\"", "\""))
        let state = try #require(page.text.between("name=\"RelayState\" value=\"", "\""))
        let form = [Field("SAMLRequest", request), Field("RelayState", state)]
        let login = fixture.send(.post(path, form: form))
        #expect(login.status == 303)
        #expect(fixture.send(.get(login.header("Location") ?? "")).text.contains("Beacon TV"))
        #expect(fixture.send(.post(path, form: [form[0], Field("RelayState", "x")])).status == 400)
        #expect(fixture.send(.post(path, form: [Field("SAMLRequest", "%"), form[1]])).status == 400)
        #expect(fixture.send(.post("/login/none/enter", form: [form[0], Field("RelayState", "none")])).status == 303)
        #expect(fixture.send(.get("/login/none")).status == 410)
    }

    @Test func `E9: a preauthorization omits resources that need no login, an authorization does not`() throws {
        let fixture = try SandboxFixture { catalogue in
            for index in catalogue.programmers.indices {
                for other in catalogue.programmers[index].serviceProviders.indices {
                    catalogue.programmers[index].serviceProviders[other].resources.append(
                        Resource(id: "trailers", title: "Trailers", ratings: [:], isGated: false))
                }
            }
        }
        let client = try TestClient(fixture)
        try client.logIn()
        let hints = client.preauthorize(["lumen-sports-1", "trailers"]).json["decisions"]?.array ?? []
        #expect(hints.map { $0["resource"] } == ["lumen-sports-1"])
        let play = client.authorize(["trailers"]).json["decisions"]?.array ?? []
        #expect(play.map { $0["resource"] } == ["trailers"])
        let older = try V1Client(fixture)
        try older.logIn()
        let query = [Field("resource", "trailers"), Field("resource", "lumen-sports-1")]
        let items = older.get("preauthorize", query).json["resources"]?.array ?? []
        #expect(items.map { $0["id"] } == ["lumen-sports-1"])
    }

    @Test func `E11: two messages have the text that clients search for`() throws {
        let client = try TestClient(SandboxFixture())
        let unknown = client.send(.get("/api/v2/NOBODY/profiles", client.headers))
        #expect(
            unknown.json["message"]?.string?.lowercased()
                .contains("service provider parameter value is missing or invalid") == true)
        let off = try TestClient(SandboxFixture { $0.integrations.removeAll { $0.provider == "NorthCable" } })
        let refused = off.send(off.get("profiles/NorthCable"))
        #expect(refused.code == "invalid_integration")
        #expect(refused.json["message"]?.string?.contains("does not exist or is disabled") == true)
    }

    @Test func `E12: a code can be polled at its other address, which then has the login`() throws {
        let client = try V1Client(SandboxFixture())
        let code = try client.code()
        let poll = Request.get("/api/v1/authenticate/" + code, query: [Field("requestor", "LUMENTV")])
        #expect(client.send(poll).status == 404)
        #expect(client.send(.get("/api/v1/authenticate/ZZZZZZZ", query: [Field("requestor", "LUMENTV")])).status == 404)
        try client.client.completeLogin(code: code, user: "ada", mvpd: "NorthCable")
        let asked = Request.get(
            "/api/v1/authenticate/" + code, query: [Field("requestor", "LUMENTV"), Field("format", "json")])
        let answer = client.send(asked)
        #expect(answer.status == 200 && answer.json["mvpd"] == "NorthCable" && answer.json["requestor"] == "LUMENTV")
        #expect(answer.json["userId"]?.string?.isEmpty == false && answer.json["expires"]?.string != nil)
        // The device reads the same login.
        #expect(client.get("tokens/authn").json == answer.json)
        #expect(client.send(poll).status == 200)
    }

    @Test(arguments: [
        ("/api/v2/LUMENTV/configuration", true), ("/o/client/token", true), ("/reggie/v1/LUMENTV/regcode", true),
        ("/api/v1/checkauthn", true), ("/api/v2/authenticate/LUMENTV/ABC", false), ("/activate", false),
        ("/sandbox/journal", false), ("/api/v1/authenticate", false), ("/login/x", false), ("/", false),
    ]) func `E13: pages of any origin may call the API, but no other path`(path: String, isOpen: Bool) throws {
        let fixture = try SandboxFixture()
        let origin = [Field("Origin", "https://player.example")]
        let asked = fixture.send(
            Request(
                method: "OPTIONS", path: path,
                headers: origin + [Field("Access-Control-Request-Method", "POST")]))
        let called = fixture.send(.get(path, origin))
        for answer in [asked, called] {
            #expect(answer.header("Access-Control-Allow-Origin") == (isOpen ? "*" : nil))
            #expect(answer.header("Access-Control-Allow-Credentials") == nil)
        }
        #expect((asked.status == 204) == isOpen)
        let headers = asked.header("Access-Control-Allow-Headers") ?? ""
        #expect(headers.contains("AP-Device-Identifier") == isOpen && headers.contains("X-Device-Info") == isOpen)
        #expect(fixture.send(.get(path)).header("Access-Control-Allow-Origin") == nil, "the request names no origin")
    }

    @Test func `E13: pages can also read a refusal because of too many calls`() throws {
        let fixture = try SandboxFixture(throttled: true)
        let call = Request.get("/api/v2/LUMENTV/configuration", [Field("Origin", "https://player.example")])
        let answers = (0..<30).map { _ in fixture.send(call) }
        let refused = try #require(answers.first { $0.status == 429 })
        #expect(refused.header("Access-Control-Allow-Origin") == "*")
    }

    @Test func `E16: the answer to a signed call says that registration is needed`() throws {
        let client = try V1Client(SandboxFixture())
        let signed = "GET requestor_id=LUMENTV, nonce=1, signature_method=HMAC-SHA1, request_time=1, signature=x"
        let call = client.request("GET", "/api/v1/checkauthn").with(header: "Authorization", signed)
        let answer = client.send(call)
        #expect(answer.status == 401)
        #expect(answer.json["message"]?.string?.contains("register the app") == true)
    }

    @Test func `E19: a strict V2 refuses the address of the old iOS SDK`() throws {
        let client = try TestClient(SandboxFixture())
        let form = [Field("mvpd", "NorthCable"), Field("redirectUrl", "adobepass://ios.app")]
        #expect(client.send(client.post("sessions", form: form)).status == 200)
        let strict = try Self.strict(client)
        #expect(strict.send(strict.post("sessions", form: form)).code == "invalid_parameter_redirect_url")
        let logout = strict.get("logout/NorthCable", query: [form[1]])
        #expect(strict.send(logout).code == "invalid_parameter_redirect_url")
    }

    @Test(arguments: Settings.DecisionMetadata.allCases)
    func `E20: decisions have the viewer's known metadata, under the configured name`(
        name: Settings.DecisionMetadata
    ) throws {
        let client = try TestClient(SandboxFixture { $0.settings.decisionMetadata = name })
        try client.logIn()
        for answer in [client.authorize(["lumen-sports-1"]), client.preauthorize(["lumen-sports-1", "unknown"])] {
            for decision in answer.decisions {
                #expect(decision[name.rawValue]?["userID"]?["state"] == "plain")
                #expect(Settings.DecisionMetadata.allCases.count { decision[$0.rawValue] != nil } == 1)
            }
        }
        let without = try TestClient(SandboxFixture())
        try without.logIn()
        #expect(without.authorize(["lumen-sports-1"]).decisions.allSatisfy { $0["metadata"] == nil })
    }

    @Test(arguments: [true, false])
    func `E20: sign-on by service token can be switched for each integration`(isOn: Bool) throws {
        let fixture = try SandboxFixture { catalogue in
            for index in catalogue.integrations.indices where catalogue.integrations[index].serviceProvider == "NEWS24"
            {
                catalogue.integrations[index].serviceTokenSignOn = isOn
            }
        }
        let token = Field(
            "AD-Service-Token",
            try #require(try fixture.control("service-token", ["subscriber": "ada"])["serviceToken"]?.string))
        let lumen = try TestClient(fixture)
        try lumen.logIn("ada", mvpd: "NorthCable", [token])
        let news = try TestClient(fixture, app: "news24", serviceProvider: "NEWS24")
        #expect((news.send(news.get("profiles", [token])).json["profiles"]?["NorthCable"] != nil) == isOn)
    }

    @Test func `E23: a device description that is not JSON is accepted, unless the service is strict`() throws {
        let client = try TestClient(SandboxFixture())
        let call = client.get("profiles").with(header: "X-Device-Info", base64("platform=Windows;model=x".utf8))
        #expect(client.send(call).status == 200)
        let strict = try Self.strict(client)
        #expect(strict.send(call).code == "invalid_header_device_info")
    }

    @Test(arguments: [("shared", true), ("other", false)])
    func `E24: a token of the vendor's own service has no audience, and is signed with a shared secret`(
        secret: String, isTaken: Bool
    ) throws {
        let fixture = try SandboxFixture {
            $0.identityServices.append(IdentityService(issuer: "sso", key: .secret("shared")))
        }
        let header: JSONValue = ["alg": "HS256", "typ": "JWT"]
        let claims: JSONValue = ["iss": "sso", "sub": "ada", "exp": .int(fixture.clock.now / 1000 + 600)]
        let signed = base64URL(header.bytes) + "." + base64URL(claims.bytes)
        let token = Field(
            "AD-Service-Token", signed + "." + base64URL(hmacSHA256(signed.utf8, key: Array(secret.utf8))))
        let lumen = try TestClient(fixture)
        try lumen.logIn("ada", mvpd: "NorthCable", [token])
        let elsewhere = try TestClient(fixture, app: "news24", serviceProvider: "NEWS24", device: "kitchen")
        #expect((elsewhere.send(elsewhere.get("profiles", [token])).json["profiles"]?["NorthCable"] != nil) == isTaken)
    }

    @Test func `E25: a strict service throttles S4 together with the calls`() {
        #expect(Throttle.covers("/api/v2/authenticate/LUMENTV/K7Q2M4X", strict: true))
        #expect(!Throttle.covers("/api/v2/authenticate/LUMENTV/K7Q2M4X", strict: false))
    }

    @Test func `E26: addresses must be registered, unless a setting says otherwise`() throws {
        let form = [Field("mvpd", "NorthCable"), Field("redirectUrl", "https://elsewhere.example/done")]
        let client = try TestClient(SandboxFixture())
        #expect(client.send(client.post("sessions", form: form)).code == "invalid_parameter_redirect_url")
        let lax = try TestClient(SandboxFixture { $0.settings.anyRedirect = true })
        #expect(lax.send(lax.post("sessions", form: form)).status == 200)
    }
}
