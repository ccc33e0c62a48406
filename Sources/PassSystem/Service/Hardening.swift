// Settings of the process. They prevent that its memory, which contains tokens, is written to files or read by other processes.
// They also make all threads use one heap, and raise the limit of descriptors.

import CLinux
import Glibc

public enum Hardening {
    /// Forbids core dumps, and stops processes of the same user from reading our memory. As a consequence, the kernel gives
    /// `/proc/self` to root: the daemon cannot open `/proc/self/fd/…` or `/proc/self/maps` by path unless it runs as root,
    /// and a debugger needs CAP_SYS_PTRACE. Returns false if the kernel refused one of these two settings.
    @discardableResult public static func forbidMemoryDumps() -> Bool {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        let core = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        return core == 0 && pass_set_dumpable(0) == 0
    }
}

public enum Heap {
    /// Makes all threads use one heap. Call this before there is a second thread. If each thread had a heap, no thread could
    /// use the memory that another thread frees. Many simultaneous calls would then take twice the necessary memory. Almost all
    /// work is done on one queue, so threads seldom wait for the heap.
    public static func share() { _ = pass_share_heap() }

    /// Returns unused memory to the system, including free memory between blocks in use. The C library itself would keep
    /// that memory. After a flood this takes some milliseconds, in which other threads wait if they need memory.
    public static func giveBack() { _ = pass_trim_heap() }
}

public enum DescriptorLimit {
    /// Raises the soft limit of descriptors to the hard limit, but not above `wanted`, so that our own limits stop a flood of
    /// connections first. This is safe because nothing here uses `select`. Returns the limit in force.
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
