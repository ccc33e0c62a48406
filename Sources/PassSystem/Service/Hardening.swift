// Settings of the process: they keep its memory, and with it every token, out of files and out of other processes'
// reach, share one heap, and raise the limit of descriptors.

import CLinux
import Glibc

public enum Hardening {
    /// Forbids core dumps, and reading our memory by processes of the same user. As a consequence the kernel gives
    /// `/proc/self` to root: the daemon cannot open `/proc/self/fd/…` or `/proc/self/maps` by path unless it runs as
    /// root, and a debugger needs CAP_SYS_PTRACE. False if the kernel refused one of the two.
    @discardableResult public static func forbidMemoryDumps() -> Bool {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        let core = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        return core == 0 && pass_set_dumpable(0) == 0
    }
}

public enum Heap {
    /// Makes all threads use one heap. To be called before there is a second thread. With a heap for each thread,
    /// memory that one thread frees is of no use to the others, and many calls at once took twice the memory that they
    /// kept. Almost all work is done on one queue, so threads seldom wait for each other here.
    public static func share() { _ = pass_share_heap() }

    /// Returns unused memory to the system, also free memory between blocks that are in use, which the C library keeps.
    /// Other threads that need memory wait meanwhile, for some milliseconds after a flood.
    public static func giveBack() { _ = pass_trim_heap() }
}

public enum DescriptorLimit {
    /// Raises the soft limit of descriptors to the hard one, but not above `wanted`, so that our own limits stop a
    /// flood of connections first. This is safe because nothing here uses `select`. Returns the limit in force.
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
