// Tests a connection that another process continues. operations.md §3: restarts without losing clients.

import Dispatch
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Synchronization
import Testing

@testable import PassWire

@Suite struct HandOverTests {
    /// Hands over as soon as the connection has no output left.
    private func handOverSoon(_ served: ServedPeer) -> Int32? {
        var copy: Int32?
        _ = becomesTrue {
            copy = handOver(served)
            return copy != nil
        }
        return copy
    }

    /// Hands the connection over, and returns the copy of the socket if there is one.
    private func handOver(_ served: ServedPeer) -> Int32? {
        served.queue.sync {
            var copy: Int32 = -1
            let isGiven = served.server.handOver { number in
                copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
                return copy >= 0
            }
            return isGiven ? copy : nil
        }
    }

    @Test(arguments: [Framing.line, .headers]) func `the next process answers in the framing that was chosen before`(
        _ framing: Framing
    ) async throws {
        let first = try ServedPeer()
        let peer = first.raw()
        let body = Array(ServerConnectionTests.call(1).utf8.dropLast())
        let answer = framing.frame(Array(#"{"jsonrpc":"2.0","id":1,"result":{"method":"m","params":null}}"#.utf8))
        try peer.send(String(decoding: framing.frame(body), as: UTF8.self))
        #expect(try peer.bytes(answer.count) == answer)
        #expect(first.queue.sync { first.server.framing } == framing)
        let copy = try #require(handOverSoon(first))
        try await first.closes.wait(for: 1)
        // No server reads at this time.
        try peer.send(String(decoding: framing.frame(body), as: UTF8.self))
        let queue = DispatchQueue(label: "test.engine.next")
        let second = ServerConnection(Descriptor(adopting: copy), queue: queue, framing: framing)
        queue.sync {
            #expect(!second.isServing)
            second.start(onCall: ServedPeer.echo, onClose: { _, _ in })
            #expect(second.isServing)
        }
        #expect(try peer.bytes(answer.count) == answer)
        peer.close()
    }

    @Test func `a connection is not handed over with half a message, with a pending call, or twice`() async throws {
        let pending = Recorder<Call>()
        let served = try ServedPeer { pending.append($0) }
        let peer = served.raw()
        try peer.send(ServerConnectionTests.call(1) + "{")
        let call = try #require(try await pending.wait(for: 1).first)
        #expect(handOver(served) == nil, "a call is pending")
        served.queue.sync { call.answer(.success([:])) }
        #expect(try peer.message()["id"] == 1)
        #expect(handOver(served) == nil, "half a message has arrived")
        try peer.send("}\n")
        #expect(try peer.message()["error"] != nil)
        let copy = try #require(handOverSoon(served))
        close(copy)
        #expect(handOver(served) == nil, "the connection was handed over")
        peer.close()
    }

    @Test func `if no process accepts the connection, it continues`() throws {
        let served = try ServedPeer()
        let peer = served.raw()
        #expect(!served.queue.sync { served.server.handOver { _ in false } })
        try peer.send(ServerConnectionTests.call(3))
        #expect(try peer.message()["id"] == 3)
        peer.close()
    }
}
