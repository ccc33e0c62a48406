// The roff macros for the generated parts of the manual pages.

enum Roff {
    /// A line of text, escaped so that it is printed literally.
    static func text(_ text: String) -> String {
        let line = escaped(text)
        return line.hasPrefix(".") ? "\\&" + line : line
    }

    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// The placeholder of a value: `FILE`, `KEY=VALUE`, `CODE|ADDRESS`, or alternatives such as `v2|v1`.
    static func placeholder(_ name: String) -> String {
        name.split(separator: "|").map { choice in
            name.contains("|") && choice.contains(where: \.isLowercase)
                ? bold(String(choice)) : choice.split(separator: "=").map { italic(String($0)) }.joined(separator: "=")
        }
        .joined(separator: "|")
    }

    static func option(_ name: String, _ value: String?) -> String {
        ([bold(name)] + (value.map { [placeholder($0)] } ?? [])).joined(separator: " ")
    }

    /// A help text as a sentence, with options and the given values in bold.
    static func sentence(_ text: String, values: [String] = []) -> String {
        let whole = text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
        let line = whole.split(separator: " ").map { word in
            if word.hasPrefix("--") {
                let name = word.prefix { $0 == "-" || $0.isLetter }
                return bold(String(name)) + escaped(String(word.dropFirst(name.count)))
            }
            let name = word.prefix { $0.isUppercase }
            return values.contains(String(name))
                ? italic(String(name)) + escaped(String(word.dropFirst(name.count))) : escaped(String(word))
        }
        .joined(separator: " ")
        return line.hasPrefix(".") ? "\\&" + line : line
    }

    /// An item of a list: its head, and its lines.
    static func entry(_ head: String, _ lines: [String]) -> String {
        ".TP\n\(head)\n" + lines.filter { !$0.isEmpty }.map { $0 + "\n" }.joined()
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { line, character in
            switch character {
            case "\\": line += "\\e"
            case "-": line += "\\-"
            case "'": line += "\\(aq"
            case "…": line += "..."
            case "\n": line += " "
            default: line.append(character)
            }
        }
    }
}
