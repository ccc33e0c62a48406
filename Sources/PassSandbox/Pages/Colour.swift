// A colour, and its contrast with another as WCAG 2 defines it. The catalogue may name any pair of colours; the pages
// use only readable ones.

import Glibc

struct Colour: Equatable, Sendable {
    let red: Double
    let green: Double
    let blue: Double

    /// Reads a colour such as `#20508a`.
    init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), let number = Int(text.dropFirst(), radix: 16) else {
            return nil
        }
        red = Double(number >> 16 & 255) / 255
        green = Double(number >> 8 & 255) / 255
        blue = Double(number & 255) / 255
    }

    /// The contrast, from 1 (the same) to 21 (black on white).
    func contrast(with other: Colour) -> Double {
        let one = luminance + 0.05
        let two = other.luminance + 0.05
        return max(one, two) / min(one, two)
    }

    private var luminance: Double { 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) }

    private func linear(_ value: Double) -> Double {
        value > 0.04045 ? pow((value + 0.055) / 1.055, 2.4) : value / 12.92
    }
}

extension Provider.Look {
    /// The catalogue's colour of text, unless it is unreadable on the background.
    var readableInk: String {
        guard let background = Colour(color), let wanted = Colour(ink) else { return "#ffffff" }
        if background.contrast(with: wanted) >= 4.5 { return ink }
        guard let white = Colour("#ffffff"), let black = Colour("#000000") else { return ink }
        return background.contrast(with: white) >= background.contrast(with: black) ? "#ffffff" : "#000000"
    }
}
