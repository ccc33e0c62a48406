// Tests which addresses are accepted.

import Testing

@testable import PassBackend

@Suite("operations.md §2: the origin") struct AddressTests {
    @Test(arguments: [
        ("https://api.example.com", "https://api.example.com"), ("HTTPS://API.Example.com/", "https://api.example.com"),
        ("https://api.example.com:443", "https://api.example.com"),
        ("https://a.example:8443", "https://a.example:8443"),
        ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443"), ("https://192.0.2.1", "https://192.0.2.1"),
        ("http://127.0.0.1:8642", "http://127.0.0.1:8642"), ("http://127.9.9.9", "http://127.9.9.9"),
        ("http://[::1]:80", "http://[::1]"), ("http://localhost:1", "http://localhost:1"),
        ("http://LOCALHOST", "http://localhost"),
    ]) func `accepted origins, and their written form`(text: String, written: String) throws {
        #expect(try Origin(text).description == written)
    }

    @Test(arguments: [
        "http://api.example.com", "http://192.0.2.1", "http://[2001:db8::1]", "http://localhost.example.com",
        "http://127.0.0.1.example.com", "http://127.1", "http://2130706433", "http://0x7f.0.0.1", "http://0.0.0.0",
        "http://[::ffff:127.0.0.1]", "http://127.0.0.1.", "http://localhost.",
    ]) func `plain HTTP is for this machine only`(text: String) {
        #expect(throws: HTTPFault.insecure) { try Origin(text) }
    }

    @Test(arguments: [
        "", "api.example.com", "https:", "https://", "https:///", "ftp://a.example", "file:///etc/passwd",
        "https://a.example/path", "https://a.example?x", "https://a.example#x", "https://u@a.example",
        "https://u:p@a.example", "https://a.example:0", "https://a.example:65536", "https://a.example:",
        "https://a.example:+1",
        "https://a example", "https://a.example\\b", "https://a.example\n", "https://[::1", "https://[::1]x",
        "https://[a.example]", "https://bücher.example", "https://a.example:1:2", "https://%61.example",
        "https://a.example//",
    ]) func `other texts are not an origin`(text: String) {
        #expect(throws: HTTPFault.badURL) { try Origin(text) }
    }

    @Test(
        "addresses in answers are relative to the origin (rest-v2.md §1.3)",
        arguments: [
            ("/api/v2/authenticate/A/B", "https://a.example/api/v2/authenticate/A/B"),
            ("/adobe-services/logout?x=1&y=a:b", "https://a.example/adobe-services/logout?x=1&y=a:b"),
            ("profiles/x", "https://a.example/profiles/x"), ("?q=1", "https://a.example/?q=1"),
            ("", "https://a.example/"),
            ("/a/../../b/./c/..", "https://a.example/b/"), ("/a#part", "https://a.example/a"),
            ("/a//b", "https://a.example/a//b"),
            ("https://b.example/x", "https://b.example/x"), ("https://b.example", "https://b.example/"),
            ("//b.example:1/x", "https://b.example:1/x"), ("http://127.0.0.1:1?a=/b", "http://127.0.0.1:1/?a=/b"),
            ("/a?next=https://b.example/../c", "https://a.example/a?next=https://b.example/../c"),
        ]) func resolution(reference: String, expected: String) throws
    {
        #expect(try Origin("https://a.example").resolving(reference).text == expected)
    }

    @Test(arguments: [
        ("http://b.example/x", HTTPFault.insecure), ("lumentv:signin", .badURL), ("javascript:1", .badURL),
        ("/a b", .badURL), ("/a\r\nHost: x", .badURL), ("/a\\b", .badURL), ("https://u@b.example/", .badURL),
        ("/\(String(repeating: "a", count: 9000))", .badURL), ("///x", .badURL),
    ]) func `refused addresses`(reference: String, fault: HTTPFault) {
        #expect(throws: fault) { try Origin("https://a.example").resolving(reference) }
    }

    @Test(arguments: [("", false), (".", false), ("..", false), ("...", true), ("a/b", true), ("é", true)])
    func `a segment that would be another path is noticed`(segment: String, isKept: Bool) throws {
        let origin = try Origin("https://a.example")
        let request = HTTPRequest(.get, origin, route: "/api/{a}/x", [segment], query: "b=/../", headers: [:])
        #expect(request.url.keepsItsSegments == isKept)
        #expect(request.route == "/api/{a}/x")
    }

    @Test func `logs show neither the query nor the headers of a call`() throws {
        let url = ServiceURL(
            origin: try Origin("https://a.example"), target: "/o/register?software_statement=secret")
        let request = HTTPRequest(.get, url, headers: ["Authorization": "Bearer secret"], body: Array("secret".utf8))
        #expect("\(request)" == "GET https://a.example/o/register")
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199_000), ("Tue, 01 Mar 2100 00:00:00 GMT", 4_107_542_400_000),
            ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov  6 08:49:37 1994", nil),
            ("Sun, 06 Nov 1994 08:49:37 +0100", nil),
            ("Sun, 6 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 25:49:37 GMT", nil),
            ("", nil), ("-1", nil),
        ] as [(String, Int64?)]) func `dates of the service`(text: String, expected: Int64?)
    {
        #expect(epochMilliseconds(httpDate: text) == expected)
    }
}
