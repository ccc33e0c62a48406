// The table of settings as text: the annotated default file, and the effective values with where each comes from.

import PassJSON

enum SettingText {
    /// Config/passd.conf.
    static var defaultFile: String {
        var text = """
            # The configuration of passd, with every key at its default. To change a key, remove the # in front of it.
            # passd.conf(5) explains the format. Files in passd.conf.d are read after this one and override it.
            # `passd --check-config` reports mistakes.

            """
        for section in SettingTable.sections {
            text += "\n# \(section.summary)\n[\(section.name)]\n"
            for setting in section.settings {
                text += "\n"
                for line in wrapped(setting.summary) { text += "# \(line)\n" }
                for line in wrapped("Value: \(setting.form).") { text += "# \(line)\n" }
                text += "#\(setting.name.key) = \(INIValue.written(setting.defaultValue))\n"
            }
        }
        return text
    }

    /// What `config show` prints; it can be read as a configuration again.
    static func shown(_ values: [Setting.Name: EffectiveValue], withOrigin: Bool = false) -> String {
        SettingTable.sections.map { section in
            let lines = section.settings.map { setting in
                let value = values[setting.name] ?? EffectiveValue(text: setting.defaultValue, origin: .builtIn)
                let line = "\(setting.name.key) = \(INIValue.written(value.text))"
                return withOrigin ? line.padded(to: 40) + "  # \(value.origin)" : line
            }
            return "[\(section.name)]\n" + lines.joined(separator: "\n") + "\n"
        }
        .joined(separator: "\n")
    }

    private static func wrapped(_ text: String, width: Int = 98) -> [String] {
        var lines: [String] = []
        for word in text.words {
            if let last = lines.last, last.count + word.count < width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
        return lines
    }
}
