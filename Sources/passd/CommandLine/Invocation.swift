// What the command line asks for. Every mistake ends in one line that says what would have been right.
// operations.md §1.

import PassConfiguration
import PassJSON
import PassProtocol

enum Invocation: Equatable, Sendable {
    /// To be printed: --help, --version.
    case answer(String)
    case checkConfiguration(Options)
    case run(Options)

    struct Options: Equatable, Sendable {
        var configFile: String?
        var overrides: [SettingOverride] = []
        var allowsSameUser = false

        var files: ConfigurationFiles { configFile.map(ConfigurationFiles.beside) ?? .system() }

        /// Whoever tries the daemon out with a directory for its logins means the sandbox on this machine, unless a
        /// file or a flag says otherwise.
        var assumptions: [SettingOverride] {
            guard configFile == nil,
                let directory = overrides.first(where: { $0.name == Setting.Name("storage", "directory") })
            else { return [] }
            return [
                SettingOverride(
                    name: Setting.Name("backend", "origin"), text: "http://127.0.0.1:8642", flag: directory.flag)
            ]
        }

        func load(_ environment: StanzaResources) -> LoadedConfiguration {
            .load(files, assumptions: assumptions, overrides: overrides, environment: environment)
        }
    }
}

/// Ends the program with `ExitStatus.usage`.
struct UsageFault: Error, Equatable, CustomStringConvertible {
    let description: String
}

extension Invocation {
    /// `words` without the program's name.
    init(_ words: some Sequence<String>, workingDirectory: String) throws(UsageFault) {
        let words = Array(words)
        // Whatever else is written: who asks for help may be in the middle of a mistake.
        if words.contains(where: { $0 == "--help" || $0 == "-h" }) {
            self = .answer(Flag.manual)
            return
        }
        var options = Options()
        var given: Set<String> = []
        var rest = words[...]
        while let word = rest.popFirst() {
            let (flag, value) = try Self.read(word, &rest)
            guard given.insert(flag.name).inserted else {
                throw UsageFault(description: "\(flag.name) stands there twice")
            }
            try options.take(flag, value: value, workingDirectory: workingDirectory)
        }
        if given.contains(Flag.version.name) {
            self = .answer("passd \(PassdVersion.text)\n")
        } else {
            self = given.contains(Flag.checkConfig.name) ? .checkConfiguration(options) : .run(options)
        }
    }

    /// A flag and its value, which is empty where it takes none.
    private static func read(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageFault) -> (Flag, String) {
        guard word.hasPrefix("-") else {
            throw UsageFault(description: "\"\(word.prefix(64))\" means nothing to passd; try --help")
        }
        let parts = word.parted(at: "=").map { [$0.before, $0.behind] } ?? [word]
        guard let flag = Flag.all.first(where: { $0.name == parts[0] }) else {
            let nearest = Spelling.nearest(to: parts[0], among: Flag.all.map(\.name))
            throw UsageFault(
                description: "passd has no flag \(parts[0].prefix(64)); "
                    + (nearest.map { "did you mean \($0)?" } ?? "try --help"))
        }
        guard let placeholder = flag.placeholder else {
            guard parts.count == 1 else { throw UsageFault(description: "\(flag.name) takes no value") }
            return (flag, "")
        }
        let next = rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
        if parts.count == 1, next != nil { rest.removeFirst() }
        guard let value = parts.count == 2 ? parts[1] : next, !value.isEmpty else {
            throw UsageFault(description: "\(flag.name) needs a value: \(flag.name) \(placeholder)")
        }
        return (flag, value)
    }
}

extension Invocation.Options {
    fileprivate mutating func take(_ flag: Flag, value: String, workingDirectory: String) throws(UsageFault) {
        switch flag.name {
        case Flag.config.name: configFile = Self.absolute(value, workingDirectory)
        case Flag.allowSameUser.name: allowsSameUser = true
        default:
            guard let name = flag.setting, let setting = SettingTable.find(name) else { return }
            let text = flag.isPath ? Self.absolute(value, workingDirectory) : value
            if let fault = setting.fault(in: text) {
                throw UsageFault(description: "\(flag.name) \(value.prefix(200)): \(fault)")
            }
            overrides.append(SettingOverride(name: name, text: text, flag: flag.name))
        }
    }

    private static func absolute(_ path: String, _ workingDirectory: String) -> String {
        if path.hasPrefix("/") { return path }
        return workingDirectory + (workingDirectory.hasSuffix("/") ? "" : "/") + path
    }
}
