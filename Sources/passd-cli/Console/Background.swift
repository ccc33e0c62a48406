// Whether the terminal shows light text on a dark background, or dark text on a light one. A QR code without
// colours depends on this, since many readers do not read an inverted code.

import Glibc
import PassArguments
import PassJSON

enum Background: String, Sendable, CaseIterable {
    case light, dark

    /// Reads COLORFGBG, which some terminals set. Its last number is the colour of the background.
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

    /// Reads a terminal's answer to `question`: `rgb:` or `rgba:`, and one to four hexadecimal digits for each colour.
    init?(answer: [UInt8]) {
        let text = String(decoding: answer, as: UTF8.self)
        guard let start = text.place(of: "]11;rgb")?.upperBound else { return nil }
        let colour = text[start...].drop { $0 != ":" }.dropFirst().prefix { $0 == "/" || $0.isHexDigit }
        let shares = colour.split(separator: "/").prefix(3).compactMap(Self.share)
        guard shares.count == 3 else { return nil }
        // The weights approximate how bright the eye sees each colour.
        let brightness: Double = 0.299 * shares[0] + 0.587 * shares[1] + 0.114 * shares[2]
        self = brightness > 0.5 ? .light : .dark
    }

    private static func share(_ digits: Substring) -> Double? {
        guard (1...4).contains(digits.utf8.count), let value = UInt32(digits, radix: 16) else { return nil }
        let max = (UInt32(1) << (4 * UInt32(digits.utf8.count))) - 1
        return Double(value) / Double(max)
    }

    /// The questions for the background's colour and for the kind of terminal. Every terminal answers the second question.
    /// If its answer comes alone, the terminal does not know the first question, and passd-cli stops waiting.
    static let question = "\u{1B}]11;?\u{1B}\\\u{1B}[c"

    /// Whether the second question has been answered.
    static func isComplete(_ answer: [UInt8]) -> Bool {
        guard let start = answer.indices.first(where: { answer[$0...].starts(with: "\u{1B}[?".utf8) }) else {
            return false
        }
        return answer[start...].contains(UInt8(ascii: "c"))
    }
}

// Asks the terminal. The answer arrives like typed text, so the echo of typed text is off meanwhile.
extension Background {
    /// The milliseconds that the terminal may take. This is enough even for a slow line.
    private static let maxWait: Int64 = 500
    private static let maxAnswerSize = 256

    /// Determines the background; nil if the terminal does not answer. A background process gets nil, too, because it must
    /// not read the terminal.
    static func ask(_ environment: [String: String]) -> Background? {
        // The Linux console is dark. Some of its versions would print the question.
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
        guard Descriptors.write(question, to: terminal) == nil else { return nil }
        return Background(
            answer: Descriptor.read(
                terminal, limit: maxAnswerSize, patience: maxWait, until: isComplete
            ).bytes)
    }
}
