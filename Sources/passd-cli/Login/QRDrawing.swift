<<<<<<< HEAD
// Draws a QR code in characters. A QR code consists of black and white squares, its modules. One half-block character shows two
// modules, one above the other. Without UTF-8, two characters show one module. With colours, the code is black on white on any
// terminal. Without colours, the drawn modules have the colour of the text. On a dark background, the text is light. So only
// the light modules are drawn. On a light background, only the dark modules are drawn. Dark and light must not be swapped,
// because many readers do not read such a code.
=======
// Chooses how a login draws its QR code.
>>>>>>> 44e1a04dfbb6b8ae791ff5e1621739d7649a8202

import PassArguments
import PassQR

<<<<<<< HEAD
/// Whether a terminal shows light text on a dark background, or dark text on a light one.
enum Background: String, Sendable, CaseIterable { case light, dark }

struct QRDrawing: Sendable, Equatable {
    enum Ink: Sendable, Equatable {
        case blackOnWhite
        case text(on: Background)
    }

    var ink: Ink
    var isASCII = false

    private static let darkOnLight = "\u{1B}[38;5;16;48;5;231m"
    private static let dark = "\u{1B}[48;5;16m"
    private static let light = "\u{1B}[48;5;231m"
    private static let plain = "\u{1B}[0m"

    /// Draws the code and leaves `free` lines free. Nil if the code does not fit on the screen. If the full border (the quiet
    /// zone) does not fit, smaller borders are tried.
    func lines(_ code: QRCode, on screen: Screen, keeping free: Int) -> [String]? {
        for quiet in [4, 3, 2] {
            let modules = code.size + 2 * quiet
            let (columns, rows) = isASCII ? (2 * modules, modules) : (modules, (modules + 1) / 2)
            if columns <= screen.columns, rows + free <= screen.rows { return lines(code, quiet: quiet) }
        }
        return nil
    }

    func lines(_ code: QRCode, quiet: Int) -> [String] {
        let all = -quiet..<(code.size + quiet)
        if isASCII { return all.map { row in asciiLine(all.map { code.isDark(row, $0) }) } }
        return stride(from: all.lowerBound, to: all.upperBound, by: 2).map { row in
            let characters = all.map { column in
                let upper = isDrawn(code.isDark(row, column))
                // Below the last row, there is no module. The lower half of the character stays empty even if light modules are
                // drawn.
                let lower = row + 1 < all.upperBound ? isDrawn(code.isDark(row + 1, column)) : false
                return upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ")
            }
            return ink == .blackOnWhite ? Self.darkOnLight + characters.joined() + Self.plain : characters.joined()
        }
    }

    private func isDrawn(_ isDark: Bool) -> Bool { isDark == (ink != .text(on: .dark)) }

    /// A row in ASCII. With colours, the background of blanks is painted. So there are no gaps between characters.
    private func asciiLine(_ modules: [Bool]) -> String {
        guard ink == .blackOnWhite else { return modules.map { isDrawn($0) ? "##" : "  " }.joined() }
        return modules.map { ($0 ? Self.dark : Self.light) + "  " }.joined() + Self.plain
    }
}

=======
>>>>>>> 44e1a04dfbb6b8ae791ff5e1621739d7649a8202
extension QRDrawing {
    /// Chooses the drawing for the command line and the terminal; nil if no QR code is wanted. Without an option, a code is
    /// drawn only on a terminal. `inColor` says whether colours are wanted.
    init?(_ arguments: Arguments, on console: any Console, inColor: Bool) {
        let word = arguments[.qr]
        guard !arguments.has(.noQR), word != nil || console.output.isTerminal else { return nil }
        let background = word.flatMap(Background.init(rawValue:))
        let isPainted = background == nil && (inColor || word == "color")
        // Most terminals have a dark background.
        self.init(ink: isPainted ? .blackOnWhite : .text(on: background ?? .dark), isASCII: console.isASCII)
        guard !isPainted, background == nil, console.output.isTerminal else { return }
        console.tell("If the code cannot be scanned here, try --qr light.")
    }
}
