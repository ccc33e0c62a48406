// Returns unused memory to the system. This happens some seconds after many clients have left or much memory was freed. If more
// memory is freed in the meantime, the wait is longer, up to a limit. After a further delay, memory is returned once more,
// because the last calls of those clients may end late. No timer runs on an idle box. Ruling 59.

import AccessEnabler
import PassSystem

@EngineActor final class MemoryReturn {
    private static let pause = Duration.seconds(5)
    /// The delay before memory is returned once more. By then, most of the last calls have ended.
    private static let rest = Duration.seconds(20)
    /// After this number of pauses, memory is returned even if more memory was freed during each pause.
    private static let maxPauses = 6
    /// Memory is returned after this number of clients have left.
    private static let manyClients = 64

    private let clock: any EngineClock
    private let giveBack: @Sendable () -> Void
    private var alarm: (any EngineAlarm)?
    private var hasMore = false
    private var isRest = false
    private var pauses = 0
    private var departures = 0

    nonisolated init(clock: any EngineClock, giveBack: @escaping @Sendable () -> Void = { Heap.giveBack() }) {
        self.clock = clock
        self.giveBack = giveBack
    }

    func clientLeft() {
        departures += 1
        guard departures >= Self.manyClients else { return }
        departures = 0
        memoryFreed()
    }

    func memoryFreed() {
        hasMore = true
        if alarm == nil { wait(Self.pause) }
    }

    private func wait(_ time: Duration) {
        hasMore = false
        alarm = clock.alarm(at: clock.boot.advanced(by: time)) { [weak self] in self?.ring() }
    }

    private func ring() {
        alarm = nil
        pauses += 1
        guard !hasMore || pauses >= Self.maxPauses else { return wait(Self.pause) }
        pauses = 0
        // This does not run on the engine's queue, because returning memory takes some milliseconds.
        let giveBack = giveBack
        Task.detached { giveBack() }
        isRest.toggle()
        if isRest { wait(Self.rest) }
    }
}
