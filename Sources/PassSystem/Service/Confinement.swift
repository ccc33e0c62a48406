// What the sandbox of the unit leaves to the daemon. It is tried, since the unit may be anybody's: the first process of the
// machine is another user's, as most clients are. Contract: operations.md §2 `allow`, §3.

import Glibc

public struct Confinement: Equatable, Sendable {
    /// Sockets of the internet can be made.
    public var network: Bool
    /// Control groups of other users' processes.
    public var units: Bool
    /// Programs of other users' processes.
    public var executables: Bool

    public init(network: Bool, units: Bool, executables: Bool) {
        self.network = network
        self.units = units
        self.executables = executables
    }

    public static var current: Confinement {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if socket >= 0 { close(socket) }
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        return Confinement(
            network: socket >= 0, units: access("/proc/1/cgroup", R_OK) == 0,
            executables: readlink("/proc/1/exe", &target, target.count) > 0)
    }
}
