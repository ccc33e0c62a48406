// The peer of a Unix socket. All facts come from the kernel, never from the peer. User, groups and process are from the moment
// of `connect`. The unit is from the moment of the lookup. The unit is only as trustworthy as the peer's user, because the
// user's processes can pass a connection to each other. Contract: architecture.md §5 rule 2, operations.md §2 `allow`.

import CLinux
import Glibc

public struct PeerCredentials: Equatable, Sendable {
    public let process: Int32
    public let user: UInt32
    public let group: UInt32
    public let supplementaryGroups: [UInt32]
    /// The unit; nil if the process has none or could not be looked up.
    public let unit: PeerUnit?

    public struct Fault: Error, Equatable, Sendable { public let reason: Int32 }

    /// Reads only the user, which is faster than reading all facts.
    public static func user(of socket: Int32) throws(Fault) -> UInt32 { try credentials(of: socket).user }

    /// Reads the primary group and the supplementary groups.
    public static func allGroups(of socket: Int32) throws(Fault) -> Set<UInt32> {
        Set(try groups(of: socket)).union([try credentials(of: socket).group])
    }

    /// Reads the facts from a connected socket. Does not block.
    public init(of socket: Int32) throws(Fault) {
        (process, user, group) = try Self.credentials(of: socket)
        supplementaryGroups = try Self.groups(of: socket)
        unit = process > 0 ? Self.unit(of: process, user, socket) : nil
    }

    private static func credentials(
        of socket: Int32
    ) throws(Fault) -> (process: pid_t, user: uid_t, group: gid_t) {
        // The kernel's `struct ucred`: process, user, group.
        var credentials: (UInt32, UInt32, UInt32) = (0, 0, 0)
        var length = socklen_t(12)
        guard getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, length == 12 else {
            throw Fault(reason: errno)
        }
        return (pid_t(bitPattern: credentials.0), credentials.1, credentials.2)
    }

    private static func groups(of socket: Int32) throws(Fault) -> [gid_t] {
        var groups = [gid_t](repeating: 0, count: 64)
        var length = socklen_t(groups.count * MemoryLayout<gid_t>.stride)
        if getsockopt(socket, SOL_SOCKET, Int32(pass_so_peergroups), &groups, &length) != 0 {
            guard errno == ERANGE else {
                // Kernels before 4.13 cannot report the groups.
                if errno == ENOPROTOOPT { return [] }
                throw Fault(reason: errno)
            }
            groups = [gid_t](repeating: 0, count: Int(length) / MemoryLayout<gid_t>.stride)
            guard getsockopt(socket, SOL_SOCKET, Int32(pass_so_peergroups), &groups, &length) == 0 else {
                throw Fault(reason: errno)
            }
        }
        return Array(groups.prefix(Int(length) / MemoryLayout<gid_t>.stride))
    }

    /// Reads the unit. Returns nil if the process has ended, because its number may already belong to another process.
    private static func unit(of process: pid_t, _ user: uid_t, _ socket: Int32) -> PeerUnit? {
        var pinned: Int32 = -1
        var length = socklen_t(4)
        let isPinned = getsockopt(socket, SOL_SOCKET, Int32(pass_so_peerpidfd), &pinned, &length) == 0
        // Before Linux 6.5, the process is found by its number, which may now belong to another process. The found process must
        // at least belong to the same user.
        if !isPinned { pinned = pass_pidfd_open(process) }
        guard pinned >= 0 else { return nil }
        _ = fcntl(pinned, F_SETFD, FD_CLOEXEC)
        defer { close(pinned) }
        if !isPinned, ProcessFacts.user(of: process) != user { return nil }
        let unit = ProcessFacts.unit(of: process)
        // If the peer's process still exists, the unit is about this process.
        var ended = pollfd(fd: pinned, events: Int16(POLLIN), revents: 0)
        return poll(&ended, 1, 0) == 0 ? unit : nil
    }
}
