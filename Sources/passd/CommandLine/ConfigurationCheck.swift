// `passd --check-config`: every problem on a line of its own, or that there is none. operations.md §1.

struct ConfigurationCheck: Equatable, Sendable {
    /// What goes to standard output if all is well, and to standard error otherwise.
    let text: String
    let status: ExitStatus

    init(_ loaded: LoadedConfiguration) {
        var lines = loaded.problems.map { problem in
            problem.severity == .warning ? "\(problem.place): warning: \(problem.message)" : problem.description
        }
        let cannotStart = Self.cannotStart(loaded)
        if let cannotStart { lines.append(cannotStart) }
        let isGood = loaded.isGood && cannotStart == nil
        if isGood { lines.append("configuration is good") }
        status = isGood ? .done : .configuration
        text = lines.joined(separator: "\n") + "\n"
    }

    /// A value that is right, and that this version cannot live up to.
    static func cannotStart(_ loaded: LoadedConfiguration) -> String? {
        guard loaded.configuration.backend.version == .v1 else { return nil }
        let place = loaded.values[Setting.Name("backend", "protocol")]?.origin.description ?? "[backend]"
        return "\(place): protocol = v1: this version of passd speaks v2 only"
    }
}
