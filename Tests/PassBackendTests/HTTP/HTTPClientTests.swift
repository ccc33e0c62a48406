// Tests the client with correct servers, and the bytes that it sends.

import Testing

@testable import PassBackend

extension HTTPConfiguration {
    /// Limits that no test reaches by accident on a busy machine.
    static var patient: HTTPConfiguration {
        var configuration = HTTPConfiguration(userAgent: "passd-tests/1")
        (configuration.connectTimeout, configuration.requestTimeout) = (.seconds(30), .seconds(60))
        (configuration.minRate, configuration.slowTime) = (1, .seconds(60))
        return configuration
    }
}

extension Origin {
    func url(_ segments: [String]) -> ServiceURL {
        ServiceURL(origin: self, target: "/" + segments.map(percentEncoded).joined(separator: "/"))
    }
}

extension RawServer {
    func url(_ segments: String...) throws -> ServiceURL {
        try Origin("http://127.0.0.1:\(port)").url(segments)
    }
}

@Suite("rest-v2.md §3: calls on the wire") struct HTTPClientTests {
    @Test func `an answer is complete, with its headers and the service's clock`() async throws {
        let server = try RawServer.answering { _ in
            answer("{\"a\":1}", ["date: Sun, 06 Nov 1994 08:49:37 GMT", "X-One: 1", "x-one: 2", "Empty:"])
        }
        defer { server.stop() }
        let response = try await HTTPClient(.patient).send(HTTPRequest(.get, server.url("api", "v2")))
        #expect(response.status == 200)
        #expect(response.body == Array("{\"a\":1}".utf8))
        #expect(response.headers["X-ONE"] == "1")
        #expect(response.headers["Empty"] == "")
        #expect(response.date == 784_111_777_000)
    }

    @Test func `a GET has only the given header fields and the host, and no fields from libcurl`() async throws {
        let server = try RawServer.answering { _ in answer("") }
        defer { server.stop() }
        let headers: HTTPHeaders = [
            "Accept": "application/json", "AP-Device-Identifier": "fingerprint YQ==", "X-None": "",
        ]
        _ = try await HTTPClient(.patient).send(HTTPRequest(.get, server.url("a b", "ä/?#%"), headers: headers))
        let request = try #require(server.requests.first)
        #expect(request.line == "GET /a%20b/%C3%A4%2F%3F%23%25 HTTP/1.1")
        #expect(
            request.headers == [
                "Host: 127.0.0.1:\(server.port)", "User-Agent: passd-tests/1", "Accept: application/json",
                "AP-Device-Identifier: fingerprint YQ==", "X-None:",
            ])
    }

    @Test func `a form is a POST with escaped fields`() async throws {
        let server = try RawServer.answering { _ in answer("") }
        defer { server.stop() }
        let form = formEncoded([("grant_type", "client credentials"), ("left", nil), ("id", "a+b&c=ü")])
        _ = try await HTTPClient(.patient).send(
            HTTPRequest(
                .post, server.url("o", "client", "token"), headers: ["Content-Type": formType], body: Array(form.utf8)))
        let request = try #require(server.requests.first)
        #expect(request.line == "POST /o/client/token HTTP/1.1")
        #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
        #expect(
            String(decoding: request.body, as: UTF8.self) == "grant_type=client%20credentials&id=a%2Bb%26c%3D%C3%BC")
        #expect(request.header("Expect") == nil)
    }

    @Test(arguments: [HTTPRequest.Method.post, .delete]) func `a request without a body is sent without a body`(
        method: HTTPRequest.Method
    ) async throws {
        let server = try RawServer.answering { _ in answer("", status: "204 No Content") }
        defer { server.stop() }
        let response = try await HTTPClient(.patient).send(HTTPRequest(method, server.url("a")))
        #expect(response.status == 204)
        let request = try #require(server.requests.first)
        #expect(request.line == "\(method.rawValue) /a HTTP/1.1")
        #expect(request.body.isEmpty && request.header("Content-Type") == nil)
    }

    @Test func `a header value that would start another header is refused before anything is sent`() async throws {
        let server = try RawServer.answering { _ in answer("") }
        defer { server.stop() }
        for headers: HTTPHeaders in [
            ["A": "b\r\nC: d"], ["A": "b\nC: d"], ["A\r\nC": "d"], ["A:": "d"], ["": "d"], ["A": "\0"],
        ] {
            await #expect(throws: HTTPFault.badHeader) {
                try await HTTPClient(.patient).send(HTTPRequest(.get, server.url("a"), headers: headers))
            }
        }
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: ["301 Moved Permanently", "302 Found", "307 Temporary Redirect"])
    func `redirects are returned, not followed (§20)`(status: String) async throws {
        let server = try RawServer.answering { _ in answer("", status: status, ["Location: /elsewhere"]) }
        defer { server.stop() }
        let response = try await HTTPClient(.patient).send(HTTPRequest(.get, server.url("a")))
        #expect(response.status == Int(status.prefix(3)))
        #expect(response.headers["Location"] == "/elsewhere")
        #expect(server.requests.count == 1)
    }

    @Test func `a 429 with HTML is returned like any other answer (§15)`() async throws {
        let server = try RawServer.answering { _ in answer("<html>", status: "429 Too Many Requests") }
        defer { server.stop() }
        #expect(try await HTTPClient(.patient).send(HTTPRequest(.get, server.url("a"))).status == 429)
    }

    @Test func `cookies are not stored`() async throws {
        let server = try RawServer.answering { _ in answer("", ["Set-Cookie: a=b; Path=/"]) }
        defer { server.stop() }
        let client = HTTPClient(.patient)
        for _ in 0..<2 { _ = try await client.send(HTTPRequest(.get, server.url("a"))) }
        #expect(server.requests.allSatisfy { $0.header("Cookie") == nil })
    }

    @Test func `an interim answer leaves no headers behind`() async throws {
        let server = try RawServer.answering { _ in
            "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + answer("x", ["B: c"])
        }
        defer { server.stop() }
        let response = try await HTTPClient(.patient).send(HTTPRequest(.get, server.url("a")))
        #expect(response.status == 200)
        #expect(response.headers["Link"] == nil && response.headers["B"] == "c")
    }
}
