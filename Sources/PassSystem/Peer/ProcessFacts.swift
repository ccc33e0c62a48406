// Reads facts about a process from `/proc`. The process may end at any moment. So an unknown fact is nil and never an error.

import Glibc

/// The facts that the daemon can see about a process. The process may have no connection to passd.
public struct ProcessSight: Equatable, Sendable {
    public let user: UInt32
    public let groups: Set<UInt32>
    public let unit: PeerUnit?

    /// Reads the facts; nil if there is no such process.
    public init?(of process: Int32) {
        guard process > 0, let user = ProcessFacts.user(of: process) else { return nil }
        self.user = user
        groups = ProcessFacts.groups(of: process)
        unit = ProcessFacts.unit(of: process)
    }
}

enum ProcessFacts {
    static func unit(of process: Int32) -> PeerUnit? { text(process, "cgroup").flatMap(PeerUnit.init(cgroup:)) }

    /// Reads the effective user.
    static func user(of process: Int32) -> UInt32? {
        let numbers = status("Uid:", of: process)
        return numbers.count > 1 ? numbers[1] : nil
    }

    /// Reads the effective group and the supplementary groups.
    static func groups(of process: Int32) -> Set<UInt32> {
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

/// The program that a process seems to run. Any user can create a mount namespace. In this namespace, a program can have any
/// path.
public struct ProgramClaim: Equatable, Sendable {
    public let process: Int32
    public let path: String

    /// Reads the program that the process seems to run. Nil if the kernel does not allow this. Asks no file system.
    public init?(of process: Int32) {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/\(process)/exe", &buffer, buffer.count)
        guard length > 0, length < buffer.count,
            let path = String(validating: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
        else { return nil }
        self.process = process
        self.path = path
    }

    /// Whether the path leads to the same file for passd and for the process. Asks both file systems, and blocks until they
    /// answer.
    public func isTrue() -> Bool {
        var (its, ours) = (stat(), stat())
        return stat("/proc/\(process)/exe", &its) == 0 && stat(path, &ours) == 0 && its.st_dev == ours.st_dev
            && its.st_ino == ours.st_ino
    }
}
