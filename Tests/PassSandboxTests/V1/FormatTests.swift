// Tests JSON and XML: the choice of the format, and that both formats have the same content.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v1.md §3, §4: formats")
struct FormatTests {
    struct Choice: Sendable {
        var suffix = ""
        var format: String?
        var accept: String?
        var isJSON: Bool
    }

    @Test(arguments: [
        Row("nothing", Choice(isJSON: false)), Row("anything", Choice(accept: "*/*", isJSON: false)),
        Row("JSON accepted", Choice(accept: "application/json", isJSON: true)),
        Row("XML accepted", Choice(accept: "application/xml", isJSON: false)),
        Row("JSON before XML", Choice(accept: "application/json, application/xml", isJSON: true)),
        Row("XML before JSON", Choice(accept: "application/xml, application/json", isJSON: false)),
        Row("by quality", Choice(accept: "application/xml;q=0.5, application/json;q=0.9", isJSON: true)),
        Row("refused", Choice(accept: "application/json;q=0, */*", isJSON: false)),
        Row("JSON or anything", Choice(accept: "application/json, */*;q=0.1", isJSON: true)),
        Row("a browser", Choice(accept: "text/html,application/xml;q=0.9,*/*;q=0.8", isJSON: false)),
        Row("neither", Choice(accept: "image/png", isJSON: false)),
        Row("by parameter", Choice(format: "json", isJSON: true)),
        Row("by extension", Choice(suffix: ".json", isJSON: true)),
        Row("unknown parameter", Choice(format: "yaml", accept: "application/json", isJSON: true)),
        Row("parameter over Accept", Choice(format: "xml", accept: "application/json", isJSON: false)),
        Row("extension over parameter", Choice(suffix: ".json", format: "xml", isJSON: true)),
    ])
    func `the extension decides the format, else format, else Accept, else XML`(_ row: Row<Choice>) throws {
        let client = try V1Client(SandboxFixture())
        let choice = row.value
        for path in ["/api/v1/config/LUMENTV", "/api/v1/tokens/authn", "/reggie/v1/LUMENTV/regcode/NOCODE7"] {
            var request = client.request(
                "GET", path + choice.suffix, choice.format.map { [Field("format", $0)] } ?? []
            ).without(header: "Accept")
            if let accept = choice.accept { request = request.with(header: "Accept", accept) }
            let answer = client.send(request)
            let kind = choice.isJSON ? "json" : "xml"
            #expect(answer.header("Content-Type") == "application/\(kind); charset=utf-8", "\(path)")
            if choice.isJSON {
                #expect(answer.json != .null)
            } else {
                #expect(throws: Never.self) { try XMLElement.read(answer.body) }
            }
        }
    }

    @Test(arguments: [
        Row("extension and Accept", Choice(suffix: ".xml", accept: "application/json", isJSON: false)),
        Row("extension and parameter", Choice(suffix: ".xml", format: "json", isJSON: false)),
        Row("parameter and Accept", Choice(format: "xml", accept: "application/json", isJSON: false)),
    ])
    func `strict refuses contradictory selectors`(_ row: Row<Choice>) throws {
        let lenient = try V1Client(SandboxFixture())
        let strict = try V1Client.strict()
        for (client, status) in [(lenient, 200), (strict, 400)] {
            var request = client.request(
                "GET", "/api/v1/config/LUMENTV" + row.value.suffix,
                row.value.format.map { [Field("format", $0)] } ?? []
            ).without(header: "Accept")
            if let accept = row.value.accept { request = request.with(header: "Accept", accept) }
            #expect(client.send(request).status == status)
        }
    }

    /// One call, and the steps that prepare it.
    struct Scene: Sendable {
        var root: String
        var status = 200
        var requestor = "LUMENTV"
        var prepare: @Sendable (V1Client) throws -> Void = { _ in }
        var request: @Sendable (V1Client) throws -> Request
    }

    static let resource = [Field("resource", "lumen-sports-1")]

