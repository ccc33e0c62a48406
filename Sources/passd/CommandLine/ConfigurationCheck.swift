// `passd --check-config`: prints each problem on a line of its own, the files, and the verdict. The check accepts a
// configuration if a start and a reload would accept it and all its parts can work. With `--strict`, the check accepts only a
// configuration without problems. operations.md §1.

import PassArguments
import PassConfiguration

struct ConfigurationCheck: Equatable, Sendable {
    /// The text, for standard output if the configuration is accepted, and otherwise for standard error.
    let text: String
    let status: ExitCode

    private static let maxNamedFiles = 8

    /// `searched` are the places of the files. The text names these places if there is no file.
    init(_ loaded: LoadedConfiguration, searched: [String] = [], isStrict: Bool = false) {
        let isAccepted = loaded.canWork && (!isStrict || loaded.problems.isEmpty)
        var lines = loaded.problems.map { isStrict ? $0.description : $0.line }
        if isAccepted {
            lines.append("files: " + Self.files(of: loaded, searched))
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

    private static func files(of loaded: LoadedConfiguration, _ searched: [String]) -> String {
        guard !loaded.files.isEmpty else {
            return "none, so the defaults apply; searched: \(searched.joined(separator: " ")). "
                + "Name the file of another daemon, such as a developer's box, with --config."
        }
        let rest = loaded.files.count - maxNamedFiles
        return loaded.files.prefix(maxNamedFiles).joined(separator: " ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
