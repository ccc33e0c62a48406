// Tests codes: how they are made, read and deleted, and what ends them.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v1.md §6.1, §6.2, §7: registration codes")
struct RegistrationCodeTests {
    @Test func `a new code is returned with its record`() throws {
        let client = try V1Client(SandboxFixture())
        let answer = client.send(client.codeRequest([Field("mvpd", "NorthCable"), Field("deviceType", "stb")]))
        #expect(answer.status == 201)
        #expect(answer.header("Content-Type") == "application/json; charset=utf-8")
        let record = answer.json
        let code = try #require(record["code"]?.string)
        #expect(code.count == 7)
        #expect(code.allSatisfy { "ABCDEFGHJKLMNPQRSTUVWXYZ23456789".contains($0) })
        #expect(record["id"]?.string?.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
        #expect(record["requestor"] == "LUMENTV")
        #expect(record["mvpd"] == "NorthCable")
        let info = try #require(record["info"])
        #expect(info["userAgent"] == "test-box/1.0")
        #expect(info["originalUserAgent"] == "test-box/1.0")
        #expect(info["authorizationType"] == "OAUTH2")
        #expect(info["deviceType"] == "stb")
        #expect(info["registrationURL"] == .string(SandboxFixture.origin + "/activate"))
        expect(
            Response.json(info["sourceApplicationInformation"] ?? .null), 200,
            is: ["id": "lumen-legacy", "name": "Lumen TV (older interface)", "version": "0.4"])
    }

    @Test func `§5.2: the answer has the device id and the device's description in Base64`() throws {
        let client = try V1Client(SandboxFixture())
        let info = try #require(client.send(client.codeRequest()).json["info"])
        #expect(info["deviceId"]?.string.flatMap(decodeBase64) == Array("box-1".utf8))
        let device = try JSONReader.read(try #require(info["deviceInfo"]?.string.flatMap(decodeBase64)))
        #expect(device["model"] == "LTV-200")
        #expect(device["operatingSystem"]?["name"] == "Linux")
        #expect(device["version"]?["major"] == 2)
        #expect(
            device.names == [
                "applicationId", "browser", "connection", "display", "hardware", "model", "operatingSystem", "type",
                "version",
            ])
    }

    @Test(
        arguments: [
            Row("longest", ("36000", 36_000_000)), Row("empty", ("", 1_800_000)), Row("absent", (nil, 1_800_000)),
            Row("one second", ("1", 1000)),
        ] as [Row<(String?, Int64)>])
    func `E15, §6.1, §3: ttl is in seconds, and times are numbers`(_ row: Row<(String?, Int64)>) throws {
        let client = try V1Client(SandboxFixture())
        let answer = client.send(client.codeRequest(row.value.0.map { [Field("ttl", $0)] } ?? []))
        #expect(answer.status == 201)
        let generated = try #require(answer.json["generated"]?.int)
        #expect(generated == TestClock.start)
        #expect(answer.json["expires"]?.int == generated + row.value.1)
    }

    @Test(arguments: ["36001", "0", "-1", "1.5", "abc", "99999999999999999999"])
    func `§6.1: any other ttl is refused`(ttl: String) throws {
        let client = try V1Client(SandboxFixture())
        expect(client.send(client.codeRequest([Field("ttl", ttl)])), basic: 400)
    }