    static let scenes: [Row<Scene>] = [
        Row("regcode", Scene(root: "regcode", status: 201) { $0.codeRequest([Field("mvpd", "NorthCable")]) }),
        Row(
            "read regcode",
            Scene(root: "regcode") { $0.request("GET", "/reggie/v1/LUMENTV/regcode/\(try $0.code())") }),
        Row("config", Scene(root: "config") { $0.request("GET", "/api/v1/config/LUMENTV") }),
        Row(
            "config of a platform",
            Scene(root: "config") { $0.request("GET", "/api/v1/config/LUMENTV", [Field("deviceType", "tvOS")]) }),
        Row(
            "tokens/authn",
            Scene(root: "authentication", prepare: { try $0.logIn() }) { $0.request("GET", "/api/v1/tokens/authn") }),
        Row(
            "authorize",
            Scene(root: "authorization", prepare: { try $0.logIn() }) {
                $0.request("GET", "/api/v1/authorize", resource)
            }),
        Row(
            "tokens/authz",
            Scene(
                root: "authorization",
                prepare: {
                    try $0.logIn()
                    _ = $0.authorize()
                }
            ) { $0.request("GET", "/api/v1/tokens/authz", resource) }),
        Row(
            "tokens/media",
            Scene(
                root: "play",
                prepare: {
                    try $0.logIn()
                    _ = $0.authorize()
                }
            ) { $0.request("GET", "/api/v1/tokens/media", resource) }),
        Row(
            "preauthorize",
            Scene(root: "resources", prepare: { try $0.logIn() }) {
                $0.request("GET", "/api/v1/preauthorize", [Field("resource", "lumen-sports-1,nothing")])
            }),
        Row(
            "usermetadata",
            // Encrypted values differ every time, so they are omitted.
            Scene(root: "userMetadata", requestor: "LUMENKIDS", prepare: { try $0.logIn() }) {
                $0.request("GET", "/api/v1/tokens/usermetadata")
            }),
        Row(
            "denial with a text",
            Scene(root: "error", status: 403, prepare: { try $0.logIn("noor") }) {
                $0.request("GET", "/api/v1/authorize", resource)
            }),
        Row("basic error", Scene(root: "error", status: 404) { $0.request("GET", "/api/v1/tokens/authn") }),
        Row(
            "enhanced error",
            Scene(root: "error", status: 404, requestor: "NEWS24") { $0.request("GET", "/api/v1/tokens/authn") }),
        Row("no access token", Scene(root: "error", status: 401) { $0.codeRequest().without(header: "Authorization") }),
        Row("unknown path", Scene(root: "error", status: 404) { $0.request("GET", "/api/v1/identities") }),
        Row("wrong method", Scene(root: "error", status: 405) { $0.request("PUT", "/api/v1/tokens/authz") }),
    ]

    @Test(arguments: scenes)
    func `§3: XML and JSON of every answer have the same content`(_ row: Row<Scene>) throws {
        let scene = row.value
        func answer(_ change: (Request) -> Request) throws -> Response {
            // The same seed gives both the same codes and tokens.
            let app = scene.requestor == "NEWS24" ? "news24-legacy" : "lumen-legacy"
            let client = try V1Client(SandboxFixture(), app: app, requestor: scene.requestor)
            try scene.prepare(client)
            return client.send(change(try scene.request(client)))
        }
        let json = try answer { $0 }
        let xml = try answer(\.inXML)
        #expect(json.status == scene.status, "\(json.text)")
        #expect(xml.status == scene.status)
        #expect(json.header("Content-Type") == "application/json; charset=utf-8")
        #expect(xml.header("Content-Type") == "application/xml; charset=utf-8")
        let element = try XMLElement.read(xml.body)
        #expect(element.name == scene.root)
        #expect(json.json.members?.isEmpty == false)
        // The list of a preauthorization is the outermost element itself.
        expectSame(scene.root == "resources" ? try #require(json.json["resources"]) : json.json, element)
    }

    @Test func `lists in an answer are elements with the contract's names`() throws {
        let client = try V1Client(SandboxFixture())
        let config = try XMLElement.read(client.send(client.request("GET", "/api/v1/config/LUMENTV").inXML).body)
        #expect(Set(config["requestor"]?["mvpds"]?.children.map(\.name) ?? []) == ["mvpd"])
        #expect(Set(config["requestor"]?["domains"]?.children.map(\.name) ?? []) == ["domain"])
        try client.logIn()
        let metadata = try XMLElement.read(
            client.send(client.request("GET", "/api/v1/tokens/usermetadata").inXML).body)
        #expect(metadata["encrypted"]?.children.map(\.name) == ["key"])
        #expect(metadata["encrypted"]?.children.map(\.text) == ["zip"])
    }

    @Test func `§6.8: a denial may contain any text, and stays well-formed`() throws {
        let text = "a & b < c > d \"e\" 'f'\nü 漢 😀\r\n\u{1}\t]]>"
        let client = try V1Client(
            SandboxFixture { catalogue in
                for provider in catalogue.providers.indices where catalogue.providers[provider].id == "NorthCable" {
                    for place in catalogue.providers[provider].subscribers.indices {
                        catalogue.providers[provider].subscribers[place].denialText = text
                    }
                }
            })
        try client.logIn("noor")
        #expect(client.authorize().json["details"]?.string == text)
        let xml = client.send(client.request("GET", "/api/v1/authorize", Self.resource).inXML)
        let clean = text.replacing("\u{1}", with: "\u{FFFD}")
        #expect(try XMLElement.read(xml.body)["details"]?.text == clean)
        #expect(!xml.headers.contains { $0.value.contains("漢") })
    }
}
