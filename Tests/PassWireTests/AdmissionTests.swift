// Tests which connections are admitted, and in which order.

import Dispatch
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassWire

@Suite struct AdmissionTests {
    private let queue = DispatchQueue(label: "test.listener")
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = TemporaryDirectory()
        path = directory.file("passd.sock")
    }

    @Test func `a refused client gets the reason, and no connection is created for it`() throws {
        let accepted = Recorder<Int32>()
        let listener = try Listener(path: path, mode: 0o600, queue: queue)
        let reason = RefusalLine(.limit("connections-per-second", maximum: 1))
        queue.sync {
            listener.start(
                admit: { _ in .refused(reason) }, onAccept: { client, _ in accepted.append(client.number) })
        }
        for _ in 0..<100 {
            let peer = try RawPeer.connect(to: path)
            #expect(try peer.message()["error"]?["data"]?["details"]?["limit"] == "connections-per-second")
            #expect(try peer.line() == nil)
            peer.close()
        }
        #expect(accepted.elements.isEmpty)
        queue.sync { listener.stop() }
    }

    @Test func `owners take turns, even if many connections of one owner wait`() async throws {
        let entered = Recorder<ConnectionOwner>()
        let listener = try Listener(path: path, mode: 0o600, queue: queue)
        let peers = try (0..<60).map { _ in try RawPeer.connect(to: path) }
        let asked = Recorder<Int32>()
        queue.sync {
            listener.start(
                // The last connection has another owner.
                admit: { number in
                    asked.append(number)
                    return .enters(.user(asked.elements.count < 60 ? 1 : 2))
                },
                onAccept: { client, owner in
                    _ = consume client
                    entered.append(owner)
                })
        }
        let order = try await entered.wait(for: 60)
        #expect(order.count { $0 == .user(1) } == 59)
        #expect((order.firstIndex(of: .user(2)) ?? 60) <= 58, "it waits for one turn of the others, not for all")
        for peer in peers { peer.close() }
        queue.sync { listener.stop() }
    }

    @Test func `a connection that waits for a turn is closed when the listener stops`() async throws {
        let entered = Recorder<ConnectionOwner>()
        let stopped = Recorder<Bool>()
        let listener = try Listener(path: path, mode: 0o600, queue: queue)
        let peer = try RawPeer.connect(to: path)
        queue.sync {
            listener.start(
                admit: { _ in
                    listener.stop { stopped.append(true) }
                    return .enters(.strangers)
                }, onAccept: { _, owner in entered.append(owner) })
        }
        try await stopped.wait(for: 1)
        #expect(try peer.line() == nil)
        #expect(entered.elements.isEmpty)
        peer.close()
    }

    @Test func `during a flood, other work of the queue gets its turns`() async throws {
        let listener = try Listener(path: path, mode: 0o600, queue: queue)
        // All clients wait in the kernel's queue when the first is accepted.
        let peers = try (0..<200).map { _ in try RawPeer.connect(to: path) }
        let refused = Recorder<Bool>()
        let refusedBeforeTheOtherWork = Recorder<Int>()
        queue.sync {
            listener.start(
                admit: { [queue] _ in
                    if refused.elements.isEmpty {
                        queue.async { refusedBeforeTheOtherWork.append(refused.elements.count) }
                    }
                    // Each client takes longer than a turn.
                    let end = DispatchTime.now().uptimeNanoseconds + 2_000_000
                    while DispatchTime.now().uptimeNanoseconds < end {}
                    refused.append(true)
                    return .refused(nil)
                }, onAccept: { _, _ in })
        }
        try await refused.wait(for: 200)
        #expect(refusedBeforeTheOtherWork.elements.allSatisfy { $0 < 10 })
        #expect(refusedBeforeTheOtherWork.elements.count == 1)
        for peer in peers { peer.close() }
        queue.sync { listener.stop() }
    }
}
