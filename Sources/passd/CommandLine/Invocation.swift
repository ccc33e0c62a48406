// Parses the command line. A mistake throws one line that says what is expected. operations.md §1.

import PassBackend
import PassConfiguration
import PassJSON
import PassProtocol

enum Invocation: Equatable, Sendable {
    /// A text to print, for --help and --version.
    case answer(String)
    case checkConfiguration(Options)
    case run(Options)

    struct Options: Equatable, Sendable {
        var configFile: String?
        var instance: InstanceName?
        var overrides: [SettingOverride] = []
        var allowsSameUser = false
        /// For a check of the configuration.
        var isStrict = false

        var files: ConfigurationFiles { configFile.map(ConfigurationFiles.beside) ?? .system(instance: instance) }

        /// What counts unless a file or flag says otherwise.
        var assumptions: [SettingOverride] { placesOfInstance + trial }

        private var placesOfInstance: [SettingOverride] {
            guard let instance else { return [] }
            return [
                SettingOverride(
                    name: Setting.Name("daemon", "socket"), text: "/run/\(instance.directory)/passd.sock",
                    flag: Flag.instance.name),
                SettingOverride(
                    name: Setting.Name("storage", "directory"), text: "/var/lib/\(instance.directory)",
                    flag: Flag.instance.name),
            ]
        }

        /// With a storage directory on the command line and no configuration file, the daemon is being tried out: it
        /// then uses the sandbox on this machine, unless a file or flag names another service. If a flag names another
        /// one on this machine, that is a sandbox, too.
        private var trial: [SettingOverride] {
            guard configFile == nil,
                let directory = overrides.first(where: { $0.name == Setting.Name("storage", "directory") })
            else { return [] }
            let given = overrides.first { $0.name == Setting.Name("backend", "origin") }?.text
            let origin = given ?? "http://127.0.0.1:8642"
            let isSandbox = (try? Origin(origin))?.isLoopback ?? false
            return [
                SettingOverride(name: Setting.Name("backend", "origin"), text: origin, flag: directory.flag)
            ]
                + (isSandbox
                    ? [
                        SettingOverride(
                            name: Setting.Name("backend", "activation-url"), text: origin + "/activate",
                            flag: directory.flag)
                    ] : [])
        }

        func load(_ resources: StanzaResources) -> LoadedConfiguration {
            .load(files, assumptions: assumptions, overrides: overrides, resources: resources)
        }
    }
}

/// Ends the program with `ExitStatus.usage`.
struct UsageFault: Error, Equatable, CustomStringConvertible {
    let description: String
}

extension Invocation {
    /// `words` does not contain the program's name.
    init(_ words: some Sequence<String>, workingDirectory: String) throws(UsageFault) {
        let words = Array(words)
        // Help is given even if the rest of the line is wrong, since the person who asks for it may be stuck.
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
                throw UsageFault(description: "\(flag.name) is given twice")
            }
            try options.take(flag, value: value, workingDirectory: workingDirectory)
        }
        guard !options.isStrict || given.contains(Flag.checkConfig.name) else {
            throw UsageFault(description: "\(Flag.strict.name) needs \(Flag.checkConfig.name)")
        }
        if given.contains(Flag.version.name) {
            self = .answer("passd \(PassdVersion.text)\n")
        } else {
            self = given.contains(Flag.checkConfig.name) ? .checkConfiguration(options) : .run(options)
        }
    }

    /// Reads a flag and its value, which is empty for a flag without one.
    private static func read(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageFault) -> (Flag, String) {
        guard word.hasPrefix("-") else {
            throw UsageFault(description: "unexpected argument \"\(word.prefix(64))\"; try --help")
        }
        let parts = word.parted(at: "=").map { [$0.before, $0.behind] } ?? [word]
        guard let flag = Flag.all.first(where: { $0.name == parts[0] }) else {
            let nearest = Spelling.nearest(to: parts[0], among: Flag.all.map(\.name))
            throw UsageFault(
                description: "unknown flag \(parts[0].prefix(64)); "
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
        case Flag.instance.name:
            guard let name = InstanceName(value) else {
                throw UsageFault(description: "\(flag.name) \(value.prefix(64)): expected \(InstanceName.form)")
            }
            instance = name
        case Flag.allowSameUser.name: allowsSameUser = true
        case Flag.strict.name: isStrict = true
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
