// Tests that the engine's actor runs on the queue of the connections, so that calls need no change of threads.

import Dispatch
import PassJSON
import PassProtocol
import PassTestKit
import PassWire
import Testing

@globalActor private actor TestEngineActor {
    static let shared = TestEngineActor()
    static let queue = DispatchQueue(label: "test.engine.actor")
    private static let executor = QueueExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    private final class QueueExecutor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            TestEngineActor.queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }

        func checkIsolated() { dispatchPrecondition(condition: .onQueue(TestEngineActor.queue)) }
    }
}

@TestEngineActor private final class Engine {
    var answered = 0

    func serve(_ descriptor: consuming Descriptor) -> ServerConnection {
        let connection = ServerConnection(descriptor, queue: TestEngineActor.queue)
        connection.start(
            onCall: { call in Task { @TestEngineActor in await self.answer(call) } }, onClose: { _, _ in })
        return connection
    }

    private func answer(_ call: Call) async {
        await Task.yield()
        answered += 1
        call.connection.notify(.setRequestorComplete(status: 1))
        call.answer(.success(.int(answered)))
    }
}

@Suite("architecture.md §3: one queue for the engine and its connections")
struct EngineActorTests {
    @Test func `an actor on the connection's queue answers calls`() async throws {
        let (ours, theirs) = try Descriptor.pair()
        let engine = Engine()
        let connection = await engine.serve(Descriptor(adopting: ours))
        let client = ClientConnection(Descriptor(adopting: theirs))
        for number in 1...3 { #expect(try await client.call("m") == .int(number)) }
        client.close()
        TestEngineActor.queue.sync { connection.close(.requested("done")) }
    }
}
