// Tests the viewer's metadata in a profile. It has only what the integration passes on, with sensitive values encrypted
// for the programmer.

import CCrypto
import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md §9, P1; open-questions.md OQ-21: user metadata")
struct MetadataTests {
    private func attributes(
        _ user: String = "ada", mvpd: String = "NorthCable", channel: String = "LUMENTV",
        _ change: (inout Catalogue) -> Void = { _ in }
    ) throws -> (client: TestClient, attributes: JSONValue) {
        let client = try TestClient(SandboxFixture(change: change), serviceProvider: channel)
        try client.logIn(user, mvpd: mvpd)
        let profile = client.send(client.get("profiles/\(mvpd)")).profile(mvpd)
        return (client, try #require(profile?["attributes"]))
    }

    @Test func `plain values are strings, arrays and objects, and booleans are strings`() throws {
        let found = try attributes().attributes.without("userID", "zip")
        #expect(
            found
                == ([
                    "channelID":
                        .plain(["lumen-kids", "lumen-movies", "lumen-sports-1", "news24-archive", "news24-live"]),
                    "householdID": .plain("nc-house-1001"), "is_hoh": .plain("true"),
                    "language": .plain("en"), "maxRating": .plain(["MPAA": "R", "VCHIP": "TV-MA"]),
                ] as JSONValue))
    }

    @Test func `a channel sees only the metadata that its own integration passes on`() throws {
        let found = try attributes(channel: "LUMENKIDS").attributes
        #expect(found.names == ["householdID", "maxRating", "userID"])
    }

    @Test func `values that the provider does not know are missing, not null`() throws {
        #expect(try attributes("flora").attributes.names == ["channelID", "householdID", "maxRating", "userID"])
        #expect(try attributes("urs", mvpd: "AlpenTel").attributes.names == ["householdID", "userID"])
        #expect(
            try attributes("resi", mvpd: "AlpenTel").attributes.names == ["hba_status", "householdID", "userID"])
    }

    @Test(arguments: RSAPadding.allCases)
    func `an encrypted array is one string, and the programmer's key decrypts it`(_ padding: RSAPadding) throws {
        let (client, attributes) = try attributes { $0.settings.metadataPadding = padding }
        let zip = try #require(attributes["zip"])
        #expect(zip.names == ["state", "value"])
        #expect(zip["state"] == "enc")
        let sealed = try #require(zip["value"]?.string.flatMap(decodeBase64))
        #expect(sealed.count == 256)
        let opened = client.fixture.sandbox.withWorld { world, _ in
            world.state.key(.metadata("LUMEN")).decrypt(sealed, padding: padding)
        }
        #expect(try JSONReader.read(try #require(opened)) == ["98001", "98002"])
    }

    @Test func `the padding is OAEP unless the switch says otherwise`() throws {
        let (client, attributes) = try attributes()
        let sealed = try #require(attributes["zip"]?["value"]?.string.flatMap(decodeBase64))
        let opened = client.fixture.sandbox.withWorld { world, _ in
            world.state.key(.metadata("LUMEN")).decrypt(sealed, padding: .oaep)
        }
        #expect(opened == Array("[\"98001\",\"98002\"]".utf8))
    }

    @Test func `if the programmer gives a key, it is used instead of the sandbox's own`() throws {
        let key = RSAKey(random: SeededRandom(number: 11))
        let (_, attributes) = try attributes { $0.programmers[0].metadataKey = key.publicKey }
        let sealed = try #require(attributes["zip"]?["value"]?.string.flatMap(decodeBase64))
        #expect(key.decrypt(sealed, padding: .oaep) == Array("[\"98001\",\"98002\"]".utf8))
    }

    @Test func `a value that cannot be encrypted has its error, and other values are not affected`() throws {
        let (client, attributes) = try attributes { $0.programmers[0].metadataKey = PublicKey(der: [1, 2, 3]) }
        let zip = try #require(attributes["zip"])
        #expect(zip["state"] == "enc")
        #expect(zip["error"]?["code"] == "invalid_configuration_user_metadata_certificate")
        #expect(zip["error"]?["action"] == "configuration")
        #expect(zip["error"]?["status"] == 500)
        #expect(zip["value"]?.string == nil)
        #expect(attributes["householdID"] == .plain("nc-house-1001"))
        #expect(client.send(client.get("profiles")).status == 200)
    }

    @Test func `the user id is the same for a subscriber on any device, and is never the login name`() throws {
        let fixture = try SandboxFixture()
        func userID(_ user: String, _ device: String) throws -> String {
            let client = try TestClient(fixture, device: device)
            try client.logIn(user)
            let profile = client.send(client.get("profiles")).profile("NorthCable")
            return try #require(profile?["attributes"]?["userID"]?["value"]?.string)
        }
        let ada = try userID("ada", "box-1")
        #expect(try userID("ada", "box-2") == ada)
        #expect(try userID("kim", "box-3") != ada)
        #expect(!ada.contains("ada"))
    }
}

extension RSAKey {
    /// Decrypts as the programmer does. Only the programmer has the private key.
    fileprivate func decrypt(_ ciphertext: [UInt8], padding: RSAPadding) -> [UInt8]? {
        withPointer { key in
            padding.run(key, initialise: EVP_PKEY_decrypt_init, run: EVP_PKEY_decrypt, input: ciphertext)
        } ?? nil
    }
}
