// Whether the terminal shows light text on a dark background, or dark text on a light one. A QR code without
// colours depends on this, since many readers do not read an inverted code.

import Glibc
import PassJSON

enum Background: String, Sendable, CaseIterable {
    case light, dark

    /// The value that some terminals put into COLORFGBG: the numbers of the text's colour and, last, of the background's.
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

    /// The answer of terminals to `question`: `rgb:` or `rgba:`, and one to four hexadecimal digits for each colour.
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
        let max = (UInt32(1) << (4 * UInt32(digits.utf8.count))) - 1
        return Double(value) / Double(max)
    }

    /// Asks for the background's colour, and then for the terminal's kind, which every terminal answers. If
    /// only the second answer comes, the terminal does not know the first question, and passd-cli stops waiting.
    static let question = "\u{1B}]11;?\u{1B}\\\u{1B}[c"

    /// Whether the second question has been answered.
    static func isComplete(_ answer: [UInt8]) -> Bool {
        guard let start = answer.indices.first(where: { answer[$0...].starts(with: "\u{1B}[?".utf8) }) else {
            return false
        }
        return answer[start...].contains(UInt8(ascii: "c"))
    }
}

// Asks the terminal. The answer arrives like typed text, so the terminal shows no typed text meanwhile.
extension Background {
    /// How long the terminal may take, in milliseconds. Even a slow line answers within this time.
    private static let maxWait: Int64 = 500
    private static let maxAnswerSize = 256

    /// Nil if the terminal does not answer. Must not be called in the background, where a terminal must not be read.
    static func ask(_ environment: [String: String]) -> Background? {
        // The console of Linux is dark, and some versions of it would print the question.
        if environment["TERM"] == "linux" { return .dark }
        if let told = environment["COLORFGBG"].flatMap(Background.init(colorFGBG:)) { return told }
        guard let kind = environment["TERM"], !kind.isEmpty, kind != "dumb" else { return nil }
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var before = termios()
        guard tcgetpgrp(terminal) == getpgrp(), tcgetattr(terminal, &before) == 0 else { return nil }
        var quiet = before
        quiet.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard tcsetattr(terminal, TCSANOW, &quiet) == 0 else { return nil }
        // A late answer must not look like typed input.
        defer { tcsetattr(terminal, TCSAFLUSH, &before) }
        guard Descriptor.write(question, to: terminal) == nil else { return nil }
        return Background(
            answer: Descriptor.read(
                terminal, limit: maxAnswerSize, patience: maxWait, until: isComplete
            ).bytes)
    }
}
