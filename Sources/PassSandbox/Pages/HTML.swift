// The text of a page. Interpolated values are escaped unless they are HTML already, so that escaping cannot be
// forgotten: `"<h1>\(name)</h1>" as HTML`.

struct HTML: ExpressibleByStringInterpolation, Equatable, Sendable {
    let text: String

    static let none: HTML = ""

    /// Only text in the source is taken as markup.
    init(stringLiteral text: StaticString) { self.text = text.description }

    init(stringInterpolation interpolation: StringInterpolation) { text = interpolation.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        mutating func appendInterpolation(_ text: String) { self.text += escaped(text) }

        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        mutating func appendInterpolation(_ html: HTML) { text += html.text }

        mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }
    }
}

/// Escapes text for use between tags and in quoted attributes. Control characters and changes of the writing direction
/// are replaced, so that a device's name cannot reorder its sentence.
private func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": out += "&amp;"
        case "<": out += "&lt;"
        case ">": out += "&gt;"
        case "\"": out += "&quot;"
        case "'": out += "&#39;"
        case "\n", "\t": out.unicodeScalars.append(scalar)
        default:
            let turnsAround = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
            let isControl = scalar.properties.generalCategory == .control
            out.unicodeScalars.append(turnsAround || isControl ? "\u{FFFD}" : scalar)
        }
    }
    return out
}
