// A timerfd and the Dispatch source that watches it. The timerfd and the source belong to one queue, and all calls must be made
// on this queue. The descriptor is closed only after the source has ended, because the number of a closed descriptor may be
// reused immediately.

import CLinux
import Dispatch
import Glibc

public struct TimerFault: Error, Equatable, Sendable { public let reason: Int32 }

final class TimerDescriptor: @unchecked Sendable {
    // Owned by the queue.
    private let descriptor: Int32
    private let source: any DispatchSourceRead

    init(_ clock: clockid_t, queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) throws(TimerFault) {
        dispatchPrecondition(condition: .onQueue(queue))
        descriptor = timerfd_create(clock, Int32(pass_timer_flags))
        guard descriptor >= 0 else { throw TimerFault(reason: errno) }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: handler)
        source.setCancelHandler { [descriptor] in close(descriptor) }
        source.activate()
    }

    /// Sets the time at which the timer expires. Nil disarms the timer. Must not be called after `cancel`.
    func set(_ moment: Duration?) {
        var setting = itimerspec()
        if let moment {
            // A moment in the past becomes one nanosecond, so that the timer expires at once. Zero would disarm the timer.
            let (seconds, attoseconds) = max(moment, .nanoseconds(1)).components
            setting.it_value = timespec(tv_sec: Int(min(seconds, 1 << 40)), tv_nsec: Int(attoseconds / 1_000_000_000))
        }
        timerfd_settime(descriptor, Int32(pass_timer_absolute), &setting, nil)
    }

    /// Whether the timer has expired since the last call.
    func hasExpired() -> Bool {
        var expirations: UInt64 = 0
        return read(descriptor, &expirations, 8) == 8
    }

    func cancel() { source.cancel() }
}
