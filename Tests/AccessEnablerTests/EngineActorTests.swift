// Tests the engine's executor: isolated code runs on the engine's queue.

import Dispatch
import Testing

@testable import AccessEnabler

@Suite("architecture §3: one owner") struct EngineActorTests {
    @Test func `isolated code runs on the engine's queue, and resumes there after an await`() async {
        await check()
    }

    @EngineActor private func check() async {
        dispatchPrecondition(condition: .onQueue(EngineActor.queue))
        await Task.yield()
        await Task.detached {}.value
        dispatchPrecondition(condition: .onQueue(EngineActor.queue))
        EngineActor.shared.assertIsolated()
    }

    @Test func `a handler on the queue is isolated without a hop`() async {
        let answer = await withCheckedContinuation { continuation in
            EngineActor.queue.async {
                continuation.resume(returning: EngineActor.assumeIsolated { Counter.shared.next() })
            }
        }
        #expect(answer == 1)
    }

    @EngineActor private final class Counter {
        static let shared = Counter()
        private var count = 0
        func next() -> Int {
            count += 1
            return count
        }
    }
}
