// Whether a QR code is wanted, and how it is to be drawn: what the command line says, and what the terminal is like.

import PassProtocol

enum QRStyle: Sendable, Equatable {
    case none
    /// Nothing is said: a code is drawn on a terminal only.
    case usual
    /// `--qr auto`: a code is wanted anywhere.
    case auto
    case ink(QRDrawing.Ink)

    init(_ arguments: Arguments) throws(Failure) {
        let word = arguments[.qr]
        guard !arguments.has(.noQR) else {
            guard word == nil else { throw Failure.usage("--qr cannot be combined with --no-qr.", Verb.login) }
            self = .none
            return
        }
        switch word {
        case nil: self = .usual
        case "auto": self = .auto
        case "color": self = .ink(.blackOnWhite)
        case let word?:
            guard let background = Background(rawValue: word) else {
                throw Failure.usage("--qr \(word) is not a way to draw it.", Verb.login)
            }
            self = .ink(.text(on: background))
        }
    }

    /// Nil if there is to be no QR code. `inColor` says whether colours are wanted.
    func drawing(on console: any Console, inColor: Bool) -> QRDrawing? {
        switch self {
        case .none: return nil
        case .usual where !console.output.isTerminal: return nil
        case .usual, .auto:
            let ink: QRDrawing.Ink = inColor ? .blackOnWhite : .text(on: Self.background(of: console))
            return QRDrawing(ink: ink, isASCII: console.isASCII)
        case .ink(let ink): return QRDrawing(ink: ink, isASCII: console.isASCII)
        }
    }

    private static func background(of console: any Console) -> Background {
        guard console.output.isTerminal else { return .dark }
        if let known = console.background() { return known }
        console.tell("If the code cannot be scanned here, try --qr light.")
        return .dark
    }
}
