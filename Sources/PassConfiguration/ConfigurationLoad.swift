// Loads the configuration from files and flags. One pass finds all problems. Readable parts are kept in spite of problems. The
// apps are read even if the settings have problems, so that one check reports the problems of both. operations.md §2.

/// A value from the command line, already checked.
package struct SettingOverride: Equatable, Sendable {
    package let name: Setting.Name
    package let text: String
    package let flag: String

    package init(name: Setting.Name, text: String, flag: String) {
        self.name = name
        self.text = text
        self.flag = flag
    }
}

package struct EffectiveValue: Equatable, Sendable {
    package enum Origin: Equatable, Sendable, CustomStringConvertible {
        case builtIn
        case file(FilePosition)
        case flag(String)

        package var description: String {
            switch self {
            case .builtIn: "default"
            case .file(let place): place.description
            case .flag(let name): name
            }
        }
    }

    package let text: String
    package let origin: Origin
}

package struct LoadedConfiguration: Equatable, Sendable {
    /// The values, one for every setting in the table.
    package let values: [Setting.Name: EffectiveValue]
    package internal(set) var configuration: Configuration
    /// The apps, sorted by name.
    package let apps: [AppStanza]
    package let problems: [Problem]
    /// The files that were read, in this order.
    package let files: [String]

    /// Whether the daemon starts with this configuration.
    package var isUsable: Bool { !problems.contains { $0.severity == .fatal } }

    /// Whether the daemon starts with this configuration and a reload accepts it, too.
    package var isClear: Bool { !problems.contains { $0.severity >= .unclear } }

    /// Whether all parts that are used can work. If not, `--check-config` fails.
    package var canWork: Bool { !problems.contains { $0.severity >= .useless } }

    /// Whether everything in the files takes effect.
    package var isGood: Bool { !problems.contains { $0.severity > .warning } }

    package init(
        values: [Setting.Name: EffectiveValue], apps: [AppStanza], problems: [Problem], files: [String] = []
    ) {
        self.values = values
        self.apps = apps
        self.problems = problems
        self.files = files
        configuration = Configuration(values: values.mapValues(\.text))
    }
}

extension LoadedConfiguration {
    /// Loads the configuration. `assumptions` replace defaults. Later values win. The order is: defaults, `assumptions`, files,
    /// `overrides`.
    package static func load(
        _ files: ConfigurationFiles, assumptions: [SettingOverride] = [], overrides: [SettingOverride] = [],
        resources: StanzaResources
    ) -> LoadedConfiguration {
        var reader = SettingReader()
        for assumption in assumptions { reader.take(assumption) }
        let found = ConfigurationFiles.find(files.settings, resources.willAsk)
        for path in found.paths {
            resources.willAsk(path)
            reader.read(path)
        }
        for override in overrides { reader.take(override) }
        reader.checkTogether()
        reader.checkFiles(resources)
        let appFiles = ConfigurationFiles.find(files.apps, limit: AppReader.maxApps, resources.willAsk)
        let apps = AppReader.read(appFiles, resources)
        reader.checkInterface()
        reader.checkActivation(of: apps.stanzas)
        reader.checkLogoutPage(of: apps.stanzas)
        return LoadedConfiguration(
            values: reader.values, apps: apps.stanzas,
            problems: found.problems + reader.problems + apps.problems
                + AppSockets.problems(of: apps.stanzas),
            files: found.paths + appFiles.paths)
    }
}
