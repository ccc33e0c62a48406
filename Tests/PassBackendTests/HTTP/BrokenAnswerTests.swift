// Tests services that misbehave. Each fault has its name, and no fault blocks the client.

import Glibc
import PassTestTools
import Testing

@testable import PassBackend

@Suite("a service that sends garbage") struct BrokenAnswerTests {
    /// The server's action after it has read a request.
    struct Misbehaviour: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let fault: HTTPFault
        let act: @Sendable (RawConnection) -> Void

        init(_ name: String, _ fault: HTTPFault, _ act: @escaping @Sendable (RawConnection) -> Void) {
            testDescription = name
            self.fault = fault
            self.act = act
        }
    }

    static let misbehaviours = [
        Misbehaviour("nothing at all", .disconnected) { _ in },
        Misbehaviour("a reset", .disconnected) { $0.reset() },
        Misbehaviour("half a header", .broken("")) { $0.send("HTTP/1.1 200 OK\r\nContent-Le") },
        Misbehaviour("half a body", .broken("")) { $0.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{\"a\"") },
        Misbehaviour("half a chunk", .broken("")) {
            $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nabc")
        },
        Misbehaviour("a chunk of no size", .broken("")) {
            $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc")
        },
        Misbehaviour("garbage", .broken("")) { $0.send("\u{0}\u{1}\u{2} SSH-2.0\r\n\r\n") },
        Misbehaviour("a body without a header", .broken("")) { $0.send("<html>\r\n\r\n") },
        Misbehaviour("a negative length", .broken("")) { $0.send("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n") },
        Misbehaviour("100 MB announced", .tooLarge(limit: 1 << 20)) {
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
            $0.waitForEnd()
        },
        Misbehaviour("100 MB in chunks", .tooLarge(limit: 1 << 20)) { connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 32, count: 0x10000) + Array("\r\n".utf8)
            for _ in 0..<1526 { guard connection.send(chunk) else { return } }
        },
        Misbehaviour("100 MB until the end", .tooLarge(limit: 1 << 20)) { connection in
            connection.send("HTTP/1.0 200 OK\r\n\r\n")
            for _ in 0..<1526 { guard connection.send([UInt8](repeating: 32, count: 0x10000)) else { return } }
        },
        Misbehaviour("a hundred thousand headers", .tooLarge(limit: 1 << 20)) { connection in
            connection.send("HTTP/1.1 200 OK\r\n")
            for number in 0..<100_000 { guard connection.send("A\(number): b\r\n") else { return } }
        },
    ]

    @Test(arguments: misbehaviours) func `the fault is named, and the next call works`(how: Misbehaviour) async throws {
        let server = try RawServer { connection in
            guard let request = connection.readRequest() else { return }
            if request.line.contains("good") { connection.send(answer("ok")) } else { how.act(connection) }
        }
        defer { server.stop() }
        let client = HTTPClient(.patient)
        let request = HTTPRequest(.post, try server.url("bad"), body: [1])
        do {
            let response = try await client.send(request)
            Issue.record("an answer: \(response)")
        } catch .broken { #expect(how.fault == .broken("")) } catch { #expect(error == how.fault) }
        #expect(try await client.send(HTTPRequest(.get, server.url("good"))).status == 200)
    }

    @Test func `an answer of exactly the maximum size is accepted, one byte more is not`() async throws {
        let server = try RawServer.answering { request in
            answer(String(repeating: "x", count: request.line.contains("/more") ? 1001 : 1000))
        }
        defer { server.stop() }
        var configuration = HTTPConfiguration.patient
        configuration.bodyLimit = 1000
        let client = HTTPClient(configuration)
        #expect(try await client.send(HTTPRequest(.get, server.url("just"))).body.count == 1000)
        await #expect(throws: HTTPFault.tooLarge(limit: 1000)) {
            try await client.send(HTTPRequest(.get, server.url("more")))
        }
    }

    private static let large = String(repeating: "x", count: 100_000)
    private static let largeBodies = [
        "Content-Length: 100000\r\n\r\n\(large)", "Transfer-Encoding: chunked\r\n\r\n186a0\r\n\(large)\r\n0\r\n\r\n",
    ]

    @Test(arguments: largeBodies) func `if a request allows it, a large body is cut, and the status counts`(
        rest: String
    ) async throws {
        let server = try RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 404 Not Found\r\n" + rest)
            connection.waitForEnd()
        }
        defer { server.stop() }
        var request = HTTPRequest(.get, try server.url("page"))
        request.maxBodySize = 1000
        let response = try await HTTPClient(.patient).send(request)
        #expect(response.status == 404 && response.body.count <= 1000)
    }

    @Test func `a call to a silent service ends at its timeout`() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.waitForEnd()
        }
        defer { server.stop() }
        var configuration = HTTPConfiguration.patient
        configuration.requestTimeout = .milliseconds(200)
        let client = HTTPClient(configuration)
        await #expect(throws: HTTPFault.timeout(wasSent: true)) {
            try await client.send(HTTPRequest(.get, server.url("a")))
        }
        await eventually { client.transferCount == 0 }
        await eventually { server.openCount == 0 }
    }

    @Test func `a call to a service that stays too slow is ended`() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc")
            connection.waitForEnd()
        }
        defer { server.stop() }
        var configuration = HTTPConfiguration.patient
        (configuration.minRate, configuration.slowTime) = (1000, .seconds(1))
        await #expect(throws: HTTPFault.timeout(wasSent: true)) {
            try await HTTPClient(configuration).send(HTTPRequest(.get, server.url("a")))
        }
    }

    @Test func `a port without a listener is a refused connection`() async throws {
        let reserved = try loopbackSocket()
        defer { close(reserved.descriptor) }
        let url = try Origin("http://127.0.0.1:\(reserved.port)").url(["a"])
        let client = HTTPClient(.patient)
        await #expect(throws: HTTPFault.connect) { try await client.send(HTTPRequest(.get, url)) }
        #expect(!HTTPFault.connect.mayHaveBeenSent && HTTPFault.connect.isTransient)
    }
}
