// All deadlines of the daemon, on one timerfd: a timer of the kernel with a descriptor. Unlike Dispatch's own timers, a timerfd
// counts while the box is suspended. One serial queue owns the state. All calls must be made on this queue, and timers fire on
// it. While nothing is scheduled, the timer is disarmed. Contract: architecture.md §3.

public import Dispatch
import Glibc

public final class BootTimers: @unchecked Sendable {
    public struct Timer: Hashable, Sendable { let number: UInt64 }

    public let queue: DispatchQueue
    // Everything below is owned by the queue.
    private var timer: TimerDescriptor?
    private var heap = DeadlineHeap<@Sendable () -> Void>()
    private var numbers: UInt64 = 0
    private var armed: Duration?

    /// Makes the timers. Call this on the queue.
    public init(queue: DispatchQueue) throws(TimerFault) {
        self.queue = queue
        timer = try TimerDescriptor(CLOCK_BOOTTIME, queue: queue) { [weak self] in self?.fire() }
    }

    deinit { queue.async { [timer] in timer?.cancel() } }

    public var count: Int {
        dispatchPrecondition(condition: .onQueue(queue))
        return heap.count
    }

    /// Calls `action` once, on the queue, at the moment or soon after. A moment in the past counts as now, but the action is
    /// never called before `schedule` has returned.
    @discardableResult public func schedule(at moment: Duration, _ action: @escaping @Sendable () -> Void) -> Timer {
        dispatchPrecondition(condition: .onQueue(queue))
        numbers += 1
        if timer != nil {
            heap.insert(numbers, at: moment, action)
            arm()
        }
        return Timer(number: numbers)
    }

    /// Cancels a timer. Returns false if the timer has already fired.
    @discardableResult public func cancel(_ timer: Timer) -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        defer { arm() }
        return heap.remove(timer.number)
    }

    /// Cancels all timers permanently.
    public func cancelAll() {
        dispatchPrecondition(condition: .onQueue(queue))
        heap = DeadlineHeap()
        timer?.cancel()
        timer = nil
    }

    private func fire() {
        guard let timer, timer.hasExpired() else { return }
        armed = nil
        // Takes one action at a time, because an action may cancel another timer that is due. New timers wait for the next
        // round, even if they are due, so that the queue can do other work in between.
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
