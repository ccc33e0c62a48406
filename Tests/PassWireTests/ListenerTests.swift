// Tests binding, accepting, and a lack of descriptors.

import Dispatch
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassWire

@Suite("rpc.md §1: the listener")
struct ListenerTests {
    let directory: TemporaryDirectory
    let path: String
    let queue = DispatchQueue(label: "test.listener")

    init() throws {
        directory = TemporaryDirectory()
        path = directory.file("passd.sock")
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }

    private func start(_ listener: Listener, _ accepted: Recorder<Int32>) {
        queue.sync {
            listener.start(onAccept: { descriptor, _ in
                let number = descriptor.release()
                accepted.append(number)
                Glibc.close(number)
            })
        }
    }

    private func stop(_ listener: Listener) async throws {
        let stopped = Recorder<Bool>()
        queue.sync { listener.stop { stopped.append(true) } }
        try await stopped.wait(for: 1)
    }

    @Test(arguments: [0o666, 0o660, 0o600] as [mode_t]) func `the socket file has exactly the requested mode`(
        _ wanted: mode_t
    ) async throws {
        let listener = try Listener(path: path, mode: wanted, queue: queue)
        #expect(mode(path) == S_IFSOCK | wanted)
        start(listener, Recorder())
        try await stop(listener)
        #expect(mode(path) == nil, "the listener removes its file")
    }

    @Test func `a client is accepted and passed on`() async throws {
        let accepted = Recorder<Int32>()
        let listener = try Listener(path: path, mode: 0o600, queue: queue)
        start(listener, accepted)
        let peer = try RawPeer.connect(to: path)
        try await accepted.wait(for: 1)
        #expect(try peer.line() == nil)
        try await stop(listener)
    }

    @Test func `the socket file of a dead process is replaced, that of a living process is not`() async throws {
        let dead = try SocketFile.bind(path, mode: 0o600, group: nil, backlog: 1)
        Glibc.close(dead.0)
        let listener = try Listener(path: path, mode: 0o600, queue: queue)
        start(listener, Recorder())
        let error = #expect(throws: SocketError.self) { _ = try Listener(path: path, mode: 0o600, queue: queue) }
        #expect(error?.reason == .inUse)
        try await stop(listener)
    }

    @Test func `a file that is not a socket is not changed`() throws {
        let number = open(path, O_CREAT | O_WRONLY, 0o600)
        Glibc.close(number)
        let error = #expect(throws: SocketError.self) { _ = try Listener(path: path, mode: 0o600, queue: queue) }
        #expect(error?.reason == .notASocket)
        #expect(mode(path) != nil)
    }

    @Test(arguments: ["", String(repeating: "x", count: 108)])
    func `a path that is impossible for a socket is refused with a named error`(
        _ path: String
    ) {
        let error = #expect(throws: SocketError.self) { _ = try Listener(path: path, mode: 0o600, queue: queue) }
        #expect(error?.reason == .pathTooLong(limit: 107))
    }

    @Test func `a listener does not remove the socket file of its successor`() async throws {
        let first = try Listener(path: path, mode: 0o600, queue: queue)
        start(first, Recorder())
        unlink(path)
        let second = try Listener(path: path, mode: 0o600, queue: queue)
        start(second, Recorder())
        try await stop(first)
        #expect(mode(path) != nil)
        try await stop(second)
    }

    @Test func `a socket from the service manager is used`() async throws {
        let (number, _) = try SocketFile.bind(path, mode: 0o600, group: nil, backlog: 8)
        let accepted = Recorder<Int32>()
        let listener = Listener(Descriptor(adopting: number), queue: queue)
        start(listener, accepted)
        let peer = try RawPeer.connect(to: path)
        try await accepted.wait(for: 1)
        peer.close()
        try await stop(listener)
        #expect(mode(path) != nil, "the file belongs to its maker")
    }

    @Test func `without descriptors clients are told so, and accepting continues afterwards`() async throws {
        let troubles = Recorder<Listener.Trouble>()
        let accepted = Recorder<Int32>()
        let (number, file) = try SocketFile.bind(path, mode: 0o600, group: nil, backlog: 8)
        let attempts = Recorder<Int32>()
        var system = ListenerSystem()
        let real = system.accept
        system.accept = { number in
            attempts.append(number)
            return attempts.elements.count == 1 ? .exhausted(EMFILE) : real(number)
        }
        let listener = Listener(Descriptor(adopting: number), file: file, queue: queue, system: system)
        queue.sync {
            listener.start(
                onAccept: { client, _ in accepted.append(client.number) }, onTrouble: { troubles.append($0) })
        }
        let unlucky = try RawPeer.connect(to: path)
        let error = try unlucky.message()["error"]
        #expect(error?["data"]?["code"] == "LIMIT")
        #expect(error?["data"]?["details"] == ["limit": "descriptors"])
        #expect(try unlucky.line() == nil)
        #expect(try await troubles.wait(for: 1) == [.exhausted(errno: EMFILE, turnedAway: 1)])
        let lucky = try RawPeer.connect(to: path)
        try await accepted.wait(for: 1)
        lucky.close()
        try await stop(listener)
    }

    @Test func `without a reserve descriptor the listener pauses and tries again`() async throws {
        let accepted = Recorder<Int32>()
        let (number, file) = try SocketFile.bind(path, mode: 0o600, group: nil, backlog: 8)
        let attempts = Recorder<Int32>()
        var system = ListenerSystem()
        let real = system.accept
        system.pause = .milliseconds(1)
        system.openReserve = { -1 }
        system.accept = { number in
            attempts.append(number)
            return attempts.elements.count <= 3 ? .exhausted(ENFILE) : real(number)
        }
        let listener = Listener(Descriptor(adopting: number), file: file, queue: queue, system: system)
        start(listener, accepted)
        let peer = try RawPeer.connect(to: path)
        try await accepted.wait(for: 1)
        #expect(attempts.elements.count >= 4)
        peer.close()
        try await stop(listener)
    }

    @Test func `opening and closing ten thousand connections leaks no descriptor`() async throws {
        let inodes = Recorder<ino_t>()
        let closed = Recorder<Bool>()
        let listener = try Listener(path: path, mode: 0o600, queue: queue)
        let queue = queue
        queue.sync {
            listener.start(onAccept: { descriptor, _ in
                var status = stat()
                fstat(descriptor.number, &status)
                inodes.append(status.st_ino)
                ServerConnection(descriptor, queue: queue).start(
                    onCall: ServedPeer.echo, onClose: { _, _ in }, onDescriptorClosed: { closed.append(true) })
            })
        }
        for round in 0..<200 {
            let peers = try (0..<50).map { _ in try RawPeer.connect(to: path) }
            for (index, peer) in peers.enumerated() {
                switch (round + index) % 4 {
                case 0: break
                case 1: try peer.send("{\"half\":")
                case 2: try peer.send(ServerConnectionTests.call(1))
                default:
                    try peer.send(ServerConnectionTests.call(1))
                    _ = try peer.message()
                }
                peer.close()
            }
        }
        try await closed.wait(for: 10_000, within: .seconds(60))
        let ours = Set(inodes.elements)
        #expect(ours.count == 10_000)
        #expect(Self.openSockets().isDisjoint(with: ours))
        try await stop(listener)
    }

    /// The inodes of this process's open sockets.
    private static func openSockets() -> Set<ino_t> {
        var found: Set<ino_t> = []
        for number in 0..<Int32(4096) {
            var status = stat()
            if fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { found.insert(status.st_ino) }
        }
        return found
    }
}
