// Tests bad input of all kinds. Each input gets a clear error, acknowledged data stay, and the daemon continues.

import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import PassWire
import Testing

@testable import PassSandbox

@Suite("bad input") struct RubbishTests {
    private static let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)

    static let lines: [(name: String, bytes: [UInt8], code: String)] = [
        ("no JSON", Array("hello".utf8), "PARSE_ERROR"),
        ("half an object", Array(#"{"jsonrpc":"2.0","id":1"#.utf8), "PARSE_ERROR"),
        ("nesting 10,000 deep", Array(deep.utf8), "PARSE_ERROR"),
        (
            "invalid UTF-8", Array(#"{"jsonrpc":"2.0","id":1,"method":""#.utf8) + [0xFF] + Array(#""}"#.utf8),
            "PARSE_ERROR"
        ),
        ("a lone surrogate", Array(#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#.utf8), "PARSE_ERROR"),
        ("a key twice", Array(#"{"jsonrpc":"2.0","id":1,"id":2,"method":"rpc.discover"}"#.utf8), "PARSE_ERROR"),
        ("an id of a wrong kind", Array(#"{"jsonrpc":"2.0","id":{},"method":"rpc.discover"}"#.utf8), "INVALID_REQUEST"),
        ("no version", Array(#"{"id":1,"method":"rpc.discover"}"#.utf8), "INVALID_REQUEST"),
        ("an unknown method", Array(#"{"jsonrpc":"2.0","id":1,"method":"getAuthorisation"}"#.utf8), "METHOD_NOT_FOUND"),
        ("an operator's method", Array(#"{"jsonrpc":"2.0","id":1,"method":"passd.tokens"}"#.utf8), "METHOD_NOT_FOUND"),
        (
            "params by position", Array(#"{"jsonrpc":"2.0","id":1,"method":"getAuthorization","params":["r"]}"#.utf8),
            "INVALID_PARAMS"
        ),
        (
            "a number instead of a text",
            Array(#"{"jsonrpc":"2.0","id":1,"method":"setRequestor","params":{"requestorID":7}}"#.utf8),
            "INVALID_PARAMS"
        ),
        (
            "a call without a requestor",
            Array(#"{"jsonrpc":"2.0","id":9007199254740993,"method":"checkAuthentication"}"#.utf8), "REQUESTOR_NOT_SET"
        ),
        (
            "another app's requestor",
            Array(#"{"jsonrpc":"2.0","id":null,"method":"setRequestor","params":{"requestorID":"OTHER"}}"#.utf8),
            "DENIED"
        ),
        ("an empty batch", Array("[]".utf8), "INVALID_REQUEST"),
    ]

    @Test func `each malformed line gets its error, and the connection stays`() throws {
        let box = try RunningBox()
        let peer = try RawPeer.connect(to: box.socket)
        for (name, bytes, code) in Self.lines {
            try peer.send(bytes + [0x0A])
            var message = try peer.message()
            while message["method"] != nil { message = try peer.message() }
            #expect(message["error"]?["data"]?["code"]?.string == code, "\(name): \(message)")
            #expect(message["error"]?["data"]?["remedy"]?.string?.isEmpty == false, "\(name)")
        }
        try peer.send(#"{"jsonrpc":"2.0","id":9007199254740993,"method":"passd.hello"}"# + "\n")
        #expect(try peer.message()["id"]?.number?.text == "9007199254740993")
    }

    @Test func `a message over the limit is refused with its size, and the daemon continues`() throws {
        let box = try RunningBox()
        let peer = try RawPeer.connect(to: box.socket)
        try? peer.send(Array(repeating: UInt8(ascii: "x"), count: 1 << 21))
        #expect(try peer.message()["error"]?["data"]?["limit"]?.int64 == 1 << 20)
        _ = try box.app("LUMENTV")
    }

    @Test func `an HTTP client gets one explanatory line`() throws {
        let box = try RunningBox()
        let peer = try RawPeer.connect(to: box.socket)
        try peer.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try peer.line()?.isEmpty == false)
        #expect(try peer.line() == nil)
    }

    @Test func `headers as in LSP work unmodified`() throws {
        let box = try RunningBox()
        let peer = try RawPeer.connect(to: box.socket)
        let body = #"{"jsonrpc":"2.0","id":"a","method":"passd.whoami"}"#
        try peer.send("Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(try peer.line()?.hasPrefix("Content-Length: ") == true)
    }

    static let resources = [
        "", String(repeating: "r", count: 8192),
        #"<rss version="2.0"><channel><title>a, "b" &amp; 'c'</title></channel></rss>"#, "a,b", "\u{0}", "💡",
    ]

    @Test func `resources of every kind are answered or refused by name, and echoed byte for byte`() throws {
        let box = try RunningBox()
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
        for resource in Self.resources {
            do {
                let answer = try app.call("getAuthorization", ["resource": .string(resource)])
                #expect(answer["resource"]?.string?.utf8.elementsEqual(resource.utf8) == true)
            } catch let error as RPCError {
                #expect(["Z130", "Z120", "Z500"].contains(error.name.text), "\(resource.prefix(20)): \(error)")
            }
        }
    }

    @Test func `a resource of more than 8 KiB is refused before the service is asked`() throws {
        let box = try RunningBox()
        let app = try box.app("LUMENTV")
        let resource = String(repeating: "r", count: 8193)
        #expect(try app.errorName("getAuthorization", ["resource": .string(resource)]) == "INVALID_PARAMS")
        #expect(try app.call("checkAuthentication")["authenticated"] == false, "the connection continues")
    }

    @Test func `an unknown provider and an unknown requestor are named`() throws {
        let box = try RunningBox("", options: ["--allow-same-user"])
        let app = try box.app("LUMENTV")
        _ = try app.call("getAuthentication")
        #expect(try app.errorName("setSelectedProvider", ["providerID": "NoSuchCable"]) == "INVALID_PARAMS")
        try app.hear("setAuthenticationStatus") { $0["errorCode"] == "GENERIC_AUTHENTICATION_ERROR" }
        // The requestor has no stanza, so the app brings its own statement; the service does not know the requestor.
        let statement = try box.sandbox.control("/sandbox/statement", ["app": "lumen-tv"])["statement"]
        let other = try box.app()
        let params: JSONValue = ["requestorID": "NOBODY", "softwareStatement": .string(statement)]
        #expect(try other.errorName("setRequestor", params) == "CFG400")
        try other.hear("setRequestorComplete") { $0["status"] == 0 }
        #expect(
            try other.errorName("setRequestor", ["requestorID": "LUMENTV", "softwareStatement": "a.b.c"]) == "R400")
    }

    static let faults: [(JSONValue, Set<String>)] = [
        (["match": "* /**", "status": 200, "contentType": "text/html"], ["CFG502"]),
        (["match": "* /**", "truncate": true], ["CFG502", "CFG404"]),
        (["match": "* /**", "malformed": true], ["CFG502"]),
        (["match": "* /**", "drop": true], ["CFG404", "CFG502"]),
        (["match": "* /**", "status": 503], ["CFG503"]),
        (["match": "* /**", "status": 429], ["CFG429"]),
    ]

    @Test(arguments: faults.indices)
    func `a broken backend is reported by name, and calls work again after the repair`(_ index: Int) throws {
        let box = try RunningBox("connect-timeout = 1s\nrequest-timeout = 2s")
        let (fault, names) = Self.faults[index]
        _ = try box.sandbox.control("/sandbox/faults", ["faults": [fault]])
        let app = try box.app()
        let name = try app.errorName("setRequestor", ["requestorID": "LUMENTV"])
        #expect(names.contains(name), "\(name)")
        _ = try box.sandbox.request("DELETE", "/sandbox/faults")
        // Only after 429, the daemon waits before it asks again.
        let isBack = becomesTrue(within: names == ["CFG429"] ? 60 : 0) {
            (try? app.call("setRequestor", ["requestorID": "LUMENTV"]))?["status"] == 1
        }
        #expect(isBack)
    }
}
