// Tests the rules for every page. Text from outside is never markup, no link leads to another host, and the page is
// accessible.

import PassJSON
import Testing

@testable import PassSandbox

@Suite struct PageSafetyTests {
    /// Every kind of page, with a name for the report. Pages without a name in their address come from the table.
    private func allPages(_ fixture: PageFixture) -> [(String, Response)] {
        let code = fixture.code()
        let over = LoginInBrowser(fixture, fixture.authenticate(fixture.completeCode("http://lumentv.example/done")))
        var pages = pageEndpoints.compactMap { endpoint -> (String, Response)? in
            guard endpoint.method == "GET", let path = endpoint.plainPath else { return nil }
            let answer = fixture.send(.get(path))
            return answer.isPage ? (path, answer) : nil
        }
        pages += [
            ("confirmation", open(fixture, fixture.code())),
            ("choice", fixture.activate(fixture.code())), ("wrong code", fixture.activate("ZZZZZZZ")),
            ("old code", fixture.activate(code)), ("over S4", over.page), ("wrong password", over.submit("ada", "no")),
            ("gone", fixture.send(.get("/login/x"))),
            ("not found", fixture.send(.get("/nothing", [Field("Accept", "text/html")]))),
            ("S4 problem", fixture.authenticate("ZZZZZZZ")),
            (
                "sign-out",
                fixture.send(
                    .get(
                        "/adobe-services/logout",
                        query: [Field("requestor_id", "LUMENTV"), Field("mso_id", "BeaconTV")]))
            ),
        ]
        let fresh = fixture.code()
        for provider in ["NorthCable", "AlpenTel", "BeaconTV"] {
            let login = fixture.login(fresh, provider)
            pages.append(("login at \(provider)", login.page))
            pages.append(("wrong at \(provider)", login.submit("ada", "no")))
            pages.append(("cancel at \(provider)", fixture.send(.get(login.path + "/cancel"))))
        }
        return pages
    }

    @Test func `every address of the table is among these pages and assets`() throws {
        let fixture = try PageFixture()
        _ = allPages(fixture)
        let visited = fixture.visits.pages + Self.assets.map(\.0)
        for endpoint in pageEndpoints where endpoint.method == "GET" {
            let isVisited = visited.contains { path in
                endpoint.match(Array(path.split(separator: "/", omittingEmptySubsequences: false).dropFirst())) != nil
            }
            #expect(isVisited, "\(endpoint.path)")
        }
    }

    private func open(_ fixture: PageFixture, _ code: String) -> Response {
        fixture.send(.get("/activate", query: [Field("code", code)]))
    }

    @Test func `every page forbids all browser features that it does not need`() throws {
        for (name, page) in allPages(try PageFixture()) {
            let policy = page.header("Content-Security-Policy") ?? ""
            for rule in [
                "default-src 'none'", "style-src 'self'", "img-src 'self'", "script-src 'self'", "form-action 'self'",
                "base-uri 'none'", "frame-ancestors 'none'",
            ] { #expect(policy.contains(rule), "\(name)") }
            #expect(!policy.contains("unsafe"), "\(name)")
            #expect(page.header("X-Content-Type-Options") == "nosniff", "\(name)")
            #expect(page.header("Referrer-Policy") == "same-origin", "\(name)")
            #expect(page.header("Cache-Control") == "no-store", "\(name)")
            #expect(page.header("Content-Type") == "text/html;charset=utf-8", "\(name)")
        }
    }

    @Test func `no page has an inline style or script, or names another host`() throws {
        for (name, page) in allPages(try PageFixture()) {
            #expect(!page.text.contains(" style="), "\(name)")
            #expect(!page.text.contains("<style"), "\(name)")
            #expect(!page.text.contains("HTML(text"), "\(name)")
            #expect(page.text.pieces("<script", "</script>").allSatisfy { $0.hasSuffix("defer>") }, "\(name)")
            #expect(page.text.firstMatch(of: /\son[a-z]+=/) == nil, "\(name)")
            let foreign = page.text.replacing(SandboxFixture.origin, with: "")
            #expect(!foreign.contains("http://") && !foreign.contains("https://"), "\(name)")
            for attribute in ["href=\"", "src=\"", "action=\""] {
                for address in page.text.pieces(attribute, "\"") {
                    #expect(
                        address.hasPrefix("/") && !address.hasPrefix("//") || address == "#main", "\(name): \(address)")
                }
            }
        }
    }

