// Tests the sandbox as a foreign service. Its pages have another host and other paths, and every address in its answers
// is absolute.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md §1.3, S1: a foreign service") struct ForeignServiceTests {
    private static let site = PagesSite(origin: "http://localhost:9", foreign: ForeignManners(prefix: "/enter"))

    @Test(arguments: [
        ("/activate", "/enter/link"), ("/activate?code=K7", "/enter/link?code=K7"),
        ("/activated?login=1", "/enter/activated?login=1"), ("/api/v2/authenticate/TV/K7", "/enter/go/TV/K7"),
        ("/login/12/enter", "/enter/login/12/enter"), ("/", "/enter/"),
    ])
    func `each page has another path outside, which leads back to the page`(inner: String, outer: String) {
        #expect(Self.site.outside(inner) == outer)
        #expect(Self.site.inside(outer.upTo("?")) == inner.upTo("?"))
        #expect(Self.site.address(inner) == "http://localhost:9" + outer)
    }

    @Test(arguments: ["https://provider.example/x", "//provider.example", "#main", "data:,"])
    func `other addresses are unchanged`(address: String) { #expect(Self.site.outside(address) == address) }

    @Test(arguments: [
        "/activate", "/enter", "/enter/activate", "/enter/api/v2/TV/sessions", "/enter/sandbox/faults",
        "/enter/o/client/token", "/enter/api/v2/authenticate/TV/K7", "/go/TV/K7",
    ])
    func `other paths do not exist`(path: String) { #expect(Self.site.inside(path) == nil) }

    @Test func `links in a page and a redirect are renamed`() {
        let page = Response.html(#"<a href="/activate?code=1">x</a><img src="/logos/a.svg"><form action="/login/1">"#)
        let text = String(decoding: Self.site.forBrowser(page).body, as: UTF8.self)
        #expect(
            text
                == #"<a href="/enter/link?code=1">x</a><img src="/enter/logos/a.svg"><form action="/enter/login/1">"#)
        #expect(Self.site.forBrowser(.redirect(to: "/activate")).header("Location") == "/enter/link")
        #expect(Self.site.forClient(.redirect(to: "/login/1")).header("Location") == "http://localhost:9/enter/login/1")
    }

    @Test func `S2 supplies the missing parameters of a login, and its page has an absolute address`() throws {
        let client = try TestClient(try Self.fixture())
        let answer = client.send(client.post("sessions", form: [Field("mvpd", "NorthCable")])).json
        let code = try #require(answer["code"]?.string)
        #expect(answer["actionName"] == "resume")
        #expect(answer["url"]?.string == "/api/v2/LUMENTV/sessions/" + code)
        let form = [
            Field("mvpd", "NorthCable"), Field("domainName", "lumentv.example"),
            Field("redirectUrl", "https://lumentv.example/done"),
        ]
        let whole = client.send(client.post("sessions", form: form)).json
        let other = try #require(whole["code"]?.string)
        #expect(whole["url"]?.string == "http://localhost:9/enter/go/LUMENTV/" + other)
    }

    @Test func `the logout page has an absolute address that works in a browser`() throws {
        let fixture = try Self.fixture()
        let client = try TestClient(fixture)
        try client.logIn()
        let answer = client.send(client.get("logout/NorthCable")).json
        let url = try #require(answer["logouts"]?["NorthCable"]?["url"]?.string)
        #expect(
            url == "http://localhost:9/enter/adobe-services/logout?requestor_id=LUMENTV&mso_id=NorthCable")
        var page = Request(method: "GET", path: "/enter/adobe-services/logout")
        page.query = [Field("requestor_id", "LUMENTV"), Field("mso_id", "NorthCable")]
        #expect(fixture.sandbox.answerBrowser(page).status == 200)
    }

    @Test func `this machine is not a registered domain`() throws {
        var catalogue = try SandboxFixture.shippedCatalogue()
        catalogue.forgetThisMachine()
        #expect(catalogue.serviceProvider("LUMENTV")?.domains == ["lumentv.example"])
        #expect(catalogue.apps.allSatisfy { !$0.domains.contains("localhost") })
    }

    /// The answers of servers before 3.9.0.1: rest-v2.md D1.
    @Test func `with empty answers, a denial is an empty answer`() throws {
        let client = try TestClient(try Self.fixture(emptyAnswers: true))
        try client.logIn("noor")
        var answers: Set<String> = []
        for resource in ["lumen-sports-1", "lumen-movies", "lumen-drama", "lumen-x", "x", "xy", "xyz"] {
            let answer = client.authorize([resource])
            answers.insert("\(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        #expect(answers == ["200 {\"decisions\":[]}", "200 ", "200 {}", "204 "])
    }

    private static func fixture(emptyAnswers: Bool = false) throws -> SandboxFixture {
        let fixture = try SandboxFixture {
            $0.settings.foreign = ForeignManners(emptyAnswers: emptyAnswers)
            $0.forgetThisMachine()
        }
        fixture.sandbox.setPagesOrigin("http://localhost:9")
        return fixture
    }

    @Test func `the API has no pages, and the pages' host has no API`() throws {
        let fixture = try Self.fixture()
        let page = Request(method: "GET", path: "/activate")
        #expect(fixture.send(page).status == 404)
        var outer = page
        outer.path = "/enter/link"
        #expect(fixture.sandbox.answerBrowser(outer).status == 200)
        outer.path = "/enter/api/v2/LUMENTV/configuration"
        #expect(fixture.sandbox.answerBrowser(outer).status == 404)
    }
}
