// Tests the memory limits of connections, for each one and in total.

import Dispatch
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassWire

@Suite("rpc.md §2: memory of connections")
struct MemoryAccountTests {
    private static func call(_ id: Int, keeping bytes: Int) -> String {
        let text = String(repeating: "x", count: bytes)
        return "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"m\",\"params\":{\"a\":\"\(text)\"}}\n"
    }

    @Test func `no account exceeds its limit, and returned memory can be used again`() {
        let account = MemoryAccount(limit: 100)
        #expect(account.change(by: 100))
        #expect(!account.change(by: 1))
        #expect(account.used == 100)
        #expect(account.change(by: -40))
        #expect(account.change(by: 40))
        #expect(!account.change(by: .max))
    }

    @Test func `a small connection still has room if others have filled the total`() {
        let total = MemoryAccount(limit: 8 << 20)
        let (greedy, modest) = (MemoryAccount(limit: 8 << 20, of: total), MemoryAccount(limit: 8 << 20, of: total))
        #expect(greedy.change(by: 8 << 20))
        #expect(!greedy.change(by: 1))
        #expect(modest.change(by: 1 << 20))
        #expect(!modest.change(by: 1))
        #expect(greedy.change(by: -(8 << 20)))
        #expect(modest.change(by: 1))
        #expect(total.used == (1 << 20) + 1)
    }

    @Test func `if connections keep too much in total, they are closed, and return all their memory`() async throws {
        let account = MemoryAccount(limit: 400_000)
        let first = try ServedPeer(account: account) { _ in }
        let peer = first.raw()
        // A message without an end. The connection may be closed in the middle of the message.
        try? peer.send([UInt8](repeating: UInt8(ascii: "x"), count: 900_000))
        #expect(try await first.ends.wait(for: 1) == [.memoryExhausted(limit: 400_000)])
        try await first.closes.wait(for: 1)
        #expect(first.queue.sync { account.used } == 0)
        peer.close()
    }

    @Test func `pending calls and unread answers count`() async throws {
        let account = MemoryAccount(limit: 1 << 20)
        let calls = Recorder<Call>()
        let served = try ServedPeer(account: account) { calls.append($0) }
        let peer = served.raw()
        try? peer.send((1...20).map { Self.call($0, keeping: 60_000) }.joined())
        #expect(try await served.ends.wait(for: 1) == [.memoryExhausted(limit: 1 << 20)])
        peer.close()

        let unread = MemoryAccount(limit: 1 << 20)
        let other = try ServedPeer(account: unread)
        let reader = other.raw()
        let text = String(repeating: "x", count: 100_000)
        other.queue.sync { for _ in 0..<30 { other.server.notify(.setToken(text, resource: "r")) } }
        #expect(try await other.ends.wait(for: 1) == [.memoryExhausted(limit: 1 << 20)])
        reader.close()
    }

    @Test func `calls whose client has left count until they are answered`() async throws {
        let account = MemoryAccount(limit: 1 << 20)
        let calls = Recorder<Call>()
        let served = try ServedPeer(account: account) { calls.append($0) }
        let peer = served.raw()
        try peer.send(Self.call(1, keeping: 20_000))
        let call = try await calls.wait(for: 1)[0]
        peer.close()
        try await served.closes.wait(for: 1)
        #expect(served.queue.sync { account.used } > 20_000)
        served.queue.sync { call.answer(.success([:])) }
        #expect(served.queue.sync { account.used } == 0)
    }

    @Test func `small values in small arrays count with their real memory, not with the length of their text`()
        async throws
    {
        let account = MemoryAccount(limit: 500_000)
        let calls = Recorder<Call>()
        let served = try ServedPeer(account: account) { calls.append($0) }
        let peer = served.raw()
        let params = Array(repeating: "[0]", count: 8000).joined(separator: ",")
        // A text of 32 kB.
        try? peer.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":[\(params)]}\n")
        #expect(try await served.ends.wait(for: 1) == [.memoryExhausted(limit: 500_000)])
        peer.close()
    }

    @Test func `answers in an unfinished batch count`() async throws {
        let account = MemoryAccount(limit: 300_000)
        let calls = Recorder<Call>()
        let text = String(repeating: "x", count: 20_000)
        // The first call of each batch is never answered.
        let served = try ServedPeer(account: account) { call in
            if call.request.id == .number(JSONNumber(1)) { return calls.append(call) }
            call.answer(.success(.string(text)))
        }
        let peer = served.raw()
        let items = (1...31).map { ServerConnectionTests.call($0).dropLast() }.joined(separator: ",")
        try? peer.send("[\(items)]\n")
        #expect(try await served.ends.wait(for: 1) == [.memoryExhausted(limit: 300_000)])
        peer.close()
    }
}
