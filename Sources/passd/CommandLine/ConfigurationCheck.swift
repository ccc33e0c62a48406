// `passd --check-config`: every problem on a line of its own, or that there is none. operations.md §1.

struct ConfigurationCheck: Equatable, Sendable {
    /// What goes to standard output if all is well, and to standard error otherwise.
    let text: String
    let status: ExitStatus

    init(_ loaded: LoadedConfiguration) {
        var lines = loaded.problems.map { problem in
            problem.severity == .warning ? "\(problem.place): warning: \(problem.message)" : problem.description
        }
        if loaded.isGood { lines.append("configuration is good") }
        status = loaded.isGood ? .done : .configuration
        text = lines.joined(separator: "\n") + "\n"
    }
}
