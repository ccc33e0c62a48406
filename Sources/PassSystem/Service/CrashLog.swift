// Reads the crashes of the daemon from a file. passd.service writes this file, because a crashing program may have no time to
// write. operations.md §3.

public struct Crash: Equatable, Sendable {
    /// The Unix time of the crash, in seconds.
    public let time: Int64
    /// The name of the signal, `exit`, or the service manager's word: `watchdog`, `timeout`, `oom-kill`.
    public let cause: String
}

public enum CrashLog {
    /// The max age of a reported crash, in seconds. Older crashes say nothing about the present state of the box.
    public static let memory: Int64 = 7 * 86_400

    /// The crashes in the file, the oldest first. The unit keeps the last thousand lines.
    public static func read(_ path: String) -> [Crash] {
        (try? TextFile.read(path))?.split(separator: UInt8(ascii: "\n")).compactMap(crash) ?? []
    }

    /// A line has the time, the service manager's result, and the signal or the exit status.
    private static func crash(_ line: ArraySlice<UInt8>) -> Crash? {
        let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 3, let time = Int64(words[0]), time > 0 else { return nil }
        switch words[1] {
        case "signal", "core-dump": return Crash(time: time, cause: signals.contains(words[2]) ? words[2] : "signal")
        case "exit-code": return Crash(time: time, cause: "exit")
        case "watchdog", "timeout", "oom-kill": return Crash(time: time, cause: words[1])
        default: return Crash(time: time, cause: "other")
        }
    }

    /// The signals that are reported by their names. Other signals are reported as `signal`, so that a metric's label has few
    /// values.
    private static let signals: Set = ["SEGV", "ABRT", "ILL", "BUS", "FPE", "TRAP", "SYS", "KILL", "TERM", "XCPU"]
}
