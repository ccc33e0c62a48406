// The systemd unit of a process, from its control group. A group's name is trusted as far as systemd itself gave it: the
// first unit of the path. What lies below it is the unit's own to name (delegation), and what lies below `user@….service`
// is the user's: anybody can start a `news24.service` of his own there.

public struct PeerUnit: Equatable, Sendable {
    /// Of the system's manager: `news24.service`, `session-2.scope`, `user@1000.service`.
    public let system: String
    /// Of the user's manager, if that started the process.
    public let user: String?

    /// Reads `/proc/PID/cgroup`, of either version of control groups. Nil outside any unit.
    init?(cgroup text: String) {
        let lines = text.unicodeScalars.split(separator: "\n").map {
            $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map { Substring($0) }
        }
        .filter { $0.count == 3 }
        // Where both versions are mounted, systemd may use either.
        let candidates =
            lines.filter { $0[1] == "name=systemd" } + lines.filter { $0[0] == "0" && $0[1].isEmpty }
        guard let unit = candidates.lazy.compactMap({ PeerUnit(path: $0[2]) }).first else { return nil }
        self = unit
    }

    private init?(path: Substring) {
        var names = path.unicodeScalars.split(separator: "/").map { Substring($0) }[...]
        guard let system = Self.firstUnit(&names) else { return nil }
        self.system = system
        user = system.hasPrefix("user@") ? Self.firstUnit(&names) : nil
    }

    /// Skips slices; anything else that is no unit ends what systemd has named.
    private static func firstUnit(_ names: inout ArraySlice<Substring>) -> String? {
        while let name = names.popFirst() {
            if name.hasSuffix(".slice") { continue }
            // A name that would look like a control file gets an underscore in front.
            let unit = name.hasPrefix("_") ? name.dropFirst() : name
            return unit.hasSuffix(".service") || unit.hasSuffix(".scope") ? String(unit) : nil
        }
        return nil
    }
}
