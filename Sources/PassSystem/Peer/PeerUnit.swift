// The systemd unit of a process, read from its control group. Only the first unit of the path is trusted, because systemd
// itself has named this unit. The processes of a unit with `Delegate=` may choose the names of the groups below this unit. For
// example, each user can start a `news24.service` below `user@….service`.

public struct PeerUnit: Equatable, Sendable {
    /// The unit in the system's manager: `news24.service`, `session-2.scope`, `user@1000.service`.
    public let system: String
    /// The unit in the user's manager; nil if another manager started the process.
    public let user: String?

    /// Reads the content of `/proc/PID/cgroup`, for both versions of control groups. Nil for a process outside of any unit.
    init?(cgroup text: String) {
        // The unit in the newer version of control groups. This unit is used only if the older version names no unit.
        var unified: PeerUnit?
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            guard let first = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let rest = line[line.index(after: first)...]
            guard let second = rest.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let isNamed = rest[..<second].elementsEqual("name=systemd".utf8)
            let isUnified = line[..<first].elementsEqual("0".utf8) && rest[..<second].isEmpty
            guard isNamed || unified == nil && isUnified else { continue }
            let unit = PeerUnit(path: Substring(rest[rest.index(after: second)...]))
            if isNamed, let unit {
                self = unit
                return
            }
            unified = unified ?? unit
        }
        guard let unified else { return nil }
        self = unified
    }

    private init?(path: Substring) {
        var names = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }[...]
        guard let system = Self.firstUnit(&names) else { return nil }
        self.system = system
        user = system.hasPrefix("user@") ? Self.firstUnit(&names) : nil
    }

    /// Returns the first unit after any slices. Nil if another name comes first, because systemd has not given this name.
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
