// Tests that other clients get turns during a batch, and that the batch still gets one answer.

import Dispatch
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassWire

@Suite("rpc.md §2: turns of a batch")
struct BatchTurnTests {
    /// Limits with which a turn ends after each call.
    private static let shortTurns: ConnectionLimits = {
        var limits = ConnectionLimits()
        limits.turnNanoseconds = 0
        return limits
    }()

    private static func batch(_ ids: ClosedRange<Int>) -> String {
        "[" + ids.map { ServerConnectionTests.call($0).dropLast() }.joined(separator: ",") + "]"
    }

    private static func ids(_ answer: JSONValue) -> [Int64?]? { answer.array?.map { $0["id"]?.int64 } }

    /// Two clients of different users on one queue. Each of their calls is recorded.
    private func pair(_ order: Recorder<String>) throws -> (DispatchQueue, RawPeer, RawPeer) {
        let queue = DispatchQueue(label: "test.engine")
        func serve(_ owner: ConnectionOwner, _ name: String) throws -> RawPeer {
            let (ours, theirs) = try Descriptor.pair()
            let server = ServerConnection(
                Descriptor(adopting: ours), queue: queue, limits: SharedLimits(Self.shortTurns), owner: owner)
            queue.sync {
                server.start(
                    onCall: { call in
                        order.append(name + (call.request.id?.json.text ?? ""))
                        call.answer(.success([:]))
                    }, onClose: { _, _ in })
            }
            return RawPeer(Descriptor(adopting: theirs))
        }
        return (queue, try serve(.user(1), "batch "), try serve(.user(2), "other "))
    }

    @Test func `another user's call waits for one call of a batch, not for the whole batch`() async throws {
        let order = Recorder<String>()
        let (queue, busy, other) = try pair(order)
        queue.suspend()
        try busy.send(Self.batch(1...32) + "\n")
        try other.send(ServerConnectionTests.call(1))
        queue.resume()
        let seen = try await order.wait(for: 33)
        #expect(try #require(seen.firstIndex(of: "other 1")) <= 1)
        #expect(seen.filter { $0 != "other 1" } == (1...32).map { "batch \($0)" })
        #expect(Self.ids(try busy.message()) == (1...32).map { $0 })
        #expect(try other.message()["id"] == 1)
    }

    @Test func `another user's call waits for one of many lines, not for all`() async throws {
        let order = Recorder<String>()
        let (queue, busy, other) = try pair(order)
        queue.suspend()
        try busy.send((1...32).map { ServerConnectionTests.call($0) }.joined())
        try other.send(ServerConnectionTests.call(1))
        queue.resume()
        let seen = try await order.wait(for: 33)
        #expect(try #require(seen.firstIndex(of: "other 1")) <= 1)
        #expect(seen.filter { $0 != "other 1" } == (1...32).map { "batch \($0)" })
    }

    @Test func `calls after a batch begin after the batch's last call`() throws {
        let order = Recorder<Int64?>()
        let peer = try ServedPeer(limits: Self.shortTurns) { call in
            order.append(call.request.id?.json.int64)
            call.answer(.success([:]))
        }.raw()
        try peer.send(Self.batch(1...5) + "\n" + ServerConnectionTests.call(6) + Self.batch(7...9) + "\n")
        #expect(Self.ids(try peer.message()) == [1, 2, 3, 4, 5])
        #expect(try peer.message()["id"] == 6)
        #expect(Self.ids(try peer.message()) == [7, 8, 9])
        #expect(order.elements == (1...9).map { $0 })
    }

    @Test(arguments: ["\n", ""]) func `a client that has closed its side gets the whole answer`(
        _ end: String
    ) async throws {
        let served = try ServedPeer(limits: Self.shortTurns)
        let peer = served.raw()
        try peer.send(Self.batch(1...8) + end)
        peer.shutdownWriting()
        #expect(Self.ids(try peer.message()) == (1...8).map { $0 })
        #expect(try peer.line() == nil)
        #expect(try await served.ends.wait(for: 1) == [.peerClosed])
    }

    @Test func `a stop in the middle of a batch lets the whole batch be answered`() async throws {
        let served = try ServedPeer(limits: Self.shortTurns) { call in
            if call.request.id == .number(JSONNumber(2)) { call.connection.finish(.requested("stopping")) }
            call.answer(.success([:]))
        }
        let peer = served.raw()
        try peer.send(Self.batch(1...8).dropLast() + ",17]\n")
        #expect(Self.ids(try peer.message()) == (1...8).map { $0 } + [nil])
        #expect(try peer.line() == nil)
        #expect(try await served.ends.wait(for: 1) == [.requested("stopping")])
    }

    @Test func `after a client is closed in the middle of a batch, no further call is executed`() async throws {
        let order = Recorder<RequestID?>()
        let served = try ServedPeer(limits: Self.shortTurns) { call in
            order.append(call.request.id)
            if order.elements.count == 3 { call.connection.close(.requested("enough")) }
            call.answer(.success([:]))
        }
        let peer = served.raw()
        try peer.send(Self.batch(1...8) + "\n")
        #expect(try await served.ends.wait(for: 1) == [.requested("enough")])
        try await served.closes.wait(for: 1)
        served.queue.sync {}
        #expect(order.elements.count == 3)
        peer.close()
    }

    @Test func `in the middle of a batch a connection is not handed over`() async throws {
        let given = Recorder<Bool>()
        let peer = try ServedPeer(limits: Self.shortTurns) { call in
            call.answer(.success([:]))
            given.append(call.connection.handOver { _ in true })
        }.raw()
        try peer.send(Self.batch(1...3) + "\n")
        #expect(Self.ids(try peer.message()) == [1, 2, 3])
        #expect(try await given.wait(for: 3).dropLast() == [false, false])
        peer.close()
    }

    @Test func `waiting calls of a batch count as memory`() async throws {
        let kept = Recorder<Int>()
        let peer = try ServedPeer(limits: Self.shortTurns) { call in
            kept.append(call.connection.keptBytes)
            call.answer(.success([:]))
        }.raw()
        let text = String(repeating: "x", count: 10_000)
        let call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"a\":\"\(text)\"}}"
        try peer.send("[" + Array(repeating: call, count: 20).joined(separator: ",") + "]\n")
        _ = try peer.message()
        #expect(kept.elements[0] > 200_000)
        #expect(kept.elements[10] < kept.elements[0] - 90_000)
        peer.close()
    }

    @Test func `a result from stored text has the same bytes as any other`() throws {
        let result: JSONValue = ["a\n": [1, nil, "\u{1}"]]
        let written = WrittenJSON(result)
        let peer = try ServedPeer { call in
            call.answer(result: .success(call.request.method == "m" ? .written(written) : .value(result)))
        }.raw()
        let calls = [ServerConnectionTests.call(1), ServerConnectionTests.call(1, "n")]
        try peer.send(calls.joined())
        let first = try peer.line()
        #expect(try first == peer.line())
        #expect(first == #"{"jsonrpc":"2.0","id":1,"result":{"a\n":[1,null,"\u0001"]}}"#)
        try peer.send("[" + calls.map { $0.dropLast() }.joined(separator: ",") + "]\n")
        #expect(try peer.line() == first.map { "[\($0),\($0)]" })
    }
}

extension JSONValue {
    fileprivate var text: String { String(decoding: JSONWriter.bytes(self), as: UTF8.self) }
}
