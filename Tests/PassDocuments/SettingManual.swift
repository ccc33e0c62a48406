// Prints the table of settings in troff, for passd.conf(5).

import PassConfiguration

enum SettingManual {
    static var settings: String {
        SettingTable.sections.map { section in
            ".SS [\(escaped(section.name))]\n\(escaped(DefaultFile.text(of: section)))\n"
                + section.settings.map { setting in
                    entry(
                        setting.name.key, summary: DefaultFile.text(of: setting), form: setting.form,
                        defaultValue: INIValue.written(setting.defaultValue),
                        effect: setting.effect == .afterRestart ? nil : "Takes effect \(setting.effect.rawValue).")
                }
                .joined()
        }
        .joined()
    }

    private static func entry(
        _ key: String, summary: String, form: String, defaultValue: String, effect: String?
    ) -> String {
        let sentences = [summary, "Value: \(form).", "Default: \(defaultValue).", effect].compactMap(\.self)
        return ".TP\n.B \(escaped(key))\n" + sentences.map { escaped($0) + "\n" }.joined()
    }

    private static func escaped(_ text: String) -> String {
        let line = text.reduce(into: "") { line, character in
            switch character {
            case "\\": line += "\\e"
            case "-": line += "\\-"
            default: line.append(character)
            }
        }
        return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
