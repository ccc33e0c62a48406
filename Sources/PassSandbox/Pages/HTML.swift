// Text of a page. What is interpolated is escaped unless it is HTML itself, so that forgetting is impossible:
// `"<h1>\(name)</h1>" as HTML`.

struct HTML: ExpressibleByStringInterpolation, Equatable, Sendable {
    let text: String

    static let none: HTML = ""

    /// Only what stands in the source is taken as markup.
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

/// Safe between tags and in quoted attributes. Control characters and what turns the writing direction around
/// become a replacement mark: a device's name cannot reorder the sentence it stands in.
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
