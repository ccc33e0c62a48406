// The clock for deadlines. It continues while the box is suspended, and nobody can set it. A moment is the duration since the
// boot. Contract: architecture.md §3.

import CLinux
import Glibc

public enum BootClock {
    public static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
