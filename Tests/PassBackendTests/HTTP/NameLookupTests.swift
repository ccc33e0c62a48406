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

    @Test(arguments: [["127.0.0.1"], []])
    func `if there is no connection to a known address, the name is looked up once more`(last: [String]) async throws {
        let service = try await SecureServer.start(name: "service.example")
        defer { service.stop() }
        // Nothing listens at the first address.
        let answers = Mutex([["127.0.0.2"], [], last])
        let lookups = NameLookups(.init(lifetime: .zero)) { _ in
            answers.withLock { $0.isEmpty ? ["127.0.0.3"] : $0.removeFirst() }
        }
        var configuration = HTTPConfiguration.patient
        configuration.certificateAuthorities = service.certificate
        let client = HTTPClient(configuration, HTTPLoop(lookups))
        let request = HTTPRequest(.get, try service.url("service.example"))
        #expect(await fault(client, request) == .connect)
        #expect(await fault(client, request) == (last.isEmpty ? .connect : nil))
        let unused = answers.withLock(\.count)
        #expect(unused == 0)
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

@Suite("operations.md §5: known addresses, on a virtual clock") struct NameQueueTests {
    private static let began = ContinuousClock.now

    private final class Clock {
        var now = NameQueueTests.began
    }

    private let clock = Clock()
    private static let name = "service.example"
    private let known = ["192.0.2.1"]

    /// The queue as an object, because `#expect` changes no values.
    private final class Names {
        var queue: NameQueue
        init(_ clock: Clock) { queue = NameQueue(.init()) { clock.now } }
        func wait(_ transfer: Transfer) -> Bool { queue.wait(transfer, for: NameQueueTests.name) }
        func learn(_ addresses: [String], of name: String = NameQueueTests.name) -> [NameQueue.Ready] {
            queue.learn(addresses, of: name)
        }
        func removeDue() -> [NameQueue.Ready] { queue.removeDue() }
        func remove(_ transfer: Transfer) -> Bool { queue.remove(transfer) }
        func addresses(_ name: String = NameQueueTests.name) -> [String]? { queue.addresses(of: name) }
    }

    private func transfer() throws -> Transfer {
        Transfer(
            HTTPRequest(.get, try Origin("https://\(Self.name)").url(["x"])), HTTPConfiguration(userAgent: "tests"),
            began: clock.now)
    }

    /// A queue that learned the address at the start.
    private func informed() -> Names {
        let names = Names(clock)
        #expect(names.learn(known).isEmpty)
        return names
    }

    @Test(arguments: [
        (Duration.zero, true, true), (.seconds(29), true, true), (.seconds(30), false, true),
        (.seconds(10 * 3600), false, true), (.seconds(24 * 3600 - 1), false, true), (.seconds(24 * 3600), false, false),
    ])
    func `an address is fresh for half a minute and usable for a day`(
        age: Duration, isFresh: Bool, isUsable: Bool
    )
        throws
    {
        let names = informed()
        clock.now += age
        #expect(names.addresses() == (isFresh ? known : nil))
        let transfer = try transfer()
        #expect(names.wait(transfer))
        let ready = names.learn([])
        #expect(ready.map(\.addresses) == [isUsable ? known : []])
    }

    @Test func `while the name server is silent, only the first call waits, and only for half a second`() throws {
        let names = informed()
        clock.now += .seconds(10 * 3600)
        let first = try transfer()
        #expect(names.wait(first))
        #expect(names.queue.timeLeft == 500)
        clock.now += .milliseconds(499)
        #expect(names.removeDue().isEmpty)
        clock.now += .milliseconds(1)
        let due = names.removeDue()
        #expect(due.map(\.addresses) == [known] && due.first?.transfer === first && due.first?.isStale == true)
        #expect(names.queue.timeLeft == nil)
        #expect(!names.wait(try transfer()), "the lookup goes on")
        #expect(names.queue.timeLeft == 0)
        #expect(names.removeDue().map(\.addresses) == [known])
        #expect(names.learn(["192.0.2.2"]).isEmpty)
        #expect(names.addresses() == ["192.0.2.2"])
    }

    @Test func `without a known address, a call waits for its time to connect`() throws {
        let names = Names(clock)
        let transfer = try transfer()
        #expect(names.wait(transfer))
        #expect(names.queue.timeLeft == 5000)
        clock.now += .milliseconds(4999)
        #expect(names.removeDue().isEmpty)
        clock.now += .milliseconds(1)
        #expect(names.removeDue().map(\.addresses) == [[]])
        #expect(names.queue.count == 0)
    }

    @Test func `a lookup that ends late serves the calls that still wait`() throws {
        let names = Names(clock)
        let (cancelled, waiting) = (try transfer(), try transfer())
        #expect(names.wait(cancelled) && !names.wait(waiting))
        #expect(names.remove(cancelled) && !names.remove(cancelled))
        let ready = names.learn(known)
        #expect(ready.map(\.addresses) == [known] && ready.first?.transfer === waiting && ready.first?.isStale == false)
    }

    @Test func `with too many names, the oldest is forgotten`() {
        let names = informed()
        for number in 1...NameQueue.maxKnown {
            clock.now += .milliseconds(1)
            #expect(names.learn(known, of: "\(number).example").isEmpty)
        }
        #expect(names.addresses() == nil)
        for number in 1...NameQueue.maxKnown { #expect(names.addresses("\(number).example") == known) }
    }
}
