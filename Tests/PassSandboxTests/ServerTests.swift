// Tests the server on a real socket, with plain sockets as clients. The service's answers must reach the other side.

import Glibc
import Testing

@testable import PassSandbox

@Suite struct ServerTests {
    private func start(_ answer: @escaping @Sendable (Request) -> Response) throws -> HTTPServer {
        let server = HTTPServer(limits: ServerLimits(), now: systemTime, handler: answer)
        try server.start(on: #require(ListenAddress("127.0.0.1:0")), tls: nil)
        return server
    }

    /// Sends the text in the given pieces, and reads until the other side closes.
    private func exchange(_ server: HTTPServer, _ pieces: String..., raw: [[UInt8]] = []) throws -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var storage = try #require(ListenAddress("127.0.0.1:\(server.port)")).storage
        let connected = withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(connected == 0)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        for bytes in pieces.map({ Array($0.utf8) }) + raw {
            try #require(send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
            // Each piece is read before the next piece is sent, so that no unread data are left at the other end.
            var waiting: Int32 = 1
            while waiting > 0, ioctl(descriptor, UInt(TIOCOUTQ), &waiting) == 0 { sched_yield() }
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }

    @Test func `method, path, query, headers, form and address arrive unchanged`() throws {
        let server = try start { request in
            .text(
                [
                    request.method, request.path, request.query.map { "\($0.name)=\($0.value)" }.joined(separator: ";"),
                    request.header("x-thing") ?? "",
                    (request.form ?? []).map { "\($0.name)=\($0.value)" }.joined(separator: ";"),
                    request.peer,
                ].joined(separator: "|"))
        }
        defer { server.stop() }
        let body = "a=1+2&b=%C3%A9&c=&d=%26"
        let answer = try exchange(
            server,
            "POST /x%20y/z?q=a%26b&r HTTP/1.1\r\nHost: h\r\nX-Thing: t\r\nConnection: close\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        #expect(answer.hasSuffix("POST|/x y/z|q=a&b;r=|t|a=1 2;b=é;c=;d=&|127.0.0.1"))
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        #expect(answer.contains("\r\nDate: ") && answer.contains("\r\nCache-Control: no-store"))
    }

    @Test func `a truncated answer announces more bytes than it sends, and a dropped answer sends none`() throws {
        let server = try start { request in
            var response = Response.text(String(repeating: "x", count: 100))
            response.delivery = request.path == "/drop" ? .dropped : .truncated
            return response
        }
        defer { server.stop() }
        let truncated = try exchange(server, "GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(
            truncated.contains("Content-Length: 100")
                && truncated.hasSuffix("\r\n\r\n" + String(repeating: "x", count: 50)))
        try #expect(exchange(server, "GET /drop HTTP/1.1\r\nHost: h\r\n\r\n").isEmpty)
    }

    @Test func `a form's value does not depend on where the network splits it`() throws {
        let server = try start { request in .text(request.form?.one("user") ?? "nothing") }
        defer { server.stop() }
        let body = Array("a=1&user=J%C3%BCrgen+".utf8) + Array("Grün".utf8) + Array("&b=2".utf8)
        let head =
            "POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
            + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.count)\r\n\r\n"
        for cut in 1..<body.count {
            let answer = try exchange(server, head, raw: [Array(body[..<cut]), Array(body[cut...])])
            #expect(answer.hasSuffix("\r\n\r\nJürgen Grün"), "cut at \(cut)")
        }
    }

    @Test(arguments: [
        "/a%2Fb", "/a%2fb", "/a%00b", "/a%5Cb", "/a%", "/a%zz", "/a%0ab", "/a%ff",
        "/?" + (0..<300).map { "p\($0)=1" }.joined(separator: "&"),
    ]) func `an ambiguous path is refused, and so are endless parameters`(target: String) throws {
        let server = try start { _ in .text("reached") }
        defer { server.stop() }
        let answer = try exchange(server, "GET \(target) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
    }

    @Test func `a form with endless fields is refused`() throws {
        let server = try start { _ in .text("reached") }
        defer { server.stop() }
        let body = String(repeating: "a=&", count: 16_000)
        let answer = try exchange(
            server,
            "POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
    }

    @Test func `a delayed answer is sent late`() throws {
        let server = try start { _ in
            var response = Response.text("done")
            response.delay = 300
            return response
        }
        defer { server.stop() }
        let begin = systemTime()
        try #expect(exchange(server, "GET /slow HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").hasSuffix("done"))
        #expect(systemTime() - begin >= 300)
    }

    @Test func `a delayed answer delays neither other clients nor the stop of the server`() async throws {
        let (began, continuation) = AsyncStream.makeStream(of: Void.self)
        let server = try start { request in
            guard request.path == "/slow" else { return .text("done") }
            continuation.yield()
            var response = Response.text("late")
            response.delay = 600_000
            return response
        }
        let slow = Task.detached { try exchange(server, "GET /slow HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n") }
        for await _ in began { break }
        try #expect(exchange(server, "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").hasSuffix("done"))
        server.stop()
        _ = try await slow.value
    }
}
