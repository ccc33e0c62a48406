// What keeps the daemon's memory, and with it every token, out of files and of other processes' reach.

import CSystemd
import Glibc

public enum Hardening {
    /// No core dumps, and no reading of our memory by processes of the same user. As a consequence the kernel gives
    /// `/proc/self` to root: what the daemon opens there by path (`/proc/self/fd/…`, `/proc/self/maps`) is refused
    /// unless it runs as root, and a debugger needs CAP_SYS_PTRACE. False if the kernel refused one of the two.
    @discardableResult public static func forbidMemoryDumps() -> Bool {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        let core = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        return core == 0 && pass_set_dumpable(0) == 0
    }

    /// What the kernel says of this process.
    static var allowsMemoryDumps: Bool { pass_get_dumpable() != 0 }
}

public enum Heap {
    /// One heap for all threads, before there is a second one. With one for each, what a thread frees is of no use to the
    /// others, and a crowd of calls cost twice the memory that it kept. Almost all work is done on one queue, so that
    /// threads seldom wait for each other here.
    public static func share() { _ = pass_share_heap() }
}

public enum DescriptorLimit {
    /// Raises the soft limit of descriptors to the hard one, so that it is our own limits that end a flood of
    /// connections. Nothing here uses `select`, whose sets would overflow. The limit in force.
    @discardableResult public static func raise(to wanted: UInt = 65_536) -> UInt {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        let target = min(rlim_t(wanted), limit.rlim_max)
        if limit.rlim_cur < target {
            let before = limit.rlim_cur
            limit.rlim_cur = target
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
        }
        return UInt(limit.rlim_cur)
    }
}
