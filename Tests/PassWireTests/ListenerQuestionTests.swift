// Tests the watchdog's question whether the listener still accepts connections. operations.md §3.

import Dispatch
import PassTestKit
import PassTestTools
import Testing

@testable import PassWire

@Suite struct ListenerQuestionTests {
    private let queue = DispatchQueue(label: "test.listener")
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = TemporaryDirectory()
        path = directory.file("passd.sock")
    }

    @Test func `the listener answers at once while no client waits`() throws {
        let answers = Recorder<Int>()
        let listener = try Listener(path: path, mode: 0o600, queue: queue)
        queue.sync {
            listener.start(onAccept: { client, _ in _ = consume client })
            listener.ask { answers.append(1) }
            #expect(answers.elements == [1])
            listener.stop()
            listener.ask { answers.append(2) }
        }
        #expect(answers.elements == [1, 2])
    }

    @Test func `while a client waits, the listener answers when it handles the client`() async throws {
        let events = Recorder<String>()
        let listener = try Listener(path: path, mode: 0o600, queue: queue)
        let peer = try RawPeer.connect(to: path)
        queue.sync {
            listener.start(onAccept: { descriptor, _ in
                _ = consume descriptor
                events.append("accepted")
            })
            listener.ask { events.append("answered") }
            #expect(events.elements.isEmpty)
        }
        #expect(try await events.wait(for: 2) == ["answered", "accepted"])
        peer.close()
        queue.sync { listener.stop() }
    }

    @Test func `a listener that was never started does not answer`() throws {
        let answers = Recorder<Int>()
        let listener = try Listener(path: path, mode: 0o600, queue: queue)
        let peer = try RawPeer.connect(to: path)
        queue.sync { listener.ask { answers.append(1) } }
        queue.sync {}
        #expect(answers.elements.isEmpty)
        peer.close()
    }
}
