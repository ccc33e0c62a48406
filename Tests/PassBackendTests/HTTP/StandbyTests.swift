// Tests that connections from before a standby are not used after it.

import Dispatch
import PassTestTools
import Synchronization
import Testing

@testable import PassBackend

@Suite("operations.md §5: a standby ends the kept connections") struct StandbyTests {
    private final class Sleeper: Sendable {
        private let asleep = Mutex(Duration.zero)

        func sleep(_ time: Duration) { asleep.withLock { $0 += time } }

        func client() -> HTTPClient {
            HTTPClient(.patient, HTTPLoop(timeAsleep: { self.asleep.withLock(\.self) }))
        }
    }

    @Test func `a call after a standby does not wait for a connection that has died meanwhile`() async throws {
        let server = try RawServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(answer("ok"))
            connection.waitForEnd()
        }
        defer { server.stop() }
        let box = Sleeper()
        let client = box.client()
        for number in 1...3 {
            #expect(try await client.send(HTTPRequest(.get, server.url("a"))).status == 200)
            #expect(server.connectionCount == number)
            await eventually("the earlier connection is closed") { server.openCount == 1 }
            box.sleep(.seconds(3600))
        }
    }

    @Test func `after a standby, one new connection is kept again`() async throws {
        let server = try RawServer.answering { _ in answer("ok") }
        defer { server.stop() }
        let box = Sleeper()
        let client = box.client()
        for number in 1...3 {
            for _ in 0..<5 { _ = try await client.send(HTTPRequest(.get, server.url("a"))) }
            #expect(server.connectionCount == number)
            box.sleep(.seconds(5))
        }
    }

    @Test func `a call from before the standby can still end`() async throws {
        let mayEnd = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            while let request = connection.readRequest() {
                if request.line.contains("/slow") { mayEnd.wait() }
                connection.send(answer("ok"))
            }
        }
        defer { server.stop() }
        let box = Sleeper()
        let client = box.client()
        _ = try await client.send(HTTPRequest(.get, server.url("first")))
        let slow = Task { try await client.send(HTTPRequest(.get, server.url("slow"))).status }
        await eventually { server.requests.count == 2 }
        box.sleep(.seconds(5))
        for number in 2...3 {
            _ = try await client.send(HTTPRequest(.get, server.url("other")))
            #expect(server.connectionCount == number, "the idle connections may be those from before the standby")
        }
        mayEnd.signal()
        #expect(try await slow.value == 200)
        await eventually { client.transferCount == 0 }
        for _ in 0..<3 { _ = try await client.send(HTTPRequest(.get, server.url("later"))) }
        #expect(server.connectionCount == 4)
        await eventually("all earlier connections are closed") { server.openCount == 1 }
    }

    @Test func `a loop that is closed while it leaves its connections does not use the former handle`() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let lookups = NameLookups { _ in
            mayAnswer.wait()
            return ["127.0.0.1"]
        }
        let closing = Mutex<HTTPLoop?>(nil)
        let asleep = Mutex(Duration.zero)
        let bells = Mutex<[Bool]>([])
        let loop = HTTPLoop(lookups) {
            // Each transfer asks for this time when it begins. The second one begins after the handle was replaced.
            if let loop = closing.withLock(\.self) {
                bells.withLock { $0.append(loop.hasBell) }
                loop.close()
            }
            return asleep.withLock(\.self)
        }
        let client = HTTPClient(.patient, loop)
        let request = HTTPRequest(.get, try Origin("https://service.example").url(["x"]))
        let calls = (0..<2).map { _ in
            Task { () -> HTTPFault? in
                do throws(HTTPFault) { _ = try await client.send(request) } catch { return error }
                return nil
            }
        }
        await eventually { client.transferCount == 2 }
        asleep.withLock { $0 = .seconds(60) }
        closing.withLock { $0 = loop }
        mayAnswer.signal()
        for call in calls {
            let fault = await call.value
            #expect(fault == .closed || fault == .connect)
        }
        closing.withLock { $0 = nil }
        let rung = bells.withLock(\.self)
        #expect(rung == [true, false], "a bell of the former handle could be rung when the handle is freed")
    }

    @Test func `connections survive a standby of less than a second`() async throws {
        let server = try RawServer.answering { _ in answer("ok") }
        defer { server.stop() }
        let box = Sleeper()
        let client = box.client()
        for _ in 0..<5 {
            _ = try await client.send(HTTPRequest(.get, server.url("a")))
            box.sleep(.milliseconds(900))
        }
        #expect(server.connectionCount == 1)
    }
}
