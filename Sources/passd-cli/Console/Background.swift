// Whether the terminal shows light text on a dark background, or dark text on a light one. A QR code that is drawn
// without colours has to know, since many readers do not read an inverted code.

import PassJSON

enum Background: String, Sendable, CaseIterable {
    case light, dark

    /// What some terminals say in COLORFGBG: the numbers of the text's colour and, last, of the background's.
    init?(colorFGBG text: String) {
        guard text.utf8.count < 32, let last = text.split(separator: ";").last, let number = Int(last) else {
            return nil
        }
        switch number {
        case 7, 9...15: self = .light
        case 0...6, 8: self = .dark
        default: return nil
        }
    }

    /// What terminals answer to `question`: `rgb:` or `rgba:`, and one to four hexadecimal digits for each colour.
    init?(answer: [UInt8]) {
        let text = String(decoding: answer, as: UTF8.self)
        guard let start = text.place(of: "]11;rgb")?.upperBound else { return nil }
        let colour = text[start...].drop { $0 != ":" }.dropFirst().prefix { $0 == "/" || $0.isHexDigit }
        let shares = colour.split(separator: "/").prefix(3).compactMap(Self.share)
        guard shares.count == 3 else { return nil }
        // How bright the three colours are to the eye.
        let brightness: Double = 0.299 * shares[0] + 0.587 * shares[1] + 0.114 * shares[2]
        self = brightness > 0.5 ? .light : .dark
    }

    private static func share(_ digits: Substring) -> Double? {
        guard (1...4).contains(digits.utf8.count), let value = UInt32(digits, radix: 16) else { return nil }
        let most = (UInt32(1) << (4 * UInt32(digits.utf8.count))) - 1
        return Double(value) / Double(most)
    }

    /// Asks for the background's colour, and then for the terminal's kind, which every terminal answers: one that does
    /// not know the first question need not be waited for.
    static let question = "\u{1B}]11;?\u{1B}\\\u{1B}[c"

    /// Whether the second question has been answered.
    static func isComplete(_ answer: [UInt8]) -> Bool {
        guard let start = answer.indices.first(where: { answer[$0...].starts(with: "\u{1B}[?".utf8) }) else {
            return false
        }
        return answer[start...].contains(UInt8(ascii: "c"))
    }
}
