// Tests a check of the service without an app. The check sends one request and reports each fault with a remedy.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassBackend

@Suite("rpc.md §7: doctor checks the service itself") struct LookTests {
    @Test(arguments: [(400, "{}"), (401, "{}"), (404, "<html>nothing here</html>"), (405, ""), (200, "{}")])
    func `any answer that may come from the service counts as reachable`(status: Int, body: String) async throws {
        let box = try Box { _, _ in .answer(status, body) }
        try await box.backend.parts.look(until: box.clock.boot.advanced(by: .seconds(5)))
        guard case .reachable = box.backend.parts.contact else {
            Issue.record("\(box.backend.parts.contact)")
            return
        }
        #expect(box.service.requests.count == 1)
    }

    private static let troubles: [(String, ScriptedService.Reply, String)] = [
        (
            "302 to a portal",
            ScriptedService.Reply.headed(302, "", ["Location": "http://portal.hotel.example/login?x=1"]),
            "redirects to portal.hotel.example"
        ),
        ("200 and a page", .answer(200, "<html>Log in to the hotel's network</html>"), "web page"),
        ("511", .answer(511, ""), "a captive portal answers"), ("503", .answer(503, ""), "an error (503)"),
        ("no name", .fault(.dns), "address of the service"), ("no route", .fault(.unreachable), "network"),
        ("no port", .fault(.connect), "accept connections"), ("TLS", .fault(.tls(.wrongHost)), "another host"),
        ("a proxy", .fault(.proxy("cache:3128", .noConnection)), "proxy cache:3128"),
        ("a proxy that refuses", .fault(.proxy("cache:3128", .refused(403))), "refused to connect"),
    ]

    @Test(arguments: troubles) func `each fault is reported with a remedy`(
        name: String, reply: ScriptedService.Reply, words: String
    ) async throws {
        let box = try Box { _, _ in reply }
        try? await box.backend.parts.look(until: box.clock.boot.advanced(by: .seconds(5)))
        guard case .failing(let trouble, _, _, nil) = box.backend.parts.contact else {
            Issue.record("\(box.backend.parts.contact)")
            return
        }
        #expect(trouble.reason.contains(words), "\(trouble.reason)")
        #expect(trouble.remedy.count > 10)
        #expect(box.service.requests.count == 1, "the check is not repeated")
    }

    @Test func `a faulty proxy is named`() async throws {
        var configuration = HTTPConfiguration.patient
        let closed = try RawServer { _ in }
        closed.stop()
        configuration.proxy = "http://127.0.0.1:\(closed.port)"
        let request = HTTPRequest(.get, try Origin("https://service.example").url(["a"]))
        await #expect(throws: HTTPFault.proxy("127.0.0.1:\(closed.port)", .noConnection)) {
            try await HTTPClient(configuration).send(request)
        }
        configuration.proxy = "http://nowhere.invalid:3128"
        await #expect(throws: HTTPFault.proxy("nowhere.invalid:3128", .unknownName)) {
            try await HTTPClient(configuration).send(request)
        }
        let strict = try RawServer { connection in
            _ = connection.read(atLeast: 10)
            connection.send("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        }
        defer { strict.stop() }
        configuration.proxy = "http://127.0.0.1:\(strict.port)"
        await #expect(throws: HTTPFault.proxy("127.0.0.1:\(strict.port)", .refused(407))) {
            try await HTTPClient(configuration).send(request)
        }
    }
}
