// `passd --check-config`: every problem on a line of its own, or that there is none. It takes what a start and a reload
// take, and nothing else. operations.md §1.

struct ConfigurationCheck: Equatable, Sendable {
    /// What goes to standard output if the configuration is taken, and to standard error otherwise.
    let text: String
    let status: ExitStatus

    init(_ loaded: LoadedConfiguration) {
        var lines = loaded.problems.map { problem in
            problem.severity == .fatal ? problem.description : "\(problem.place): warning: \(problem.message)"
        }
        if loaded.isGood {
            lines.append("configuration is good")
        } else if loaded.isUsable {
            lines.append("configuration is taken; some of it has no effect")
        }
        status = loaded.isUsable ? .done : .configuration
        text = lines.joined(separator: "\n") + "\n"
    }
}
