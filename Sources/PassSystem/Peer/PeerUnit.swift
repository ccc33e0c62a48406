// The systemd unit of a process, read from its control group. Only names that systemd itself has given are trusted: the
// first unit of the path. A unit may name the groups below it (delegation), and below `user@….service` the user may:
// anybody can start a `news24.service` of their own there.

public struct PeerUnit: Equatable, Sendable {
    /// The unit in the system's manager: `news24.service`, `session-2.scope`, `user@1000.service`.
    public let system: String
    /// The unit in the user's manager, if that manager started the process.
    public let user: String?

    /// Reads the content of `/proc/PID/cgroup`, for both versions of control groups. Nil outside of any unit.
    init?(cgroup text: String) {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n")).map {
            $0.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false).map { Substring($0) }
        }
        .filter { $0.count == 3 }
        // If both versions are mounted, systemd may use either.
        let candidates =
            lines.filter { $0[1] == "name=systemd" } + lines.filter { $0[0] == "0" && $0[1].isEmpty }
        guard let unit = candidates.lazy.compactMap({ PeerUnit(path: $0[2]) }).first else { return nil }
        self = unit
    }

    private init?(path: Substring) {
        var names = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }[...]
        guard let system = Self.firstUnit(&names) else { return nil }
        self.system = system
        user = system.hasPrefix("user@") ? Self.firstUnit(&names) : nil
    }

    /// Skips slices. Any other name that is not a unit ends the part that systemd has named.
    private static func firstUnit(_ names: inout ArraySlice<Substring>) -> String? {
        while let name = names.popFirst() {
            if name.hasSuffix(".slice") { continue }
            // systemd puts an underscore in front of a name that looks like a control file.
            let unit = name.hasPrefix("_") ? name.dropFirst() : name
            return unit.hasSuffix(".service") || unit.hasSuffix(".scope") ? String(unit) : nil
        }
        return nil
    }
}
