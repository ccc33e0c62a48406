// Tests how the sockets share turns, and that the reactor leaves nothing behind after its last user.

import Dispatch
import Glibc
import PassTestKit
import PassTestTools
import Testing

@testable import PassWire

@Suite("architecture.md §3: the turns of the sockets")
struct ReactorTests {
    private let queue = DispatchQueue(label: "test.reactor")

    private static func spin(_ nanoseconds: UInt64) {
        let end = DispatchTime.now().uptimeNanoseconds + nanoseconds
        while DispatchTime.now().uptimeNanoseconds < end {}
    }

    @Test func `a flood of new clients does not shorten the turn of connected clients`() async throws {
        let turns = Recorder<Int>()
        let served = Recorder<Int>()
        let pairs = try (0..<20).map { _ in try Descriptor.pair() }
        defer { for pair in pairs { for number in [pair.0, pair.1] { Glibc.close(number) } } }
        for pair in pairs { #expect(Glibc.write(pair.1, "x", 1) == 1) }
        let reactor = try queue.sync { () throws -> Reactor in
            let reactor = try #require(Reactor.on(queue))
            // This socket is always ready, and works for the maximum time of a listener.
            let flood = HandledSocket(pairs[0].0) { _ in
                turns.append(turns.elements.count)
                Self.spin(1_200_000)
            }
            #expect(reactor.add(flood, wanted: .input, share: .first))
            for pair in pairs.dropFirst() {
                let itself = Recorder<WatchedSocket>()
                let socket = HandledSocket(pair.0) { [unowned reactor] _ in
                    served.append(turns.elements.count)
                    if let socket = itself.elements.first { reactor.remove(socket) }
                }
                itself.append(socket)
                #expect(reactor.add(socket, wanted: .input, share: .fair(.user(0))))
            }
            return reactor
        }
        let inTurns = try await served.wait(for: 19)
        #expect(Set(inTurns).count < 10, "\(inTurns)")
        withExtendedLifetime(reactor) { queue.sync {} }
    }

    @Test func `clients that still wait for their turn when the listener stops are disconnected`() async throws {
        let directory = TemporaryDirectory()
        let path = directory.file("passd.sock")
        let listener = try Listener(path: path, mode: 0o600, queue: queue)
        let peers = try (0..<8).map { _ in try RawPeer.connect(to: path) }
        queue.sync {
            listener.start(onAccept: { client, _ in
                _ = consume client
                listener.stop()
                // The turn is over, and the other clients wait for the next turn.
                Self.spin(3_000_000)
            })
        }
        for peer in peers { #expect(try peer.line() == nil) }
    }

    @Test func `a listening socket that was shut down takes no turns until it is closed`()
        async throws
    {
        let directory = TemporaryDirectory()
        let (number, file) = try SocketFile.bind(directory.file("dead.sock"), mode: 0o600, group: nil, backlog: 8)
        let troubles = Recorder<Listener.Trouble>()
        var system = ListenerSystem()
        system.pause = .seconds(3600)
        shutdown(number, Int32(SHUT_RDWR))
        let dead = Listener(Descriptor(adopting: number), file: file, queue: queue, system: system)
        let accepted = Recorder<Int32>()
        let other = try Listener(path: directory.file("other.sock"), mode: 0o600, queue: queue)
        queue.sync {
            dead.start(onAccept: { _, _ in }, onTrouble: { troubles.append($0) })
            other.start(onAccept: { client, _ in accepted.append(client.number) })
        }
        try await troubles.wait(for: 1)
        for turn in 1...5 {
            let peer = try RawPeer.connect(to: directory.file("other.sock"))
            try await accepted.wait(for: turn)
            peer.close()
        }
        #expect(troubles.elements == [.failed(errno: ESHUTDOWN)])
        queue.sync {
            dead.stop()
            other.stop()
        }
    }

    @Test func `the memory of a sent answer is reused for the next answer, without a copy`() throws {
        let (ours, theirs) = try Descriptor.pair()
        defer { Glibc.close(theirs) }
        let stream = SocketStream(Descriptor(adopting: ours), queue: queue, readSize: 1024)
        queue.sync {
            stream.start(.init(bytes: { _ in }, end: { _ in }, moved: {}, closed: {}))
            var written: UnsafeRawPointer?
            stream.write {
                $0.append(contentsOf: [UInt8](repeating: 1, count: 500))
                written = $0.withUnsafeBytes(\.baseAddress)
            }
            stream.flush()
            var spare = Reactor.on(queue)?.spares.take() ?? []
            let room = spare.capacity
            spare.append(1)
            #expect(room >= 500 && spare.withUnsafeBytes(\.baseAddress) == written)
            stream.close()
        }
    }
}
