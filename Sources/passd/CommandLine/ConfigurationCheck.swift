// `passd --check-config`: prints each problem on a line of its own, or that there is none. It accepts what both a start
// and a reload accept. operations.md §1.

import PassConfiguration

struct ConfigurationCheck: Equatable, Sendable {
    /// The text, for standard output if the configuration is accepted and for standard error otherwise.
    let text: String
    let status: ExitStatus

    init(_ loaded: LoadedConfiguration) {
        var lines = loaded.problems.map { problem in
            problem.severity >= .unclear ? problem.description : "\(problem.place): warning: \(problem.message)"
        }
        if loaded.isGood {
            lines.append("configuration is good")
        } else if loaded.isUsable {
            lines.append(
                loaded.isClear
                    ? "configuration is accepted; parts of it have no effect"
                    : "a reload would be rejected; a start would work, but would deny the apps named above")
        }
        status = loaded.isClear ? .done : .configuration
        text = lines.joined(separator: "\n") + "\n"
    }
}
