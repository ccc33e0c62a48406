// All deadlines of the daemon on one timerfd that counts suspend: Dispatch's own timers do not. Everything happens on
// one serial queue, which owns the state: calls are made there, and timers fire there. While nothing is scheduled the
// timer is disarmed and wakes nobody. Contract: architecture.md §3.

import Dispatch
import Glibc

public final class BootTimers: @unchecked Sendable {
    public struct Timer: Hashable, Sendable { let number: UInt64 }

    public let queue: DispatchQueue
    // Owned by the queue, all of it.
    private var timer: TimerDescriptor?
    private var heap = DeadlineHeap<@Sendable () -> Void>()
    private var numbers: UInt64 = 0
    private var armed: Duration?

    /// Called on the queue.
    public init(queue: DispatchQueue) throws(TimerFault) {
        self.queue = queue
        timer = try TimerDescriptor(CLOCK_BOOTTIME, queue: queue) { [weak self] in self?.fire() }
    }

    deinit { queue.async { [timer] in timer?.cancel() } }

    public var count: Int {
        dispatchPrecondition(condition: .onQueue(queue))
        return heap.count
    }

    /// Calls back once, on the queue, at or soon after the moment; one that has passed is due at once, but never within
    /// this call.
    @discardableResult public func schedule(at moment: Duration, _ action: @escaping @Sendable () -> Void) -> Timer {
        dispatchPrecondition(condition: .onQueue(queue))
        numbers += 1
        if timer != nil {
            heap.insert(numbers, at: moment, action)
            arm()
        }
        return Timer(number: numbers)
    }

    /// After this the timer does not fire any more. False if it has fired already.
    @discardableResult public func cancel(_ timer: Timer) -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        defer { arm() }
        return heap.remove(timer.number)
    }

    /// Ends all timers, for good.
    public func cancelAll() {
        dispatchPrecondition(condition: .onQueue(queue))
        heap = DeadlineHeap()
        timer?.cancel()
        timer = nil
    }

    private func fire() {
        guard let timer, timer.hasExpired() else { return }
        armed = nil
        // An action may cancel what is due beside it. What it schedules waits for the next round, even when it is due,
        // so that the queue gets to other work in between.
        let (now, last) = (BootClock.now, numbers)
        while let action = heap.next(by: now, upTo: last) { action() }
        arm()
    }

    private func arm() {
        let earliest = heap.earliest()
        guard earliest != armed else { return }
        armed = earliest
        timer?.set(earliest)
    }
}
