// The environment of the process.

import Glibc
import PassProtocol

enum Environment {
    /// Read once, before there are other threads.
    static func current() -> [String: String] {
        var entries: [String] = []
        var next = environ
        while let entry = next.pointee {
            entries.append(String(cString: entry))
            next += 1
        }
        return variables(entries)
    }

    /// If a name occurs twice, the last entry counts. Malformed entries are skipped.
    static func variables(_ entries: [String]) -> [String: String] {
        Dictionary(entries.compactMap { $0.parted(at: "=") }.map { ($0.before, $0.behind) }) { $1 }
    }
}
