// The environment of the process.

import Glibc

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

    /// The last entry of a name counts. What is no name with a value is skipped.
    static func variables(_ entries: [String]) -> [String: String] {
        var variables: [String: String] = [:]
        for entry in entries {
            guard let mark = entry.firstIndex(of: "=") else { continue }
            variables[String(entry[..<mark])] = String(entry[entry.index(after: mark)...])
        }
        return variables
    }
}
