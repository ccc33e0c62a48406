// Tests a look at the pages of a login: the one request of each page, and the faults that are reported.

import AccessEnabler
import PassTestKit
import PassTestTools
import Testing

@testable import PassBackend

@Suite("rpc.md §7: doctor looks at the pages of a login") struct LoginPageTests {
    private static let page = "https://tv.example/activate?brand=1#top"

    private func look(
        _ box: Box, at address: String = page, named setting: String? = "activation-url"
    ) async -> ServiceTrouble? {
        let deadline = box.clock.boot.advanced(by: .seconds(5))
        return await box.backend.parts.trouble(ofPage: address, named: setting, until: deadline)
    }

    @Test(arguments: [200, 204, 301, 302, 400, 401, 403, 405, 429]) func `a page that exists is no trouble`(
        status: Int
    ) async throws {
        let box = try Box { _, _ in .headed(status, "<html></html>", ["Location": "https://other.example/"]) }
        #expect(await look(box) == nil)
        let request = try #require(box.service.requests.first)
        #expect(box.service.requests.count == 1, "it follows no redirect")
        #expect(request.url.text == "https://tv.example/activate?brand=1" && request.method == .get)
        #expect(request.headers.fields.isEmpty && request.body.isEmpty)
        #expect(box.sent.elements.isEmpty && box.backend.parts.contact == .never, "it is no request to the service")
    }

    private static let troubles: [(String, ScriptedService.Reply, String, String)] = [
        ("404", .answer(404, ""), "there is no such page (status 404)", "compare activation-url with"),
        ("410", .answer(410, ""), "there is no such page (status 410)", "the page's operator"),
        ("503", .answer(503, ""), "the page answered with an error (503)", "the operator of the page"),
        ("511", .answer(511, ""), "a captive portal answers", "Is the box in a hotel or on guest Wi-Fi?"),
        ("no name", .fault(.dns), "cannot find the address of the page", "check activation-url"),
        ("no port", .fault(.connect), "the page does not accept connections", "host and port of activation-url"),
        ("expired", .fault(.tls(.expired)), "the page's certificate has expired", "the page's operator"),
        (
            "a portal with TLS", .fault(.tls(.unknownIssuer)), "does not trust the issuer",
            "ask its staff to admit the box. Otherwise, the"
        ),
        ("another portal", .fault(.tls(.wrongHost)), "another host", "Is the box in a hotel or on guest Wi-Fi?"),
    ]

    @Test(arguments: troubles) func `each fault names the page and its setting`(
        name: String, reply: ScriptedService.Reply, reason: String, remedy: String
    ) async throws {
        let trouble = try #require(await look(try Box { _, _ in reply }))
        #expect(trouble.reason.contains(reason), "\(trouble.reason)")
        #expect(trouble.remedy.contains(remedy), "\(trouble.remedy)")
        for text in [trouble.reason, trouble.remedy] {
            #expect(!text.contains("the service") && !text.contains("[backend] origin"), "\(text)")
        }
    }

    @Test func `for the host of a link, no status counts, and a host that does not answer may answer phones`()
        async throws
    {
        for status in [200, 404, 500] {
            let box = try Box { _, _ in .answer(status, "") }
            #expect(await look(box, at: "https://p.example", named: nil) == nil)
        }
        let box = try Box { _, _ in .fault(.tls(.expired)) }
        #expect(await look(box, at: "https://p.example", named: nil)?.reason == "the page's certificate has expired")
        #expect(box.service.requests.map(\.url.text) == ["https://p.example/"])
        for fault in [HTTPFault.timeout(wasSent: true), .timeout(wasSent: false), .disconnected] {
            let box = try Box { _, _ in .fault(fault) }
            #expect(await look(box, at: "https://p.example", named: nil)?.isOnlyHere == true, "\(fault)")
            #expect(await look(box)?.isOnlyHere == true, "\(fault)")
        }
    }

    @Test func `of a large page, only the beginning is read`() async throws {
        let box = try Box { _, _ in .answer(200, "") }
        #expect(await look(box) == nil)
        #expect(box.service.requests.map(\.maxBodySize) == [64 << 10])
    }

    @Test func `pages without TLS on other machines are not looked at, and this is said`() async throws {
        let box = try Box { _, _ in .fault(.dns) }
        let trouble = try #require(await look(box, at: "http://192.168.1.7/activate"))
        #expect(trouble.isOnlyHere && trouble.reason == "passd opens pages of other machines only with https")
        #expect(trouble.remedy.contains("set activation-url to an address with https"))
        #expect(box.service.requests.isEmpty)
    }

    @Test func `a page that never answers is reported at the deadline`() async throws {
        let box = try Box { _, _ in .held }
        async let trouble = look(box)
        await eventually { box.service.requests.count == 1 }
        box.clock.advance(by: .seconds(5))
        #expect(await trouble?.reason == "the page did not answer in time")
        async let other = look(box, at: "https://p.example", named: nil)
        await eventually { box.service.requests.count == 2 }
        box.clock.advance(by: .seconds(5))
        #expect(await other?.isOnlyHere == true)
    }
}
