// Tests that host names are looked up on one thread, even if the name server misbehaves.

import Dispatch
import PassTestTools
import Synchronization
import Testing

@testable import PassBackend

@Suite("ruling 58: name lookups share one thread") struct NameLookupTests {
    private final class NameServer: Sendable {
        let asked = Mutex<[String]>([])
        let answers: [String: [String]]
        let mayAnswer = DispatchSemaphore(value: 0)

        init(_ answers: [String: [String]] = [:]) { self.answers = answers }

        func lookups(_ times: NameLookups.Times = .init()) -> NameLookups {
            NameLookups(times) { [self] name in
                asked.withLock { $0.append(name) }
                mayAnswer.wait()
                mayAnswer.signal()
                return answers[name] ?? []
            }
        }
    }

    private func request(_ name: String = "service.example") throws -> HTTPRequest {
        HTTPRequest(.get, try Origin("https://\(name)").url(["x"]))
    }

    private func fault(_ client: HTTPClient, _ request: HTTPRequest) async -> HTTPFault? {
        do throws(HTTPFault) {
            _ = try await client.send(request)
            return nil
        } catch { return error }
    }

    @Test func `while a name server does not answer, each call ends by its deadline, with one lookup`()
        async throws
    {
        let server = NameServer()
        var configuration = HTTPConfiguration.patient
        configuration.connectTimeout = .milliseconds(50)
        let client = HTTPClient(configuration, HTTPLoop(server.lookups()))
        let request = try request()
        for _ in 0..<3 {
            await withTaskGroup(of: HTTPFault?.self) { group in
                for _ in 0..<10 { group.addTask { await fault(client, request) } }
                for await fault in group { #expect(fault == .timeout(wasSent: false)) }
            }
        }
        #expect(server.asked.withLock(\.self) == ["service.example"])
        server.mayAnswer.signal()
    }

    @Test func `a name without an address is reported as such, and looked up again`() async throws {
        let server = NameServer()
        server.mayAnswer.signal()
        let client = HTTPClient(.patient, HTTPLoop(server.lookups()))
        #expect(await fault(client, try request()) == .dns)
        #expect(await fault(client, try request()) == .dns)
        #expect(server.asked.withLock(\.count) == 2)
        var proxied = HTTPConfiguration.patient
        proxied.proxy = "http://proxy.example:3128"
        #expect(
            await fault(HTTPClient(proxied, HTTPLoop(server.lookups())), try request())
                == .proxy("proxy.example:3128", .unknownName))
        #expect(server.asked.withLock(\.last) == "proxy.example")
    }

    @Test func `a cancelled call does not wait for the name server`() async throws {
        let server = NameServer()
        let client = HTTPClient(.patient, HTTPLoop(server.lookups()))
        let request = try request()
        let call = Task { await fault(client, request) }
        await eventually { client.transferCount == 1 }
        call.cancel()
        #expect(await call.value == .cancelled)
        server.mayAnswer.signal()
    }

    @Test func `the addresses are tried in their order, and kept for the next call`() async throws {
        let service = try await SecureServer.start(name: "service.example")
        defer { service.stop() }
        let server = NameServer(["service.example": ["127.0.0.1", "[::1]"]])
        server.mayAnswer.signal()
        var configuration = HTTPConfiguration.patient
        configuration.certificateAuthorities = service.certificate
        let client = HTTPClient(configuration, HTTPLoop(server.lookups()))
        for _ in 0..<2 {
            #expect(try await client.send(HTTPRequest(.get, service.url("service.example"))).status == 200)
        }
        #expect(server.asked.withLock(\.self) == ["service.example"])
    }

    @Test func `if the name server stops answering, calls still reach a service with a known address`() async throws {
        let service = try await SecureServer.start(name: "service.example")
        defer { service.stop() }
        let server = NameServer(["service.example": ["127.0.0.1"]])
        server.mayAnswer.signal()
        var configuration = HTTPConfiguration.patient
        configuration.certificateAuthorities = service.certificate
        let times = NameLookups.Times(lifetime: .zero, staleWait: .milliseconds(20))
        let client = HTTPClient(configuration, HTTPLoop(server.lookups(times)))
        let request = HTTPRequest(.get, try service.url("service.example"))
        #expect(try await client.send(request).status == 200)
        server.mayAnswer.wait()
        for _ in 0..<3 { #expect(try await client.send(request).status == 200) }
        #expect(server.asked.withLock(\.count) == 2, "the lookup is still pending")
        server.mayAnswer.signal()
    }

    @Test func `a name whose lookup now fails keeps its address`() async throws {
        let service = try await SecureServer.start(name: "service.example")
        defer { service.stop() }
        let isGone = Mutex(false)
        let lookups = NameLookups(.init(lifetime: .zero)) { _ in isGone.withLock { $0 ? [] : ["127.0.0.1"] } }
        var configuration = HTTPConfiguration.patient
        configuration.certificateAuthorities = service.certificate
        let client = HTTPClient(configuration, HTTPLoop(lookups))
        let request = HTTPRequest(.get, try service.url("service.example"))
        #expect(try await client.send(request).status == 200)
        isGone.withLock { $0 = true }
        #expect(try await client.send(request).status == 200)
    }

    @Test func `once a lookup is known to be slow, it does not delay other names`() async throws {
        let hold = DispatchSemaphore(value: 0)
        hold.signal()
        let asked = Mutex(0)
        let lookups = NameLookups(.init(slow: .zero)) { name in
            if name == "dead.example" {
                asked.withLock { $0 += 1 }
                hold.wait()
            }
            return ["192.0.2.1"]
        }
        func isFound(_ name: String) async -> Bool {
            await withCheckedContinuation { answer in lookups.look(up: name) { answer.resume(returning: !$0.isEmpty) } }
        }
        #expect(await isFound("dead.example"))
        async let dead = isFound("dead.example")
        await eventually { asked.withLock { $0 == 2 } }
        #expect(await isFound("service.example"))
        hold.signal()
        #expect(await dead)
    }
}
