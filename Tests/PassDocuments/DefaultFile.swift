// Config/passd.conf, the annotated default file. The texts of sections and settings are written in this file. All else is made
// from the table of settings.

import FoundationEssentials
import PassConfiguration

enum DefaultFile {
    static let path = "Config/passd.conf"

    static var text: String {
        var text = """
            # The configuration of passd, with every key at its default. To change a key, remove the # in front of it.
            # passd.conf(5) explains the format. Files in passd.conf.d are read after this one and override it.
            # `passd --check-config` reports mistakes.

            """
        for section in SettingTable.sections {
            text += "\n\(comment(Self.text(of: section)))[\(section.name)]\n"
            for setting in section.settings {
                text += "\n" + comment(Self.text(of: setting)) + comment("Value: \(setting.form).")
                text += "#\(setting.name.key) = \(INIValue.written(setting.defaultValue))\n"
            }
        }
        return text
    }

    static func text(of section: SettingTable.Section) -> String { texts["[\(section.name)]"] ?? "" }
    static func text(of setting: Setting) -> String { texts["\(setting.name)"] ?? "" }

    /// The texts, by section and name. A text is the comment before a section's or a setting's line, up to the values.
    private static let texts: [String: String] = {
        let file = (try? String(contentsOfFile: GeneratedFile.repository + path, encoding: .utf8)) ?? ""
        var texts: [String: String] = [:]
        var section = ""
        for paragraph in file.split(separator: "\n\n") {
            let lines = paragraph.split(separator: "\n")
            let comment = lines.prefix { $0.hasPrefix("# ") && !$0.hasPrefix("# Value: ") }
            let text = comment.map { $0.dropFirst(2) }.joined(separator: " ")
            guard let last = lines.last else { continue }
            if last.hasPrefix("[") { section = String(last) }
            let key = last.hasPrefix("[") ? section : section + " " + last.dropFirst().prefix { $0 != " " }
            texts[key] = text
        }
        return texts
    }()

    private static func comment(_ text: String) -> String { wrapped(text).map { "# \($0)\n" }.joined() }

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
