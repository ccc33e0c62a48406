// Tests the checks of typed params beyond their schema.

import PassJSON
import PassProtocol
import Testing

@Suite("rpc.md §4: params")
struct ParamsTests {
    @Test func `a request for QR codes is kept over a restart, and so is its end`() throws {
        var kept = SetOptions.Params()
        for (word, wish) in [("png", QRForm.png), ("none", nil), ("svg", .svg)] as [(JSONValue, QRForm?)] {
            kept.take(over: try SetOptions.Params(params: ["qr": word]))
            kept.take(over: try SetOptions.Params(params: ["callbacks": true]))
            #expect(kept.qr == .some(wish) && kept.json["qr"] == word)
            #expect(try SetOptions.Params(params: kept.json) == kept)
        }
        #expect(throws: SchemaFault.self) { try SetOptions.definition.schema.check(["qr": "gif"]) }
    }

    @Test(
        arguments: [
            (["key": "METADATA_AUTHORIZATION"], "resource"),
            (["key": "METADATA_USER_META", "resource": "r"], "userMetadataKey"),
        ] as [(JSONValue, String)])
    func `getMetadata requires the arguments of its key`(_ params: JSONValue, _ path: String) {
        let fault = #expect(throws: SchemaFault.self) { try GetMetadata.Params(params: params) }
        #expect(fault?.path == path)
    }

    @Test func `a resource has a length limit in every method`() throws {
        let most = AuthorizationQuestion.maxResourceSize
        for (size, isGood) in [(most, true), (most + 1, false)] {
            // The limit is in bytes, not in characters.
            let resource = JSONValue.string(String(repeating: "é", count: size / 2) + (size % 2 == 0 ? "" : "a"))
            let readings: [(String, () throws -> Void)] = [
                ("resource", { _ = try AuthorizationQuestion(params: ["resource": resource]) }),
                (
                    "resource",
                    { _ = try GetMetadata.Params(params: ["key": "METADATA_AUTHORIZATION", "resource": resource]) }
                ),
                (
                    "resources[1]",
                    { _ = try CheckPreauthorizedResources.Params(params: ["resources": ["a", resource]]) }
                ),
                ("resources[1]", { _ = try Preauthorize.Params(params: ["resources": ["a", resource]]) }),
            ]
            for (path, read) in readings {
                if isGood {
                    try read()
                } else {
                    let fault = #expect(throws: SchemaFault.self) { try read() }
                    #expect(fault?.path == path && fault?.expected == "at most \(most) bytes")
                }
            }
        }
    }

    @Test(arguments: ["eyJhIjoxfQ==", "eyJhIjoxfQ", "", "_-8="])
    func `deviceInfo accepts Base64 (access-enabler.md §5.3)`(
        _ text: String
    ) throws {
        #expect(try SetOptions.Params(params: ["deviceInfo": .string(text)]).texts[.deviceInfo] == text)
    }

    @Test(arguments: ["{\"a\": 1}", "a", "ab=", "=", "abc=="]) func `deviceInfo refuses any other text`(_ text: String)
    {
        #expect(throws: SchemaFault.self) { try SetOptions.Params(params: ["deviceInfo": .string(text)]) }
    }

    @Test(arguments: ["LU\nMEN", "\u{0}", "a\u{7F}"])
    func `ruling 29: a requestor that cannot be sent is refused, and the error names the member`(text: String) throws {
        let fault = #expect(throws: SchemaFault.self) {
            try SetRequestor.Params(params: ["requestorID": .string(text)])
        }
        #expect(fault?.path == "requestorID")
    }

    @Test(arguments: ["applicationProfile", "visitorID"], ["a\nb", "\u{0}", "\u{7F}", "x\u{85}"])
    func `ruling 29: an option that cannot be sent is named (access-enabler.md §5.3)`(name: String, text: String) {
        let fault = #expect(throws: SchemaFault.self) {
            try SetOptions.Params(params: .object(JSONObject([(name, .string(text))])))
        }
        #expect(fault?.path == name)
    }

    @Test func `a map that has the same name twice, in different characters, is refused as a whole`() {
        let data = JSONValue.object(JSONObject([("caf\u{E9}", "1"), ("cafe\u{301}", "2")]))
        #expect(throws: SchemaFault.self) { try GetAuthentication.Params(params: ["data": data]) }
        #expect(throws: SchemaFault.self) { try GetAuthorization.Params(params: ["resource": "r", "data": data]) }
    }

    @Test func `missing params have the defaults of the table`() throws {
        #expect(try SetRequestor.Params(params: ["requestorID": ""]) == .init(requestorID: ""))
        #expect(try GetAuthentication.Params(params: [:]) == .init(force: false, data: [:], filter: nil))
        #expect(try CheckPreauthorizedResources.Params(params: ["resources": []]).cache)
        #expect(Subscribe.Params(params: [:]).types == nil)
        #expect(try Hello.Params(params: [:]).version == 1)
    }

    @Test func `a null providerID cancels`() {
        #expect(SetSelectedProvider.Params(params: ["providerID": nil]).providerID == nil)
        #expect(SetSelectedProvider.Params(params: ["providerID": "a"]).providerID == "a")
    }
}
