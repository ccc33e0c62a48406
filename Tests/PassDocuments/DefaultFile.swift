// Config/passd.conf, the annotated default file, made from the table of settings.

import PassConfiguration

enum DefaultFile {
    static var text: String {
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

    private static func wrapped(_ text: String, width: Int = 98) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ").map(String.init) {
            if let last = lines.last, last.count + word.count < width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
        return lines
    }
}
