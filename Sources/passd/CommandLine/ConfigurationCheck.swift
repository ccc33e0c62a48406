// `passd --check-config`: prints each problem on its own line, or that there is none. It accepts a configuration that a
// start and a reload accept and that can work; with `--strict`, only one without any problem. operations.md §1.

import PassArguments
import PassConfiguration

struct ConfigurationCheck: Equatable, Sendable {
    /// The text, for standard output if the configuration is accepted and for standard error otherwise.
    let text: String
    let status: ExitCode

    init(_ loaded: LoadedConfiguration, isStrict: Bool = false) {
        let isAccepted = loaded.canWork && (!isStrict || loaded.problems.isEmpty)
        var lines = loaded.problems.map { problem in
            isStrict || problem.severity >= .useless
                ? problem.description : "\(problem.place): warning: \(problem.message)"
        }
        if isAccepted {
            if let ways = loaded.loginWays() { lines.append("sign-in: \(ways.text)") }
            lines.append(
                loaded.isGood ? "configuration is good" : "configuration is accepted; parts of it have no effect")
        } else if loaded.isClear {
            lines.append(
                loaded.canWork
                    ? "a start and a reload would accept this, but --strict does not"
                    : "a start and a reload would accept this, but the parts named above cannot work")
        } else if loaded.isUsable {
            lines.append("a reload would be rejected; a start would work, but would deny the apps named above")
        }
        status = isAccepted ? .done : .configuration
        text = lines.joined(separator: "\n") + "\n"
    }
}
