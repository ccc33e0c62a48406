// Tests how connections are kept, shared and closed.

import PassTestTools
import Testing

@testable import PassBackend

@Suite("connections are reused and transfers leave nothing behind") struct ConnectionTests {
    @Test func `twenty calls in sequence use one connection`() async throws {
        let server = try RawServer.answering { _ in answer("ok") }
        defer { server.stop() }
        let client = HTTPClient(.patient)
        for _ in 0..<20 { _ = try await client.send(HTTPRequest(.get, server.url("a"))) }
        #expect(server.connectionCount == 1)
        #expect(server.requests.count == 20)
    }

    @Test func `two hundred calls at once are all answered, over a few connections`() async throws {
        let server = try RawServer.answering { request in answer(request.line) }
        defer { server.stop() }
        let client = HTTPClient(.patient)
        let calls = (0..<200).map { number in
            Task { try await client.send(HTTPRequest(.get, server.url("\(number)"))).body }
        }
        for (number, call) in calls.enumerated() {
            #expect(try await call.value == Array("GET /\(number) HTTP/1.1".utf8))
        }
        #expect(server.connectionCount <= 6)
        await eventually { client.transferCount == 0 }
    }

    @Test func `an idle connection that the service has closed is replaced without an error`() async throws {
        let server = try RawServer { connection in
            if connection.readRequest() != nil { connection.send(answer("once")) }
        }
        defer { server.stop() }
        let client = HTTPClient(.patient)
        for round in 1...5 {
            #expect(try await client.send(HTTPRequest(.get, server.url("a"))).status == 200)
            await eventually { server.openCount == 0 && server.connectionCount == round }
        }
    }

    /// Answers the first request of a connection, and closes the connection at some point of the second.
    enum End: CaseIterable {
        case resetAfterRequest, closedAfterRequest, resetWithinAnswer, closedWithinAnswer

        func play(_ connection: RawConnection) {
            while let request = connection.readRequest() {
                if !request.line.contains("/kept") {
                    connection.send(answer("ok"))
                    continue
                }
                if self == .resetWithinAnswer || self == .closedWithinAnswer { connection.send("HTTP/1.1 200 O") }
                if self == .resetAfterRequest || self == .resetWithinAnswer { connection.reset() }
                return
            }
        }
    }

    @Test(arguments: End.allCases, [HTTPRequest.Method.get, .post, .delete])
    func `ruling 25: if a kept connection ends during a request, the library does not repeat the request`(
        end: End, method: HTTPRequest.Method
    ) async throws {
        let server = try RawServer { end.play($0) }
        defer { server.stop() }
        let client = HTTPClient(.patient)
        for _ in 0..<5 {
            _ = try await client.send(HTTPRequest(.get, server.url("first")))
            let before = server.requests.count
            let request = HTTPRequest(method, try server.url("kept"), body: method == .post ? Array("a=b".utf8) : [])
            let fault = await #expect(throws: HTTPFault.self) { try await client.send(request) }
            #expect(fault?.mayHaveBeenSent == true)
            #expect(server.requests.count == before + 1, "it arrived once")
        }
        await eventually { client.transferCount == 0 }
    }

    @Test func `ruling 25: a request that must not arrive twice uses a new connection`() async throws {
        let server = try RawServer { End.resetAfterRequest.play($0) }
        defer { server.stop() }
        let client = HTTPClient(.patient)
        _ = try await client.send(HTTPRequest(.get, server.url("first")))
        var once = HTTPRequest(.post, try server.url("first"), body: Array("a=b".utf8))
        once.isForOnce = true
        for number in 2...5 {
            #expect(try await client.send(once).status == 200)
            #expect(server.connectionCount == number)
        }
        await eventually("only the first one is kept") { server.openCount == 1 }
        #expect(try await client.send(HTTPRequest(.get, server.url("first"))).status == 200)
        #expect(server.connectionCount == 5)
    }

    @Test func `a cancelled call ends at once and leaves no transfer`() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.waitForEnd()
        }
        defer { server.stop() }
        let client = HTTPClient(.patient)
        let calls = (0..<5).map { _ in Task { try await client.send(HTTPRequest(.get, server.url("a"))) } }
        await eventually { server.requests.count == 5 }
        for call in calls { call.cancel() }
        for call in calls { await #expect(throws: HTTPFault.cancelled) { try await call.value } }
        await eventually { client.transferCount == 0 && server.openCount == 0 }
    }

    @Test func `a call that is cancelled at any moment ends exactly once`() async throws {
        let server = try RawServer.answering { _ in answer("ok") }
        defer { server.stop() }
        let client = HTTPClient(.patient)
        let calls = (0..<200).map { _ in Task { try await client.send(HTTPRequest(.get, server.url("a"))).status } }
        for (number, call) in calls.enumerated() {
            if number % 3 == 0 { await Task.yield() }
            call.cancel()
        }
        for call in calls {
            switch await call.result {
            case .success(let status): #expect(status == 200)
            case .failure(let error): #expect(error as? HTTPFault == .cancelled)
            }
        }
        await eventually { client.transferCount == 0 }
        #expect(try await client.send(HTTPRequest(.get, server.url("a"))).status == 200)
    }

    @Test func `a closed client ends its transfers and refuses new ones`() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.waitForEnd()
        }
        defer { server.stop() }
        let client = HTTPClient(.patient)
        let call = Task { try await client.send(HTTPRequest(.get, server.url("a"))) }
        await eventually { server.requests.count == 1 }
        client.close()
        await #expect(throws: HTTPFault.closed) { try await call.value }
        await #expect(throws: HTTPFault.closed) { try await client.send(HTTPRequest(.get, server.url("a"))) }
        await eventually { server.openCount == 0 }
    }

    @Test func `a released client closes its connections`() async throws {
        let server = try RawServer.answering { _ in answer("ok") }
        defer { server.stop() }
        do { _ = try await HTTPClient(.patient).send(HTTPRequest(.get, server.url("a"))) }
        await eventually { server.connectionCount == 1 && server.openCount == 0 }
    }
}
