// Tests that badly behaved clients cannot stop a server from serving others. Limits: docs/sandbox.md.

import Glibc
import PassTestTools
import Testing

@testable import PassSandbox

@Suite struct RobustnessTests {
    @Test func `2,000 malformed requests in a row do not stop the server`() throws {
        let sandbox = try RunningSandbox()
        var random = SeededRandom(number: 20)
        let patterns: [@Sendable (inout SeededRandom) -> [UInt8]] = [
            { $0.bytes(200) },
            { _ in Array("GET\r\n\r\n".utf8) },
            { _ in Array("GET / HTTP/9.9\r\n\r\n".utf8) },
            { _ in Array("POST /o/client/token HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n".utf8) },
            { _ in
                Array("POST /o/client/token HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n".utf8)
            },
            { _ in Array("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".utf8) },
            { _ in Array("GET / HTTP/1.1\r\nBroken header\r\n: empty\r\n\r\n".utf8) },
            { _ in Array("GET /%zz%00?a=%&=&&b HTTP/1.1\r\nHost: \0\r\n\r\n".utf8) },
            {
                Array(
                    "POST /o/client/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n"
                        .utf8) + $0.bytes(40)
            },
            {
                Array(
                    "POST /activate HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=\r\nContent-Length: 30\r\n\r\n"
                        .utf8) + $0.bytes(30)
            },
        ]
        for number in 0..<2000 {
            let wire = try Wire(sandbox.port)
            wire.send(patterns[number % patterns.count](&random))
            // The connection is half closed. In some of these cases the server would rightly wait for more.
            shutdown(wire.descriptor, Int32(SHUT_WR))
            if number % 100 == 1 { _ = try wire.receive() }
        }
        #expect(sandbox.answers)
        try sandbox.stop().requireSuccess()
    }

    @Test func `slow headers, slow bodies and half-open connections are ended in time`() throws {
        let sandbox = try RunningSandbox(["--seed", "1", "--request-time", "2s"])
        let silent = try Wire(sandbox.port)
        let half = try Wire(sandbox.port)
        half.send("GET / HTTP/1.1\r\nHost: x\r\n")
        let body = try Wire(sandbox.port)
        body.send("POST /o/client/register HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
        let header = try Wire(sandbox.port)
        header.send("GET / HTTP/1.1\r\n")
        // A byte now and then keeps no connection open.
        let isEnded = becomesTrue(within: 30) {
            let one = header.send("X")
            let other = body.send(" ")
            #expect(sandbox.answers)
            return !one && !other
        }
        #expect(isEnded)
        _ = try silent.receive(seconds: 30)
        _ = try half.receive(seconds: 30)
        #expect(sandbox.answers)
    }

    @Test func `600 idle connections delay other clients no longer than the time limit`() throws {
        let sandbox = try RunningSandbox(["--seed", "1", "--request-time", "2s"])
        var idle: [Wire] = []
        for _ in 0..<600 { idle.append(try Wire(sandbox.port)) }
        #expect(try sandbox.request("GET", "/sandbox/clock", seconds: 40).status == 200)
        #expect(idle.count == 600)
    }

    @Test func `a body over the limit is refused with 413, and a body below the limit is read`() throws {
        let sandbox = try RunningSandbox()
        for (size, status) in [(64 * 1024 + 1, 413), (1 << 20, 413), (64 * 1024, 400)] {
            let reply = try sandbox.request(
                "POST", "/o/client/register", ["Content-Type: application/json", Television.deviceInfo],
                String(repeating: "x", count: size))
            #expect(reply.status == status)
        }
        #expect(sandbox.answers)
    }

    @Test func `half-open connections do not block other clients`() throws {
        let sandbox = try RunningSandbox()
        var wires: [Wire] = []
        for _ in 0..<700 {
            let wire = try Wire(sandbox.port)
            wire.send("GET / HTTP/1.1\r\nHost: x")
            wires.append(wire)
        }
        // A new client is served while all of them are open, long before the first connection times out.
        let begin = systemTime()
        for _ in 0..<5 { #expect(sandbox.answers) }
        #expect(systemTime() - begin < 8000)
        withExtendedLifetime(wires) {}
    }

    @Test func `headers over the limit are refused`() throws {
        let sandbox = try RunningSandbox()
        for header in [
            "X-Long: " + String(repeating: "x", count: 64 * 1024), String(repeating: "X-Many: 1\r\n", count: 20_000),
        ] {
            let wire = try Wire(sandbox.port)
            wire.send("GET / HTTP/1.1\r\nHost: x\r\n\(header)\r\n\r\n")
            let text = String(decoding: (try? wire.receive()) ?? [], as: UTF8.self)
            #expect(
                text.isEmpty || text.contains(" 431 ") || text.contains(" 413 ") || text.contains(" 400 "), "\(text)")
        }
        let wire = try Wire(sandbox.port)
        wire.send("GET /" + String(repeating: "a", count: 64 * 1024) + " HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(String(decoding: (try? wire.receive()) ?? [], as: UTF8.self).contains(" 414 "))
        #expect(sandbox.answers)
    }

    @Test func `pipelined requests are answered in order`() throws {
        let sandbox = try RunningSandbox()
        let wire = try Wire(sandbox.port)
        wire.send(
            "GET /sandbox/clock HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                + "GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                + "GET /sandbox/certificate HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        let text = String(decoding: try wire.receive(), as: UTF8.self)
        // Nothing is sent between the answers.
        let statuses = text.indices.filter { text[$0...].hasPrefix("HTTP/1.1 ") }
            .map { String(text[$0...].dropFirst(9).prefix(3)) }
        #expect(statuses == ["200", "404", "200"])
    }

    @Test func `an HTTP 1.0 request is answered, and the connection is closed`() throws {
        let sandbox = try RunningSandbox()
        let wire = try Wire(sandbox.port)
        wire.send("GET /sandbox/clock HTTP/1.0\r\n\r\n")
        let text = String(decoding: try wire.receive(), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.") && text.contains(" 200 ") && text.contains("\"now\""))
    }
}
