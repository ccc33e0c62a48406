// What the command line asks passd to do. operations.md §1.

import PassArguments
import PassBackend
import PassConfiguration
import PassProtocol

enum Invocation: Equatable, Sendable {
    /// The text for --help or --version.
    case answer(String)
    case checkConfiguration(Options)
    case run(Options)

    struct Options: Equatable, Sendable {
        var configFile: String?
        var instance: InstanceName?
        var overrides: [SettingOverride] = []
        var allowsSameUser = false
        /// Whether a check of the configuration is strict.
        var isStrict = false

        var files: ConfigurationFiles { configFile.map(ConfigurationFiles.beside) ?? .system(instance: instance) }

        /// Values that replace the defaults of settings. Files and flags override them.
        var assumptions: [SettingOverride] { placesOfInstance + trial }

        private var placesOfInstance: [SettingOverride] {
            guard let instance else { return [] }
            return [
                SettingOverride(
                    name: Setting.Name("daemon", "socket"), text: "/run/\(instance.directory)/passd.sock",
                    flag: Option.instance.name),
                SettingOverride(
                    name: Setting.Name("storage", "directory"), text: "/var/lib/\(instance.directory)",
                    flag: Option.instance.name),
            ]
        }

        /// Values for trying out the daemon. They apply if a flag names a storage directory and no flag names a configuration
        /// file. With these values, the daemon uses the sandbox on this machine, unless the system's configuration or a flag
        /// names another service. If a flag names a service on this machine, passd assumes that this service is a sandbox.
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

extension Invocation {
    /// Reads the words after the program's name.
    init(_ words: some Sequence<String>, workingDirectory: String) throws(Mistake) {
        switch try ProgramSyntax.passd.read(words) {
        case .answer(let text): self = .answer(text)
        case .run(_, let arguments):
            let options = try Options(arguments, workingDirectory)
            self = arguments.has(.checkConfig) ? .checkConfiguration(options) : .run(options)
        }
    }
}

extension Invocation.Options {
    init(_ arguments: Arguments, _ workingDirectory: String) throws(Mistake) {
        func absolute(_ path: String) -> String {
            if path.hasPrefix("/") { return path }
            return workingDirectory + (workingDirectory.hasSuffix("/") ? "" : "/") + path
        }
        configFile = arguments[.config].map(absolute)
        allowsSameUser = arguments.has(.allowSameUser)
        isStrict = arguments.has(.strict)
        if let name = arguments[.instance] {
            instance = InstanceName(name)
            guard instance != nil else {
                throw Mistake("--instance \(name.prefix(64)): expected \(InstanceName.form)", remedy: "")
            }
        }
        for flag in Flag.all {
            guard let value = arguments[flag.option], let setting = SettingTable.find(flag.setting) else { continue }
            let text = flag.isPath ? absolute(value) : value
            if let fault = setting.fault(in: text) {
                throw Mistake("\(flag.option.name) \(value.prefix(200)): \(fault)", remedy: "")
            }
            overrides.append(SettingOverride(name: flag.setting, text: text, flag: flag.option.name))
        }
    }
}
