// The environment of the process.

import Glibc
import PassProtocol

enum Environment {
    /// Reads the environment. Must be called once, before other threads start.
    static func current() -> [String: String] {
        var entries: [String] = []
        var next = environ
        while let entry = next.pointee {
            entries.append(String(cString: entry))
            next += 1
        }
        return variables(entries)
    }

    /// The variables by name. If a name occurs twice, the last entry counts. Malformed entries are skipped.
    static func variables(_ entries: [String]) -> [String: String] {
        Dictionary(entries.compactMap { $0.parted(at: "=") }.map { ($0.before, $0.behind) }) { $1 }
    }
}
