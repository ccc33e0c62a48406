// The abilities of the daemon under the restrictions of its systemd unit. The daemon tests each ability, because an operator
// may have changed the unit. Process 1 serves as an example of another user's process. Contract: operations.md §2 `allow`, §3.

import Glibc

public struct Confinement: Equatable, Sendable {
    /// Whether Internet sockets can be created.
    public var network: Bool
    /// Whether the control groups of other users' processes can be read.
    public var units: Bool

    public static var current: Confinement {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if socket >= 0 { close(socket) }
        return Confinement(network: socket >= 0, units: access("/proc/1/cgroup", R_OK) == 0)
    }
}
