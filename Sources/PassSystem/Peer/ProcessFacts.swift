// Reads facts about a process from `/proc`. An unknown fact is nil or an empty set and never an error, because the process may
// end at any moment.

import Glibc

/// Works for every process, even without a connection to passd.
public enum ProcessFacts {
    public static func unit(of process: Int32) -> PeerUnit? { text(process, "cgroup").flatMap(PeerUnit.init(cgroup:)) }

    /// Whether the process is in a container. True if it has a PID namespace or user IDs of its own. A mount namespace alone
    /// does not count, because many services have one.
    public static func isContained(_ process: Int32) -> Bool {
        status("NSpid:", of: process).count > 1
            || text(process, "uid_map").map { $0 != text(getpid(), "uid_map") } ?? false
    }

    /// Reads the effective user.
    public static func user(of process: Int32) -> UInt32? {
        let numbers = status("Uid:", of: process)
        return numbers.count > 1 ? numbers[1] : nil
    }

    /// Reads the effective group and the supplementary groups.
    public static func groups(of process: Int32) -> Set<UInt32> {
        Set(status("Gid:", of: process).dropFirst().prefix(1) + status("Groups:", of: process))
    }

    /// Reads the numbers on one line of the process's status. `name` is the beginning of the line.
    private static func status(_ name: String, of process: Int32) -> [UInt32] {
        let line = text(process, "status")?.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.dropFirst(name.count).split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) } ?? []
    }

    private static func text(_ process: Int32, _ name: String) -> String? {
        (try? readAll(path: "/proc/\(process)/\(name)", limit: 64 << 10)).map { String(decoding: $0, as: UTF8.self) }
    }
}
