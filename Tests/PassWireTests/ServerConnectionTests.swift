// Tests a server connection from the client's end of the socket.

import Dispatch
import PassJSON
import PassProtocol
import PassTestKit
import PassWire
import Testing

@Suite("rpc.md §2: a server connection")
struct ServerConnectionTests {
    static func call(_ id: Int, _ method: String = "m") -> String {
        "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\"}\n"
    }

    @Test func `a call is answered with its id, and a notification is not`() throws {
        let peer = try ServedPeer().raw()
        try peer.send("{\"jsonrpc\":\"2.0\",\"method\":\"silent\"}\n" + Self.call(7))
        #expect(try peer.message() == ["jsonrpc": "2.0", "id": 7, "result": ["method": "m", "params": nil]])
    }

    @Test func `answers use the framing of the client`() throws {
        let peer = try ServedPeer().raw()
        let body = Self.call(1).dropLast()
        try peer.send("Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let answer = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"method\":\"m\",\"params\":null}}"
        let expected = Array("Content-Length: \(answer.utf8.count)\r\n\r\n\(answer)".utf8)
        #expect(try peer.bytes(expected.count) == expected)
    }

    @Test func `1,000 pipelined calls are all answered`() throws {
        let served = try ServedPeer()
        let peer = served.raw()
        try peer.send((1...1000).map { Self.call($0) }.joined())
        let ids = try (1...1000).map { _ in try peer.message()["id"]?.int64 }
        #expect(ids == (1...1000).map(Int64.init))
        #expect(served.queue.sync { served.server.pendingCalls } == 0)
    }

    @Test func `1,000 pipelined calls that each need a turn of the queue are not refused`() throws {
        let peer = try ServedPeer { call in
            call.connection.queue.async { call.answer(.success([:])) }
        }.raw()
        try peer.send((1...1000).map { Self.call($0) }.joined())
        for _ in 1...1000 { #expect(try peer.message()["result"] == [:]) }
    }

    @Test func `answers may come in any order`() throws {
        let waiting = Recorder<Call>()
        let peer = try ServedPeer { call in
            waiting.append(call)
            if waiting.elements.count == 3 { for call in waiting.elements.reversed() { call.answer(.success([:])) } }
        }.raw()
        try peer.send(Self.call(1) + Self.call(2) + Self.call(3))
        #expect(try (0..<3).map { _ in try peer.message()["id"]?.int64 } == [3, 2, 1])
    }

    @Test func `callbacks of a call come before its answer, also in a batch`() throws {
        let peer = try ServedPeer { call in
            call.connection.notify(.setRequestorComplete(status: 1))
            call.answer(.success([:]))
        }.raw()
        try peer.send(Self.call(1))
        #expect(
            try peer.message() == ["jsonrpc": "2.0", "method": "setRequestorComplete", "params": ["status": 1]])
        #expect(try peer.message()["id"] == 1)
        try peer.send("[\(Self.call(2).dropLast()),\(Self.call(3).dropLast())]\n")
        #expect(try peer.message()["method"] == "setRequestorComplete")
        #expect(try peer.message()["method"] == "setRequestorComplete")
        #expect(try peer.message().array?.count == 2)
    }

    @Test func `a batch is answered with one array, without its notifications`() throws {
        let peer = try ServedPeer().raw()
        try peer.send(
            "[\(Self.call(1).dropLast()),{\"jsonrpc\":\"2.0\",\"method\":\"n\"},17,\(Self.call(2).dropLast())]\n")
        let answers = try #require(peer.message().array)
        #expect(Set(answers.map { $0["id"]?.int64 }) == [1, nil, 2])
        #expect(answers.first { $0["id"] == .null }?["error"]?["code"] == -32600)
        try peer.send("[{\"jsonrpc\":\"2.0\",\"method\":\"n\"}]\n" + Self.call(3))
        #expect(try peer.message()["id"] == 3, "a batch of notifications gets no answer")
    }

    @Test func `a call that is dropped is answered with INTERNAL_ERROR`() throws {
        let peer = try ServedPeer { _ in }.raw()
        try peer.send(Self.call(1))
        #expect(try peer.message()["error"]?["data"]?["code"] == "INTERNAL_ERROR")
    }

    @Test func `calls over the limit are refused by name, and the session continues`() throws {
        let held = Recorder<Call>()
        let served = try ServedPeer { held.append($0) }
        let peer = served.raw()
        try peer.send((1...70).map { Self.call($0) }.joined())
        for id in 65...70 {
            let answer = try peer.message()
            #expect(answer["id"] == .int(id))
            #expect(answer["error"]?["code"] == -32002)
            #expect(answer["error"]?["data"]?["details"] == ["limit": "pending-calls-per-session", "maximum": 64])
        }
        served.queue.sync { for call in held.elements { call.answer(.success([:])) } }
        for id in 1...64 { #expect(try peer.message()["id"] == .int(id)) }
        try peer.send(Self.call(71))
        try peer.send(Self.call(72))
        served.queue.sync {}
        #expect(served.queue.sync { served.server.statistics.refusals } == 6)
    }

    static let bad: [(String, Int)] = [
        ("{", -32700), ("nope", -32700), ("[1,2", -32700), ("{\"a\":1,\"a\":1}", -32700), ("\"\\ud800\"", -32700),
        (String(repeating: "[", count: 10_000), -32700), ("[]", -32600), ("{}", -32600), ("3", -32600),
    ]

    @Test(arguments: bad) func `a malformed line is answered, and the connection stays`(
        _ text: String, _ code: Int
    ) throws {
        let peer = try ServedPeer().raw()
        try peer.send(text + "\n" + Self.call(1))
        let answer = try peer.message()
        #expect(answer["error"]?["code"] == .int(code))
        #expect(answer["id"] == .null)
        #expect(try peer.message()["id"] == 1)
    }

    @Test func `invalid UTF-8 is a parse error, and the connection stays`() throws {
        let peer = try ServedPeer().raw()
        try peer.send([0x22, 0xFF, 0x22, 0x0A])
        #expect(try peer.message()["error"]?["code"] == -32700)
        try peer.send(Self.call(1))
        #expect(try peer.message()["id"] == 1)
    }

    @Test func `a message over the limit is answered with the limit, then the connection ends`() async throws {
        var limits = ConnectionLimits()
        limits.messageSize = 1000
        let served = try ServedPeer(limits: limits)
        let peer = served.raw()
        try peer.send([UInt8](repeating: 0x78, count: 100_000))
        let error = try peer.message()["error"]
        #expect(error?["code"] == -32600)
        #expect(error?["data"]?["limit"] == 1000)
        #expect(try peer.line() == nil)
        #expect(try await served.ends.wait(for: 1) == [.fault(.tooLarge(limit: 1000))])
        peer.close()
        try await served.closes.wait(for: 1)
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "POST /rpc HTTP/1.1\r\n\r\n{}"])
    func `HTTP gets one explanatory line and the connection is closed`(_ text: String) async throws {
        let served = try ServedPeer()
        let peer = served.raw()
        try peer.send(text)
        #expect(try peer.line()?.contains("JSON-RPC 2.0") == true)
        #expect(try peer.line() == nil)
        #expect(try await served.ends.wait(for: 1) == [.fault(.http)])
    }

    @Test func `malformed headers are answered in their framing, then the connection ends`() throws {
        let peer = try ServedPeer().raw()
        try peer.send("Content-Length: x\r\n\r\n")
        let text = String(decoding: try peer.rest(), as: UTF8.self)
        #expect(text.hasPrefix("Content-Length: "))
        #expect(text.contains("-32600"))
    }

    @Test func `a client that has closed its side is still answered`() async throws {
        let held = Recorder<Call>()
        let served = try ServedPeer { held.append($0) }
        let peer = served.raw()
        try peer.send(String(Self.call(1).dropLast()))
        peer.shutdownWriting()
        let calls = try await held.wait(for: 1)
        served.queue.sync { calls.first?.answer(.success([:])) }
        #expect(try peer.message()["id"] == 1)
        #expect(try peer.line() == nil)
        #expect(try await served.ends.wait(for: 1) == [.peerClosed])
    }

    @Test func `a client that has left ends the session, and late answers do no harm`() async throws {
        let held = Recorder<Call>()
        let served = try ServedPeer { held.append($0) }
        let peer = served.raw()
        try peer.send(Self.call(1))
        let calls = try await held.wait(for: 1)
        peer.close()
        #expect(try await served.ends.wait(for: 1) == [.peerClosed])
        try await served.closes.wait(for: 1)
        served.queue.sync {
            calls.first?.answer(.success([:]))
            calls.first?.answer(.success([:]))
            served.server.notify(.setRequestorComplete(status: 1))
            served.server.close(.requested("again"))
        }
        #expect(served.ends.elements.count == 1)
    }

    @Test func `a session over a quota is told why, then ends`() async throws {
        let served = try ServedPeer()
        let peer = served.raw()
        try peer.send("{\"half\"")
        served.queue.sync { served.server.refuse(.limit("sessions-per-user", maximum: 64)) }
        let answer = try peer.message()
        #expect(answer["id"] == .null)
        #expect(answer["error"]?["data"]?["details"] == ["limit": "sessions-per-user", "maximum": 64])
        #expect(try peer.line() == nil)
        #expect(try await served.ends.wait(for: 1) == [.refused(.limit)])
    }

    @Test func `finish answers pending calls, close does not`() async throws {
        let held = Recorder<Call>()
        let served = try ServedPeer { held.append($0) }
        let peer = served.raw()
        try peer.send(Self.call(1))
        let calls = try await held.wait(for: 1)
        served.queue.sync { served.server.finish(.requested("stopping")) }
        #expect(served.ends.elements.isEmpty)
        served.queue.sync { calls.first?.answer(.success([:])) }
        #expect(try peer.message()["id"] == 1)
        #expect(try peer.line() == nil)
        #expect(try await served.ends.wait(for: 1) == [.requested("stopping")])
    }
}
