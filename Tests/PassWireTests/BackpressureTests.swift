// Tests the cost of a client that does not read, or does not stop writing.

import Dispatch
import PassJSON
import PassProtocol
import PassTestKit
import PassWire
import Testing

@Suite("rpc.md §2: limits and backpressure")
struct BackpressureTests {
    @Test func `a client that does not read is disconnected, and the owner gets the reason`() async throws {
        var limits = ConnectionLimits()
        limits.outputBuffer = 100_000
        let served = try ServedPeer(limits: limits)
        let peer = served.raw()
        let text = String(repeating: "x", count: 10_000)
        served.queue.sync {
            for _ in 0..<1000 { served.server.notify(.setToken(text, resource: "r")) }
        }
        #expect(try await served.ends.wait(for: 1) == [.outputOverflow(limit: 100_000)])
        let highest = served.queue.sync { served.server.statistics.highestOutput }
        #expect(highest <= 100_000 + 11_000)
        try await served.closes.wait(for: 1)
        peer.close()
    }

    @Test func `a client that has stopped reading is disconnected after some time, even if little output waits`()
        async throws
    {
        var limits = ConnectionLimits()
        limits.stallTime = .milliseconds(20)
        let served = try ServedPeer(limits: limits)
        let peer = served.raw()
        let text = String(repeating: "x", count: 100_000)
        served.queue.sync { for _ in 0..<20 { served.server.notify(.setToken(text, resource: "r")) } }
        #expect(try await served.ends.wait(for: 1) == [.outputStalled])
        peer.close()
    }

    @Test func `a refused client is told why the daemon accepts no calls`() async throws {
        let served = try ServedPeer()
        let client = served.client()
        served.queue.async { served.server.refuse(.limit("sessions-per-user", maximum: 3)) }
        await #expect(throws: ClientError.refused(.limit("sessions-per-user", maximum: 3))) {
            _ = try await client.call("passd.whoami")
        }
    }

    @Test func `calls of a client that does not read its answers wait in the kernel, and are answered once it reads`()
        throws
    {
        var limits = ConnectionLimits()
        limits.lowWater = 10_000
        limits.outputBuffer = 200_000
        let text = String(repeating: "x", count: 5000)
        let padding = String(repeating: " ", count: 500)
        let served = try ServedPeer(limits: limits) { $0.answer(.success(.string(text))) }
        let peer = served.raw()
        var bytes = Array((1...5000).map { padding + ServerConnectionTests.call($0) }.joined().utf8)
        // Writes until neither the kernel nor the server accepts more.
        var idle = 0
        while idle < 3, !bytes.isEmpty {
            let count = peer.sendSome(bytes)
            bytes.removeFirst(count)
            idle = count == 0 ? idle + 1 : 0
            for _ in 0..<10 { served.queue.sync {} }
        }
        let statistics = served.queue.sync { served.server.statistics }
        #expect(statistics.requests < 5000)
        #expect(statistics.highestOutput <= 10_000 + 6000)
        let sent = 5000 - String(decoding: bytes, as: UTF8.self).split(separator: "\n").count
        #expect(sent < 5000)
        for id in 1...5000 {
            #expect(try peer.message()["id"] == .int(id))
            bytes.removeFirst(peer.sendSome(bytes))
        }
        #expect(served.ends.elements.isEmpty)
    }

    @Test func `a flooding client yields to other work on the queue after 32 messages`() async throws {
        let order = Recorder<String>()
        var limits = ConnectionLimits()
        limits.turnNanoseconds = .max
        let served = try ServedPeer(limits: limits) { call in
            if order.elements.isEmpty { call.connection.queue.async { order.append("other work") } }
            order.append("flood")
            call.answer(.success([:]))
        }
        let peer = served.raw()
        let flood = Array((1...1000).map { ServerConnectionTests.call($0) }.joined().utf8)
        served.queue.suspend()
        #expect(peer.sendSome(flood) == flood.count)
        served.queue.resume()
        let seen = try await order.wait(for: 1001)
        #expect(seen.firstIndex(of: "other work") == ConnectionLimits().messagesPerTurn)
    }

    @Test func `the disconnection of a paused client is noticed`() async throws {
        var limits = ConnectionLimits()
        limits.lowWater = 0
        let text = String(repeating: "x", count: 1 << 20)
        let served = try ServedPeer(limits: limits) { $0.answer(.success(.string(text))) }
        let peer = served.raw()
        try peer.send(ServerConnectionTests.call(1))
        _ = try peer.bytes(1)
        try peer.send(ServerConnectionTests.call(2))
        peer.close()
        #expect(try await served.ends.wait(for: 1) == [.peerClosed])
        try await served.closes.wait(for: 1)
    }

    @Test func `a client that disconnects after its last call is noticed while the call is pending`() async throws {
        let held = Recorder<Call>()
        let served = try ServedPeer { held.append($0) }
        let peer = served.raw()
        try peer.send(ServerConnectionTests.call(1))
        peer.shutdownWriting()
        try await held.wait(for: 1)
        served.queue.sync {}
        peer.close()
        #expect(try await served.ends.wait(for: 1) == [.peerClosed])
        try await served.closes.wait(for: 1)
    }

    @Test func `a client that does not read its last answers is disconnected after some time`() async throws {
        var limits = ConnectionLimits()
        limits.drainTime = .milliseconds(5)
        let text = String(repeating: "x", count: 1 << 20)
        let served = try ServedPeer(limits: limits) { $0.answer(.success(.string(text))) }
        let peer = served.raw()
        try peer.send(ServerConnectionTests.call(1))
        _ = try peer.bytes(1)
        served.queue.sync { served.server.drain(.requested("stopping")) }
        #expect(try await served.ends.wait(for: 1) == [.requested("stopping")])
        try await served.closes.wait(for: 1)
        peer.close()
    }

    @Test func `half a message needs a limited buffer and is dropped with its client`() async throws {
        let served = try ServedPeer()
        let peer = served.raw()
        try peer.send("{\"jsonrpc\":")
        try peer.send([UInt8](repeating: 0x20, count: 500_000))
        peer.close()
        #expect(try await served.ends.wait(for: 1) == [.peerClosed])
        try await served.closes.wait(for: 1)
    }
}
