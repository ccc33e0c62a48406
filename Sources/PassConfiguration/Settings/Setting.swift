// One row of the table of settings. It has all facts about a key, except the text that explains the key.

package struct Setting: Sendable {
    package struct Name: Hashable, Sendable, CustomStringConvertible {
        package let section: String
        package let key: String

        package init(_ section: String, _ key: String) {
            self.section = section
            self.key = key
        }

        package var description: String { "[\(section)] \(key)" }
    }

    /// The time when a changed value takes effect.
    package enum Effect: String, Sendable {
        case atOnce = "at once"
        case forNewSessions = "for new sessions"
        case afterRestart = "after a restart"
    }

    package private(set) var name: Name
    package let defaultValue: String
    package let form: String
    package let effect: Effect
    /// Reads the text and stores the value, or returns the fault of the text.
    let apply: @Sendable (String, inout Configuration) -> ValueFault?

    init<Value>(
        _ key: String, type: ValueType<Value>, default text: String,
        path: WritableKeyPath<Configuration, Value> & Sendable, effect: Effect
    ) {
        name = Name("", key)
        defaultValue = text
        form = type.form
        self.effect = effect
        apply = { text, configuration in
            do throws(ValueFault) {
                configuration[keyPath: path] = try type.read(text)
                return nil
            } catch { return error }
        }
    }

    /// Returns a copy of the row that is in this section. Rows are written without a section, because the table adds it.
    func moved(to section: String) -> Setting {
        var setting = self
        setting.name = Name(section, name.key)
        return setting
    }

    package func fault(in text: String) -> ValueFault? {
        var scratch = Configuration.defaults
        return apply(text, &scratch)
    }
}
