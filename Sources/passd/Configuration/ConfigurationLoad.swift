// From files and flags to a configuration. Everything that is wrong is found in one go; what could be understood is
// there all the same, so that a check can go on to the apps. operations.md §2.

/// A value of the command line; the command line has already looked at it.
struct SettingOverride: Equatable, Sendable {
    let name: Setting.Name
    let text: String
    let flag: String
}

struct EffectiveValue: Equatable, Sendable {
    enum Origin: Equatable, Sendable, CustomStringConvertible {
        case builtIn
        case file(TextPlace)
        case flag(String)

        var description: String {
            switch self {
            case .builtIn: "default"
            case .file(let place): place.description
            case .flag(let name): name
            }
        }
    }

    let text: String
    let origin: Origin
}

struct LoadedConfiguration: Equatable, Sendable {
    /// Of every setting in the table.
    let values: [Setting.Name: EffectiveValue]
    let configuration: Configuration
    /// In the order of their names.
    let apps: [AppStanza]
    let problems: [Problem]

    /// Whether a start takes it.
    var isUsable: Bool { !problems.contains { $0.severity == .fatal } }

    /// Whether a reload and a check take it, too.
    var isClear: Bool { !problems.contains { $0.severity >= .unclear } }

    /// Whether all that stands there has its effect.
    var isGood: Bool { !problems.contains { $0.severity > .warning } }

    init(values: [Setting.Name: EffectiveValue], apps: [AppStanza], problems: [Problem]) {
        self.values = values
        self.apps = apps
        self.problems = problems
        configuration = Configuration(values: values.mapValues(\.text))
    }
}

extension LoadedConfiguration {
    /// `assumptions` stand in place of defaults, under every file.
    static func load(
        _ files: ConfigurationFiles, assumptions: [SettingOverride] = [], overrides: [SettingOverride] = [],
        environment: AppEnvironment
    ) -> LoadedConfiguration {
        var reader = SettingReader()
        for assumption in assumptions { reader.take(assumption) }
        let found = ConfigurationFiles.find(files.settings)
        for path in found.paths { reader.read(path) }
        for override in overrides { reader.take(override) }
        reader.checkTogether()
        let apps = AppReader.read(ConfigurationFiles.find(files.apps), environment)
        return LoadedConfiguration(
            values: reader.values, apps: apps.stanzas, problems: found.problems + reader.problems + apps.problems)
    }
}
