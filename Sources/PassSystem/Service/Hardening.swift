// Settings of the process. One setting keeps the memory out of files and hides it from other processes, because it contains
// tokens. Other settings make all threads use one heap, and raise the limit of descriptors.

import CLinux
import Glibc

public enum Hardening {
    /// Forbids core dumps, and stops processes of the same user from reading passd's memory. As a consequence, `/proc/self`
    /// belongs to root, and only a daemon of root can open `/proc/self/fd/…` or `/proc/self/maps` by path. A debugger needs
    /// CAP_SYS_PTRACE. Returns false if the kernel refused one of these two settings.
    @discardableResult public static func forbidMemoryDumps() -> Bool {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        let core = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        return core == 0 && pass_set_dumpable(0) == 0
    }
}

public enum Heap {
    /// Makes all threads use one heap. Call this before there is a second thread. If each thread had a heap, no thread could
    /// use the memory that another thread frees. Many simultaneous calls would then take twice the necessary memory. One heap
    /// is not slow here, because almost all work is done on one queue, and threads seldom wait for the heap.
    public static func share() { _ = pass_share_heap() }

    /// Returns unused memory to the system, including free memory between blocks in use, which the C library itself would keep.
    /// After a flood of calls, this takes some milliseconds. During this time, threads that need memory have to wait.
    public static func giveBack() { _ = pass_trim_heap() }
}

public enum DescriptorLimit {
    /// Raises the soft limit of descriptors to the hard limit, but not above `wanted`. After that, a flood of connections
    /// reaches passd's own limits before this limit. Large descriptor numbers are safe, because passd does not use `select`.
    /// Returns the limit in force.
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
