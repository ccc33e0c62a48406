// Messages to the service manager (`Type=notify`). Without `NOTIFY_SOCKET`, as after a start by hand, nothing is sent.
// Contract: operations.md §3.

import CLinux
import CSystemd
import Glibc

public enum ServiceNotification: Sendable {
    /// The store is loaded and both sockets accept connections.
    case ready
    /// A reload has begun. It ends with `ready`.
    case reloading
    case stopping
    /// One line for `systemctl status`.
    case status(String)
    case watchdog

    /// Whether there is a service manager.
    public static var isHeard: Bool { getenv("NOTIFY_SOCKET") != nil }

    public func send() { sd_notify(0, text) }

    /// Half of the max time between two `watchdog` messages. Nil if the service manager does not expect such messages.
    public static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds / 2))
    }

    private var text: String {
        switch self {
        case .ready: "READY=1"
        case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(monotonicMicroseconds())"
        case .stopping: "STOPPING=1"
        // A line break would begin another assignment in the message.
        case .status(let status): "STATUS=" + String(status.map { $0.isNewline ? " " : $0 })
        case .watchdog: "WATCHDOG=1"
        }
    }

    private func monotonicMicroseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }
}
