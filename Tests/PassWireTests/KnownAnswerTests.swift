// Tests the fast path of calls with known answers. It keeps the order, the framing and the limits of the normal path.
// docs/decisions/0019; rpc.md §2.

import Dispatch
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassWire

@Suite("docs/decisions/0019, rpc.md §2: known answers and limits")
struct KnownAnswerTests {
    /// Calls in `known` are recognised by their text. Calls in `late` are answered after a turn of the queue, and all
    /// others at once.
    private final class Server: @unchecked Sendable {
        let queue = DispatchQueue(label: "test.engine")
        let connection: ServerConnection
        let peer: RawPeer
        let ends = Recorder<CloseReason>()
        /// The number of calls in each turn of the queue.
        private(set) var turns: [Int] = []
        private var inThisTurn = 0
        private(set) var recalled = 0

        static let sizeOfAnswer = 3300
        private static let result = JSONValue.string(String(repeating: "y", count: 3000))
        private static let callback = Callback.setRequestorComplete(status: 1)

        init(_ limits: ConnectionLimits, account: MemoryAccount? = nil) throws {
            let (ours, theirs) = try Descriptor.pair()
            connection = ServerConnection(
                Descriptor(adopting: ours), queue: queue, limits: SharedLimits(limits), account: account)
            peer = RawPeer(Descriptor(adopting: theirs))
            let known = try #require(
                KnownCall(
                    Array(KnownAnswerTests.call(1, "known").utf8), callbacks: [WrittenCallback(Self.callback)],
                    result: WrittenJSON(Self.result)))
            queue.sync {
                connection.start(
                    recall: { message in
                        guard let match = known.match(message) else { return nil }
                        self.recalled += 1
                        self.count()
                        return match
                    }, onCall: { self.take($0) }, onClose: { _, reason in self.ends.append(reason) })
            }
        }

        private func take(_ call: Call) {
            count()
            switch call.request.method {
            case "known":
                call.connection.notify(Self.callback)
                call.answer(.success(Self.result))
            case "late": queue.async { call.answer(.success("late")) }
            default: call.answer(.success("at once"))
            }
        }

        private func count() {
            inThisTurn += 1
            guard inThisTurn == 1 else { return }
            queue.async {
                self.turns.append(self.inThisTurn)
                self.inThisTurn = 0
            }
        }
    }

    private static func call(_ id: Int, _ method: String) -> String {
        "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\"}"
    }

    @Test(arguments: [5_000, 256 << 10]) func `a flood of known calls respects turns and the output limit`(
        lowWater: Int
    ) async throws {
        var limits = ConnectionLimits()
        limits.lowWater = lowWater
        limits.turnNanoseconds = .max
        let server = try Server(limits)
        // The framing is known by now.
        try server.peer.send(Self.call(0, "at once") + "\n")
        _ = try server.peer.message()
        server.queue.sync {}
        server.queue.suspend()
        let flood = Array((1...500).map { Self.call($0, "known") + "\n" }.joined().utf8)
        let sent = server.peer.sendSome(flood)
        server.queue.resume()
        #expect(sent == flood.count)
        for id in 1...500 {
            #expect(try server.peer.message()["method"] == "setRequestorComplete")
            #expect(try server.peer.message()["id"] == .int(Int64(id)))
        }
        server.queue.sync {
            #expect(server.recalled == 500)
            #expect(server.turns.allSatisfy { $0 <= limits.messagesPerTurn })
            #expect(server.connection.statistics.highestOutput <= lowWater + Server.sizeOfAnswer)
            #expect(server.connection.statistics.requests == 501)
        }
        // The last line has no line end.
        try server.peer.send(Self.call(1, "known") + "\n" + Self.call(2, "known"))
        server.peer.shutdownWriting()
        for _ in 1...4 { _ = try server.peer.message() }
        #expect(try server.peer.line() == nil)
        #expect(try await server.ends.wait(for: 1) == [.peerClosed])
    }

    @Test(arguments: 1...8) func `calls of all kinds in pieces of any size are each answered once, in order`(
        seed: UInt64
    ) async throws {
        var random = DamagedInputTests.Seeded(state: seed &* 7919)
        var limits = ConnectionLimits()
        limits.lowWater = [0, 5_000, 256 << 10].randomElement(using: &random) ?? 0
        limits.messagesPerTurn = [1, 3, 32].randomElement(using: &random) ?? 1
        limits.readSize = [64, 1_000, 64 << 10].randomElement(using: &random) ?? 64
        let account = MemoryAccount(limit: 64 << 20)
        let server = try Server(limits, account: account)
        let methods = (0..<400).map { _ in
            ["known", "known", "known", "late", "at once"].randomElement(using: &random) ?? ""
        }
        var bytes: [UInt8] = []
        for (id, method) in methods.enumerated() {
            bytes +=
                (Self.call(id, method) + (["\n", "\n", "\r\n", "\n\n"].randomElement(using: &random) ?? "\n")).utf8
        }
        var answered: [Int] = []
        func read() throws {
            if let id = try server.peer.message()["id"]?.int64 { answered.append(Int(id)) }
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(Int.random(in: 1...4_000, using: &random)))
            let sent = server.peer.sendSome(piece)
            rest = rest.dropFirst(sent)
            // The server reads again only after its answers are read.
            if sent < piece.count { try read() }
        }
        while answered.count < methods.count { try read() }
        #expect(Set(answered).count == methods.count)
        let immediate = answered.filter { methods[$0] != "late" }
        #expect(immediate == immediate.sorted())
        #expect(methods[0] != "known" || server.queue.sync { server.recalled } > 0)
        server.peer.close()
        _ = try await server.ends.wait(for: 1)
        #expect(server.queue.sync { account.used } == 0)
    }
}