    @Test(arguments: [
        Row("escaped", percentEncoded(Request.deviceInfo)), Row("plain", Request.deviceInfo),
        Row("without padding", String(Request.deviceInfo.prefix { $0 != "=" })),
        // In Base64, `~~~???` becomes a plus sign and a slash.
        Row("with a plus sign", base64(#"{"model":"~~~???>>>","osName":"Linux"}"#.utf8)),
    ])
    func `§5.1: device information is accepted escaped and plain`(_ row: Row<String>) throws {
        let client = try V1Client(SandboxFixture())
        let request = client.codeRequest().with(header: "X-Device-Info", row.value)
        #expect(client.send(request).status == 201)
    }

    @Test func `§5.1: a plus sign in device information is not changed`() throws {
        let client = try V1Client(SandboxFixture())
        let text = base64(#"{"model":"~~~???>>>","osName":"Linux"}"#.utf8)
        try #require(text.contains("+"))
        let answer = client.send(client.codeRequest().with(header: "X-Device-Info", text))
        let info = try #require(answer.json["info"]?["deviceInfo"]?.string.flatMap(decodeBase64))
        #expect(try JSONReader.read(info)["model"] == "~~~???>>>")
    }

    @Test func `strict accepts only the escaped form, and requires the five keys`() throws {
        let client = try V1Client(SandboxFixture())
        let strict = try V1Client.strict()
        let short = base64(#"{"model":"m","osName":"Linux"}"#.utf8)
        #expect(strict.send(strict.codeRequest()).status == 201)
        #expect(client.send(client.codeRequest().with(header: "X-Device-Info", short)).status == 201)
        expect(strict.send(strict.codeRequest().with(header: "X-Device-Info", short)), basic: 400)
    }

    @Test func `parameters may be in the form, the query overrides them, and a contradiction is refused`() throws {
        let client = try V1Client(SandboxFixture())
        let path = "/reggie/v1/LUMENTV/regcode"
        let form = [Field("deviceId", "in-form"), Field("device_info", Request.deviceInfo), Field("ttl", "60")]
        let bare = client.headers.filter { $0.name != "X-Device-Info" }
        var request = Request.post(path, form: form, bare)
        #expect(client.send(request).json["info"]?["deviceId"] == .string(base64("in-form".utf8)))
        request.query = [Field("deviceId", "in-query")]
        #expect(client.send(request).json["info"]?["deviceId"] == .string(base64("in-query".utf8)))
        request.query = [Field("deviceId", "one"), Field("deviceId", "two")]
        expect(client.send(request), basic: 400)
        request.query = [Field("deviceId", "one"), Field("deviceId", "one")]
        #expect(client.send(request).status == 201)
    }

    @Test(arguments: [
        Row("on a registered domain", ("https://lumentv.example/tv", true)),
        Row("below one", ("https://www.lumentv.example/tv", true)),
        Row("elsewhere", ("https://evil.example/tv", false)), Row("no URL", ("lumentv", false)),
    ])
    func `OQ-39: a registration URL is echoed if it is registered`(_ row: Row<(String, Bool)>) throws {
        let client = try V1Client(
            SandboxFixture { $0.programmers[0].serviceProviders[0].registrationURL = "https://lumentv.example/code" })
        let answer = client.send(client.codeRequest([Field("registrationURL", row.value.0)]))
        #expect(
            answer.json["info"]?["registrationURL"]
                == .string(row.value.1 ? row.value.0 : "https://lumentv.example/code"))
    }

    @Test(arguments: [
        Row("unknown provider", [Field("mvpd", "Nobody")]),
        Row("device id twice", [Field("deviceId", "box-2")]),
        Row("contradiction", [Field("ttl", "5"), Field("ttl", "6")]),
    ])
    func `wrong parameters give no code`(_ row: Row<[Field]>) throws {
        let client = try V1Client(SandboxFixture())
        expect(client.send(client.codeRequest(row.value)), basic: 400)
    }

    @Test func `without a provider the record has none, and in strict XML an empty element`() throws {
        let client = try V1Client(SandboxFixture())
        #expect(!client.send(client.codeRequest()).json.names.contains("mvpd"))
        #expect(try XMLElement.read(client.send(client.codeRequest().inXML).body)["mvpd"] == nil)
        let strict = try V1Client.strict()
        #expect(try XMLElement.read(strict.send(strict.codeRequest().inXML).body)["mvpd"]?.text == "")
    }

    @Test func `the record can be read again, in any spelling of the code, until it is deleted`() throws {
        let client = try V1Client(SandboxFixture())
        let made = client.send(client.codeRequest()).json
        let code = try #require(made["code"]?.string)
        for spelling in [code, code.lowercased(), TypedCode.grouped(code)] {
            expect(client.readCode(spelling), 200, is: made)
        }
        let gone = client.send(client.request("DELETE", "/reggie/v1/LUMENTV/regcode/\(code)"))
        #expect((gone.status, gone.body) == (204, []))
        expect(client.readCode(code), basic: 404)
        expect(client.send(client.request("DELETE", "/reggie/v1/LUMENTV/regcode/\(code)")), basic: 404)
    }

    @Test func `the record in XML has its namespace`() throws {
        let client = try V1Client(SandboxFixture())
        let code = try client.code()
        let root = try XMLElement.read(
            client.send(client.request("GET", "/reggie/v1/LUMENTV/regcode/\(code)").inXML).body)
        #expect((root.name, root.namespace) == ("regcode", "model.mvc.reggie.pass.adobe.com"))
        #expect(root["code"]?.text == code)
        #expect(root["code"]?.prefix == "")
    }

    @Test func `a code ends at its expiry or with a newer code, and belongs to its requestor`() throws {
        let client = try V1Client(SandboxFixture())
        let code = try client.code()
        expect(V1Client(client, requestor: "LUMENKIDS").readCode(code), basic: 404)
        client.fixture.clock.advance(.milliseconds(1_799_999))
        #expect(client.readCode(code).status == 200)
        client.fixture.clock.advance(.milliseconds(1))
        expect(client.readCode(code), basic: 404)
        let second = try client.code()
        var other = client
        other.appID = "lumen-app"
        let third = try other.code()
        expect(client.readCode(second), basic: 404)
        #expect(client.readCode(third).status == 200)
        #expect(try V1Client(client.fixture, device: "box-2").code() != third)
        #expect(client.readCode(third).status == 200)
    }

    @Test func `the operator can end codes`() throws {
        let client = try V1Client(SandboxFixture())
        let code = try client.code()
        #expect(try client.fixture.control("expire", ["kind": "code", "id": .string(code)])["ended"] == 1)
        expect(client.readCode(code), basic: 404)
    }

    @Test func `codes of one interface are not visible in the other`() throws {
        let fixture = try SandboxFixture()
        let older = try V1Client(fixture)
        let newer = try TestClient(fixture)
        let olderCode = try older.code()
        let newerCode = try #require(newer.openSession())
        for path in ["sessions/\(olderCode)", "profiles/code/\(olderCode)"] {
            expect(newer.send(newer.get(path)), refuses: 400, "invalid_authentication_session")
        }
        #expect(newer.send(newer.post("sessions/\(olderCode)", form: [])).status == 400)
        #expect(newer.send(.get("/api/v2/authenticate/LUMENTV/\(olderCode)")).status == 400)
        expect(older.readCode(newerCode), basic: 404)
        #expect(older.authenticate(V1Client.authenticate(newerCode)).status == 400)
        #expect(older.readCode(olderCode).status == 200)
    }
}
