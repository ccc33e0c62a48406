// The service manager that has started this process: what it says in the environment, and the socket where it listens.
// The protocol is that of sd_notify(3), and stable. Contract: operations.md §3.

import CLinux
import Glibc

enum ServiceManager {
    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Sends assignments, one in each line, and copies of descriptors. False if there is no service manager.
    @discardableResult static func tell(_ assignments: String, with descriptors: [Int32] = []) -> Bool {
        guard let socket = variable("NOTIFY_SOCKET").flatMap(DatagramSocket.init(to:)) else { return false }
        return (try? socket.send(Array(assignments.utf8), with: descriptors)) != nil
    }

    /// Waits until the manager has dealt with everything that was sent before. False if it does not in that time.
    static func settle(within time: Duration) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard pass_pipe(&ends) == 0 else { return false }
        defer { close(ends[0]) }
        let isSent = tell("BARRIER=1", with: [ends[1]])
        close(ends[1])
        guard isSent else { return false }
        let deadline = BootClock.now + time
        while true {
            // The manager closes its end, which is now the only one; that is reported without being asked for.
            var end = pollfd(fd: ends[0], events: 0, revents: 0)
            let left = max(.zero, deadline - BootClock.now) / Duration.milliseconds(1)
            let count = poll(&end, 1, Int32(min(left.rounded(.up), Double(Int32.max))))
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }
}
