// Tests the media token, which a player's backend checks: its contents, its signature, and its single use.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md §10; rest-v1.md §13: media tokens")
struct MediaTokenTests {
    private func permit(_ client: TestClient, _ resource: String = "lumen-sports-1") throws -> String {
        try #require(client.authorize([resource]).mediaToken)
    }

    private func loggedIn(_ user: String = "ada") throws -> TestClient {
        let client = try TestClient(SandboxFixture())
        try client.logIn(user)
        return client
    }

    private func verdict(_ fixture: SandboxFixture, _ token: String, resource: String? = nil) throws -> String? {
        let body = JSONValue.members(["token": .string(token), "resource": resource.map(JSONValue.string)])
        return try fixture.control("verify", body)["result"]?.string
    }

    private func xml(_ token: String) throws -> String {
        let bytes = try #require(decodeBase64(token))
        return try #require(String(validating: bytes, as: UTF8.self))
    }

    private func element(_ name: String, _ text: String) -> String? {
        guard let start = text.place(of: "<\(name)>"), let end = text.place(of: "</\(name)>") else { return nil }
        return String(text[start.upperBound..<end.lowerBound])
    }

    /// Reads the public key from the DER of a certificate, in the seventh part of the certified content.
    private func publicKey(certificate pem: String) throws -> PublicKey {
        let body = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        let der = try #require(decodeBase64(body))
        func contents(_ bytes: ArraySlice<UInt8>) -> (whole: ArraySlice<UInt8>, inner: ArraySlice<UInt8>) {
            let start = bytes.startIndex
            var length = Int(bytes[start + 1])
            var header = 2
            if length > 0x80 {
                let count = length - 0x80
                length = bytes[(start + 2)..<(start + 2 + count)].reduce(0) { $0 << 8 | Int($1) }
                header += count
            }
            return (bytes[start..<(start + header + length)], bytes[(start + header)..<(start + header + length)])
        }
        var rest = contents(contents(der[...]).inner).inner
        for _ in 0..<6 { rest = rest[contents(rest).whole.endIndex...] }
        return PublicKey(der: Array(contents(rest).whole))
    }

