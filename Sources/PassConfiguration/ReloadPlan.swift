// Compares two configurations and computes the changes of a reload. A setting that needs a restart keeps its old value until
// the restart, so that all parts of the daemon use the same value. operations.md §2.

package struct ReloadPlan: Equatable, Sendable {
    package struct Change: Equatable, Sendable, CustomStringConvertible {
        package let name: Setting.Name
        package let old: String
        package let new: EffectiveValue
        package let effect: Setting.Effect

        /// The origin of the change, and when the change takes effect. The values are left out, because they may contain a
        /// password.
        package var place: String { "\(name): \(new.origin), \(effect.rawValue)" }

        package var description: String { "\(name): \(old) -> \(new.text) (\(new.origin)), \(effect.rawValue)" }
    }

    package struct AppChanges: Equatable, Sendable {
        package var added: [String] = []
        package var removed: [String] = []
        package var changed: [String] = []

        package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

        package var lines: [String] {
            added.map { "app \($0): new" } + changed.map { "app \($0): changed" } + removed.map { "app \($0): removed" }
        }
    }

    package enum Outcome: Equatable, Sendable {
        /// The old configuration stays in force.
        case refused([Problem])
        case accepted(ReloadPlan)
    }

    /// The changed settings, in the order of the table.
    package let changes: [Change]
    package let apps: AppChanges
    /// The configuration from now on. It is the new configuration, with the old values of settings that need a restart.
    package let inForce: LoadedConfiguration

    package var needingRestart: [Change] { changes.filter { $0.effect == .afterRestart } }
    package var takingEffect: [Change] { changes.filter { $0.effect != .afterRestart } }
    package var isEmpty: Bool { changes.isEmpty && apps.isEmpty }

    /// The changes that take effect now, as text for an operator.
    package var changedLines: [String] { takingEffect.map(\.place) + apps.lines }
    package var waitingLines: [String] { needingRestart.map { "\($0.name): \($0.new.origin)" } }

    /// Compares `old`, the configuration in force, with `new`. Returns the plan, or the problems for which `new` is refused.
    /// The plan also has the changes that already wait for a restart.
    package static func decide(from old: LoadedConfiguration, to new: LoadedConfiguration) -> Outcome {
        guard new.isClear else { return .refused(new.problems) }
        return .accepted(ReloadPlan(from: old, to: new))
    }

    private init(from old: LoadedConfiguration, to new: LoadedConfiguration) {
        var values = new.values
        var changes: [Change] = []
        for setting in SettingTable.all {
            guard let before = old.values[setting.name], let after = new.values[setting.name] else { continue }
            var candidate = old.configuration
            _ = setting.apply(after.text, &candidate)
            // A different spelling of the same value is not a change.
            if candidate == old.configuration { continue }
            changes.append(Change(name: setting.name, old: before.text, new: after, effect: setting.effect))
            if setting.effect == .afterRestart { values[setting.name] = before }
        }
        self.changes = changes
        apps = Self.compare(old.apps, new.apps)
        inForce = LoadedConfiguration(values: values, apps: new.apps, problems: new.problems, files: new.files)
    }

    private static func compare(_ old: [AppStanza], _ new: [AppStanza]) -> AppChanges {
        let before = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
        let after = Dictionary(new.map { ($0.name, $0) }) { first, _ in first }
        return AppChanges(
            added: after.keys.filter { before[$0] == nil }.sorted(),
            removed: before.keys.filter { after[$0] == nil }.sorted(),
            changed: after.values.filter { app in before[app.name].map { !$0.meansTheSame(as: app) } ?? false }
                .map(\.name).sorted())
    }
}
