// Notices when somebody sets the wall clock: NTP after the boot, or a hand. The kernel cancels a timer that can never
// expire, which is how it tells. Contract: architecture.md §3 "recovers by itself when the clock is set".

import Dispatch
import Glibc

public final class WallClockWatch: Sendable {
    private let queue: DispatchQueue
    private let timer: TimerDescriptor

    /// Called on the queue, where the callback comes as well.
    public init(queue: DispatchQueue, onJump: @escaping @Sendable () -> Void) throws(TimerFault) {
        final class Armed: @unchecked Sendable {
            // Owned by the queue.
            weak var timer: TimerDescriptor?
        }
        let armed = Armed()
        timer = try TimerDescriptor(CLOCK_REALTIME, queue: queue) {
            guard let timer = armed.timer, case .clockWasSet = timer.read() else { return }
            timer.set(Self.never, orWhenClockIsSet: true)
            onJump()
        }
        armed.timer = timer
        self.queue = queue
        timer.set(Self.never, orWhenClockIsSet: true)
    }

    deinit { queue.async { [timer] in timer.cancel() } }

    private static let never = Duration.seconds(1 << 40)
}