    @Test func `every page can be used with a screen reader`() throws {
        for (name, page) in allPages(try PageFixture()) {
            let text = page.text
            #expect(text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\""), "\(name)")
            for landmark in ["<header", "<main id=\"main\"", "<footer", "<h1>"] {
                #expect(text.ranges(of: landmark).count == 1, "\(name): \(landmark)")
            }
            #expect(text.ranges(of: " autofocus").count <= 1, "\(name)")
            let ids = text.pieces(" id=\"", "\"")
            #expect(Set(ids).count == ids.count, "\(name)")
            for input in text.pieces("<input", ">") where !input.contains("type=\"hidden\"") {
                let id = input.between(" id=\"", "\"") ?? "?"
                #expect(text.contains("<label for=\"\(id)\">"), "\(name): \(id)")
            }
            for image in text.pieces("<img", ">") { #expect(image.contains(" alt=\""), "\(name)") }
            for described in text.pieces("aria-describedby=\"", "\"").flatMap({ $0.split(separator: " ") }) {
                #expect(ids.contains(String(described)), "\(name): \(described)")
            }
            if page.status >= 400 { #expect(text.contains("role=\"alert\""), "\(name)") }
        }
    }

    @Test func `a program that asks for JSON gets the page's text and the fields of its form`() throws {
        let fixture = try PageFixture()
        for (name, page) in allPages(fixture) {
            let text = page.text
            let json = page.negotiated(.get("/", [Field("Accept", "application/json")])).json
            #expect(json["heading"]?.string == page.heading, "\(name)")
            #expect((json["problem"] != nil) == text.contains("role=\"alert\""), "\(name)")
            #expect(json["form"]?["action"]?.string == text.between("action=\"", "\""), "\(name)")
            let inputs = text.pieces("<input", ">").map {
                ($0.between(" name=\"", "\""), $0.contains("type=\"hidden\""))
            }
            let hidden = inputs.filter(\.1).map(\.0)
            #expect(json["form"]?["fields"]?.members?.map(\.name) ?? [] == hidden, "\(name)")
            #expect(json["form"]?["asks"]?.array?.map(\.string) ?? [] == inputs.filter { !$0.1 }.map(\.0), "\(name)")
            let choices = text.pieces("<button type=\"submit\" name=\"mvpd\" value=\"", "\"")
            #expect(json["form"]?["providers"]?.array?.map(\.string) ?? [] == choices, "\(name)")
        }
        let login = fixture.login(fixture.code())
        let asked = fixture.send(.get(login.path, [Field("Accept", "application/json")]))
        #expect(asked.header("Content-Type") == "application/json;charset=utf-8")
        #expect(asked.json["form"]?["fields"]?["csrf"]?.string == login.token)
    }

    @Test(arguments: ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'&\"<>", "K7Q\u{202E}2M4X"])
    func `typed input is echoed as text`(_ typed: String) throws {
        let fixture = try PageFixture()
        let pages = [
            fixture.activate(typed), open(fixture, typed), fixture.activate(fixture.code(), provider: typed),
            fixture.login(fixture.code()).submit(typed, "x"),
            fixture.send(.get("/activated", query: [Field("login", typed)])),
        ]
        for page in pages {
            #expect(!page.text.contains("<script>"))
            #expect(!page.text.contains("<img src=x"))
            #expect(!page.text.contains("'&\""))
            #expect(!page.text.contains("\u{202E}"))
        }
    }

    @Test func `a device's description is shown as text with limited length`() throws {
        let fixture = try PageFixture()
        let model = "<b onload=x>" + String(repeating: "long ", count: 100)
        let info = base64(
            (["model": .string(model), "osName": "Linux", "manufacturer": "\"</p>"] as JSONValue)
                .bytes)
        for page in [
            open(fixture, fixture.code(info: info)), fixture.activate(fixture.code(info: info)),
            fixture.send(.get("/")),
        ] {
            #expect(page.text.contains("&lt;b onload=x&gt;"))
            #expect(!page.text.contains("<b onload"))
            #expect(!page.text.contains(String(repeating: "long ", count: 20)))
        }
    }

    @Test func `names from the catalogue are shown as text`() throws {
        let evil = "</title><script>\"'&"
        let fixture = try PageFixture { catalogue in
            for index in catalogue.providers.indices {
                catalogue.providers[index].name = evil
                catalogue.providers[index].look.slogan = evil
                catalogue.providers[index].look.mark = "<&>"
                for person in catalogue.providers[index].subscribers.indices {
                    catalogue.providers[index].subscribers[person].note = evil
                    catalogue.providers[index].subscribers[person].password = evil
                }
            }
            for programmer in catalogue.programmers.indices {
                for channel in catalogue.programmers[programmer].serviceProviders.indices {
                    catalogue.programmers[programmer].serviceProviders[channel].name = evil
                }
            }
            for app in catalogue.apps.indices { catalogue.apps[app].name = evil }
        }
        for (name, page) in allPages(fixture) {
            #expect(!page.text.contains("<script>"), "\(name)")
            #expect(page.text.ranges(of: "</title>").count == 1, "\(name)")
        }
        let logo = fixture.send(.get("/logos/NorthCable.svg"))
        #expect(logo.text.contains("&lt;&amp;&gt;"))
        #expect(!logo.text.contains("<script>"))
    }

    @Test func `long input is answered but not repeated`() throws {
        let fixture = try PageFixture()
        let long = String(repeating: "A", count: 60_000)
        let login = fixture.login(fixture.code())
        for page in [
            fixture.activate(long), open(fixture, long), fixture.activate(fixture.code(), provider: long),
            login.submit(long, long), fixture.send(.get("/login/" + long)), fixture.send(.get("/logos/" + long)),
            fixture.send(.get("/adobe-services/logout", query: [Field("requestor_id", long), Field("mso_id", long)])),
        ] {
            #expect((400..<500).contains(page.status))
            #expect(page.body.count < 20_000)
        }
    }

    @Test(arguments: [
        ("POST", "/"), ("DELETE", "/activate"), ("PUT", "/activate"), ("POST", "/activated"), ("PUT", "/login/x"),
        ("POST", "/login/x/cancel"), ("POST", "/adobe-services/logout"), ("POST", "/logos/NorthCable.svg"),
        ("POST", "/assets/style.css"),
    ])
    func `a wrong method is refused`(_ method: String, _ path: String) throws {
        let answer = try PageFixture().send(Request(method: method, path: path))
        #expect(answer.status == 405)
        #expect(answer.header("Allow") != nil)
    }

    private static let assets = [
        ("/assets/style.css", "text/css;charset=utf-8"), ("/assets/activate.js", "text/javascript;charset=utf-8"),
        ("/assets/start.js", "text/javascript;charset=utf-8"),
        ("/favicon.ico", "image/svg+xml"), ("/favicon.svg", "image/svg+xml"),
        ("/logos/NorthCable.svg", "image/svg+xml"),
        ("/assets/provider/BeaconTV.css", "text/css;charset=utf-8"),
    ]

    @Test(arguments: assets)
    func `browsers may cache assets`(_ path: String, _ type: String) throws {
        let answer = try PageFixture().send(.get(path))
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == type)
        #expect(answer.header("Cache-Control")?.hasPrefix("public, max-age=") == true)
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        #expect(!answer.text.replacing("http://www.w3.org/2000/svg", with: "").contains("http"))
        #expect(!answer.text.contains("url("))
    }

    @Test(arguments: [
        "/logos/Nobody.svg", "/logos/NorthCable", "/logos/.svg", "/assets/provider/Nobody.css", "/assets/provider/.css",
    ])
    func `assets that do not belong to an entry are not found`(_ path: String) throws {
        #expect(try PageFixture().send(.get(path)).status == 404)
    }

    @Test func `every address in a page leads to an existing page`() throws {
        let fixture = try PageFixture()
        for (name, page) in allPages(fixture) {
            for address in page.text.pieces("href=\"", "\"") + page.text.pieces("src=\"", "\"")
            where address.hasPrefix("/") {
                let path = String(address.prefix { $0 != "?" && $0 != "#" })
                guard !path.hasPrefix("/login/") else { continue }
                #expect(fixture.send(.get(path)).status == 200, "\(name): \(address)")
            }
        }
    }

    /// `helpUrl` of the enhanced errors. Contract: rest-v2.md §6.1.
    @Test(arguments: ErrorCode.allCases)
    func `every error code is explained`(_ code: ErrorCode) throws {
        let page = try PageFixture().send(.get("/errors"))
        let entry = page.text.between("id=\"\(code.rawValue)\"", "</div>") ?? ""
        #expect(entry.contains("Status \(code.status) "))
        #expect(entry.contains("<code>\(code.action)</code>"))
    }

    @Test func `the start page shows developers all pages and controls`() throws {
        let fixture = try PageFixture()
        let code = fixture.code("LUMENTV", [Field("mvpd", "BeaconTV")])
        let page = fixture.send(.get("/")).text
        for expected in [
            "/sandbox/statement -H", #"{"app": "lumen-tv"}"#,
            "<code>ada</code> with password <code>lovelace</code>",
            "All channels: the everyday case", "<code>lumen-sports-1</code> Lumen Sports 1 · VCHIP TV-G",
            "Lumen Trailers · free: plays without a login",
            "Has lumen-kids, lumen-movies, lumen-sports-1, news24-archive, news24-live",
            "north-cable-blackout", "/sandbox/journal", "revoked",
            "/activate?code=\(code)", "with Beacon TV", "30 min left", SandboxFixture.origin + "/o/client/register",
        ] { #expect(page.contains(expected), "\(expected)") }
    }

    @Test func `the command on the start page for switching a rule on works`() throws {
        let fixture = try PageFixture()
        let page = fixture.send(.get("/")).text
        let body = try #require(page.between("-d &#39;{&quot;name", "&#39;") ?? page.between("-d '{\"name", "'"))
        let json = try JSONValue.read("{\"name" + body.replacing("&quot;", with: "\""))
        #expect(fixture.send(.post("/sandbox/degradation", json: json)).status == 200)
        #expect(fixture.send(.get("/")).text.contains("<span class=\"tag good\">on</span>"))
    }

    @Test(arguments: [
        ("#000000", "#ffffff", 21.0), ("#ffffff", "#ffffff", 1.0), ("#767676", "#ffffff", 4.54),
        ("#0b4f8a", "#ffffff", 8.40),
    ])
    func `contrast is calculated as in WCAG`(_ one: String, _ other: String, _ ratio: Double) throws {
        let contrast = try #require(Colour(one)).contrast(with: try #require(Colour(other)))
        #expect(abs(contrast - ratio) < 0.02)
    }

    @Test(arguments: [("#ffffff", "#fefefe"), ("#777777", "#808080"), ("#ffe600", "#ffffff"), ("#0b4f8a", "#0b4f8b")])
    func `a provider's text color is readable even if the catalogue's is not`(_ color: String, _ ink: String) throws {
        let look = Provider.Look(color: color, ink: ink, mark: "X", shape: .circle, slogan: "")
        let background = try #require(Colour(color))
        #expect(background.contrast(with: try #require(Colour(look.readableInk))) >= 4.5)
    }

    /// The stylesheet's pairs of text and background colours, light and dark.
    @Test(arguments: [
        ("#171b21", "#f3f5f8"), ("#545e6b", "#f3f5f8"), ("#545e6b", "#ffffff"), ("#1b48b3", "#f3f5f8"),
        ("#ffffff", "#1f4fbf"), ("#a4161a", "#fdeeee"), ("#171b21", "#fdeeee"), ("#17653b", "#ffffff"),
        ("#eef2f6", "#0f1318"), ("#abb5c1", "#0f1318"), ("#abb5c1", "#1a2028"), ("#a5c3ff", "#1a2028"),
        ("#0a1c3f", "#8fb4ff"), ("#ffb3ad", "#3a191b"), ("#eef2f6", "#3a191b"), ("#8fdcae", "#1a2028"),
    ])
    func `text is readable on its background`(_ text: String, _ ground: String) throws {
        #expect(Asset.style.response.text.contains(text) && Asset.style.response.text.contains(ground))
        #expect(try #require(Colour(text)).contrast(with: try #require(Colour(ground))) >= 4.5)
    }

    @Test func `a provider's logo has an address that the configuration can use`() throws {
        let fixture = try PageFixture()
        let provider = try #require(SandboxFixture.shippedCatalogue().provider("AlpenTel"))
        let pages = PagesSite(origin: SandboxFixture.origin)
        #expect(providerLogoURL(provider, pages) == SandboxFixture.origin + "/logos/AlpenTel.svg")
        #expect(fixture.send(.get("/logos/AlpenTel.svg")).text.contains(provider.look.color))
    }
}