    @Test func `a token is a signature and the signed text, which says who may watch what, where and how long`()
        throws
    {
        let client = try loggedIn()
        client.fixture.clock.advance(.milliseconds(77))
        let text = try xml(permit(client))
        #expect(text.hasPrefix("<signatureInfo>"))
        let signature = try #require(element("signatureInfo", text))
        let token = try #require(element("shortAuthorizationToken", text))
        #expect(
            text
                == "<signatureInfo>\(signature)</signatureInfo>"
                + "<shortAuthorizationToken>\(token)</shortAuthorizationToken>")
        #expect(decodeBase64(signature)?.count == 256)
        #expect(element("sessionGUID", token)?.isEmpty == false)
        #expect(element("requestorID", token) == "LUMENTV")
        #expect(element("resourceID", token) == "lumen-sports-1")
        #expect(element("ttl", token) == "420000")
        #expect(element("issueTime", token) == "1795564800077")
        #expect(element("mvpdId", token) == "NorthCable")
        #expect(element("proxyMvpdId", token) == "")
    }

    @Test func `the published certificate verifies the signature over the exact bytes`() throws {
        let client = try loggedIn()
        // Programmers' servers may read the certificate from anywhere.
        var request = Request.get("/sandbox/certificate")
        request.peer = "203.0.113.9"
        let answer = client.send(request)
        #expect(answer.status == 200)
        #expect(answer.text.hasPrefix("-----BEGIN CERTIFICATE-----"))
        let key = try publicKey(certificate: answer.text)
        let text = try xml(permit(client))
        let signature = try #require(element("signatureInfo", text).flatMap(decodeBase64))
        let signed = String(text[try #require(text.place(of: "</signatureInfo>")).upperBound...])
        #expect(key.verifies(signature, of: signed.utf8, by: .rs256))
        #expect(!key.verifies(signature, of: (signed + " ").utf8, by: .rs256))
        let other = RSAKey(random: SeededRandom(number: 5)).publicKey
        #expect(!other.verifies(signature, of: signed.utf8, by: .rs256))
    }

    @Test func `the verifier accepts a token once, and reports its contents`() throws {
        let client = try loggedIn()
        let token = try permit(client)
        let first = try client.fixture.control("verify", ["token": .string(token), "resource": "lumen-sports-1"])
        let session = try #require(first["sessionGUID"])
        #expect(
            first
                == ([
                    "result": "VALID_TOKEN", "resourceID": "lumen-sports-1",
                    "requestorID": "LUMENTV", "mvpdId": "NorthCable", "proxyMvpdId": "",
                    "sessionGUID": session, "issueTime": .int(TestClock.start), "ttl": 420_000,
                ] as JSONValue))
        for _ in 0..<2 { #expect(try verdict(client.fixture, token) == "TOKEN_ALREADY_USED") }
    }

    @Test func `a token is valid for seven minutes, to the millisecond`() throws {
        let client = try loggedIn()
        let (one, two) = (try permit(client), try permit(client))
        client.fixture.clock.advance(.milliseconds(419_999))
        #expect(try verdict(client.fixture, one) == "VALID_TOKEN")
        client.fixture.clock.advance(.milliseconds(1))
        #expect(try verdict(client.fixture, two) == "TOKEN_EXPIRED")
    }

    @Test func `E10: the switch mediaTokenLifetime sets another lifetime, such as five minutes`() throws {
        let client = try TestClient(SandboxFixture { $0.settings.mediaTokenLifetime = .seconds(300) })
        try client.logIn()
        let answer = client.authorize(["lumen-sports-1"])
        #expect(answer.decisions.first?["token"]?["notAfter"] == .int(TestClock.start + 300_000))
        #expect(element("ttl", try xml(try #require(answer.mediaToken))) == "300000")
    }

    @Test func `a token for another resource is refused but not used up`() throws {
        let client = try loggedIn()
        let token = try permit(client)
        #expect(try verdict(client.fixture, token, resource: "lumen-movies") == "INVALID_RESOURCE_ID")
        #expect(try verdict(client.fixture, token, resource: "lumen-sports-1") == "VALID_TOKEN")
    }

    static let broken: [Row<@Sendable (String) -> String>] = [
        .init("an empty text") { _ in "" }, .init("not Base64") { _ in "<token>" },
        .init("Base64 of other data") { _ in base64("hello".utf8) },
        .init("Base64 of data that are not text") { _ in base64([0xFF, 0xFE]) },
        .init("half of the token") { String($0.prefix($0.count / 8 * 4)) },
        .init("without the signature") { text in
            let xml = String(decoding: decodeBase64(text) ?? [], as: UTF8.self)
            return base64(xml[(xml.place(of: "<short")?.lowerBound ?? xml.startIndex)...].utf8)
        },
        .init("with text after it") { text in base64((decodeBase64(text) ?? []) + Array("x".utf8)) },
    ]

    @Test(arguments: broken)
    func `a text without the form of a token is refused as such`(_ row: Row<@Sendable (String) -> String>) throws {
        let client = try loggedIn()
        let token = try permit(client)
        #expect(try verdict(client.fixture, row.value(token)) == "INVALID_TOKEN_FORMAT")
        #expect(try verdict(client.fixture, token) == "VALID_TOKEN", "the valid token is still valid")
    }

    @Test(arguments: ["lumen-sports-1", "LUMENTV", "420000", "1795564800000", "NorthCable"])
    func `a changed byte in the signed text invalidates the signature`(_ field: String) throws {
        let client = try loggedIn()
        let text = try xml(permit(client))
        var bytes = Array(text.utf8)
        let place = text.utf8.distance(
            from: text.startIndex, to: try #require(text.place(of: ">\(field)<")).lowerBound)
        bytes[place + 1] ^= 1
        #expect(try verdict(client.fixture, base64(bytes)) == "INVALID_SIGNATURE")
    }

    @Test func `a changed byte in the signature, and a foreign signature, are refused`() throws {
        let client = try loggedIn()
        let text = try xml(permit(client))
        var signature = try #require(element("signatureInfo", text).flatMap(decodeBase64))
        signature[100] ^= 1
        let signed = text[try #require(text.place(of: "</signatureInfo>")).upperBound...]
        let changed = "<signatureInfo>\(base64(signature))</signatureInfo>\(signed)"
        #expect(try verdict(client.fixture, base64(changed.utf8)) == "INVALID_SIGNATURE")
        let stranger = RSAKey(random: SeededRandom(number: 5)).sign(signed.utf8)
        let forged = "<signatureInfo>\(base64(stranger))</signatureInfo>\(signed)"
        #expect(try verdict(client.fixture, base64(forged.utf8)) == "INVALID_SIGNATURE")
    }

    @Test func `two tokens of the same millisecond differ, and each is valid once`() throws {
        let client = try loggedIn()
        let (one, two) = (try permit(client), try permit(client))
        #expect(one != two)
        #expect(try verdict(client.fixture, one) == "VALID_TOKEN")
        #expect(try verdict(client.fixture, two) == "VALID_TOKEN")
        #expect(try verdict(client.fixture, one) == "TOKEN_ALREADY_USED")
    }

    @Test func `a viewer's tokens have the same session GUID, which differs from other viewers' and contains no name`()
        throws
    {
        let fixture = try SandboxFixture()
        let ada = try TestClient(fixture)
        try ada.logIn("ada")
        let kim = try TestClient(fixture, device: "box-2")
        try kim.logIn("kim")
        func guid(_ client: TestClient, _ resource: String) throws -> String? {
            element("sessionGUID", try xml(permit(client, resource)))
        }
        let first = try #require(try guid(ada, "lumen-sports-1"))
        #expect(try guid(ada, "lumen-movies") == first)
        #expect(try guid(kim, "lumen-sports-1") != first)
        #expect(!first.contains("ada"))
    }

    @Test func `a resource with markup is not changed`() throws {
        let client = try loggedIn()
        let resource = "<rss><channel><title>lumen-sports-1</title><a b=\"c\">&amp;</a></channel></rss>"
        let token = try permit(client, resource)
        #expect(try verdict(client.fixture, token, resource: resource) == "VALID_TOKEN")
    }

    @Test func `permits from a pass or a degradation rule have valid tokens, too`() throws {
        let client = try TestClient(SandboxFixture())
        let pass = try #require(client.authorize(["a"], mvpd: "LumenPreview").mediaToken)
        #expect(element("mvpdId", try xml(pass)) == "LumenPreview")
        #expect(try verdict(client.fixture, pass, resource: "a") == "VALID_TOKEN")
        try client.fixture.control("degradation", ["rule": "AuthNAll", "provider": "NorthCable"])
        #expect(try verdict(client.fixture, permit(client)) == "VALID_TOKEN")
    }

    @Test func `a proxied provider is named together with its proxy`() throws {
        let fixture = try SandboxFixture { catalogue in
            for index in catalogue.providers.indices where catalogue.providers[index].id == "NorthCable" {
                catalogue.providers[index].proxy = "BeaconTV"
            }
        }
        let client = try TestClient(fixture)
        try client.logIn()
        let text = try xml(permit(client))
        #expect(element("mvpdId", text) == "NorthCable")
        #expect(element("proxyMvpdId", text) == "BeaconTV")
        let mvpds = client.send(client.get("configuration")).json["requestor"]?["mvpds"]?.array
        #expect(mvpds?.first?["isProxy"] == true)
    }
}
