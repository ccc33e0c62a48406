// Tests tasks that become ready during a turn of the sockets on the engine's queue. docs/decisions/0017.

import AccessEnabler
import Dispatch
import PassTestKit
import Testing

@Suite("docs/decisions/0017: tasks in a turn of the sockets")
struct EngineTurnsTests {
    @Test func `a task that becomes ready in a turn runs in that turn, and so do the tasks that it makes ready`() {
        let order = Recorder<String>()
        EngineActor.queue.sync {
            EngineActor.turns.begin()
            Task { @EngineActor in
                order.append("task")
                Task { @EngineActor in order.append("its own task") }
            }
            order.append("turn")
            EngineActor.turns.runReady { false }
            order.append("between")
            EngineActor.turns.runReady { false }
            _ = EngineActor.turns.end()
            order.append("end")
        }
        #expect(order.elements == ["turn", "task", "between", "its own task", "end"])
    }

    @Test func `a task that still waits at the end of the turn goes to the queue`() async throws {
        let order = Recorder<String>()
        EngineActor.queue.sync {
            EngineActor.turns.begin()
            Task { @EngineActor in order.append("task") }
            _ = EngineActor.turns.end()
            order.append("end")
        }
        #expect(try await order.wait(for: 2) == ["end", "task"])
    }

    @Test func `a chain of tasks that make each other ready cannot keep a turn from ending`() async throws {
        let rounds = Recorder<Int>()
        EngineActor.queue.sync {
            EngineActor.turns.begin()
            begin(round: 1, of: 10, in: rounds)
            EngineActor.turns.runReady { false }
            EngineActor.turns.runReady { false }
            #expect(rounds.elements == [1, 2])
            _ = EngineActor.turns.end()
        }
        #expect(try await rounds.wait(for: 10) == Array(1...10))
    }

    @Test func `after a turn the other tasks still wait, in their order`() async throws {
        let order = Recorder<Int>()
        EngineActor.queue.sync {
            EngineActor.turns.begin()
            for number in 1...5 { Task { @EngineActor in order.append(number) } }
            EngineActor.turns.runReady { order.elements.count == 2 }
            #expect(order.elements == [1, 2])
            EngineActor.turns.runReady { false }
            #expect(order.elements == [1, 2, 3, 4, 5])
            #expect(!EngineActor.turns.end())
        }
    }

    private func begin(round: Int, of last: Int, in rounds: Recorder<Int>) {
        Task { @EngineActor in
            rounds.append(round)
            if round < last { begin(round: round + 1, of: last, in: rounds) }
        }
    }
}
