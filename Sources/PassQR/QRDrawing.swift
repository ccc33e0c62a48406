// Draws a QR code in characters. A QR code consists of black and white squares, its modules. One half-block character shows two
// modules, one above the other. Without UTF-8, two characters show one module. With colours, the code is black on white on any
// terminal. Without colours, the drawn modules have the colour of the text. On a dark background the text is light, so only the
// light modules are drawn. On a light background only the dark modules are drawn. The code must not be inverted, because many
// scanners cannot read an inverted code.

/// Whether a terminal shows light text on a dark background, or dark text on a light one.
package enum Background: String, Sendable, CaseIterable { case light, dark }

package struct QRDrawing: Sendable, Equatable {
    package enum Ink: Sendable, Equatable {
        case blackOnWhite
        case text(on: Background)
    }

    private let ink: Ink
    private let isASCII: Bool

    private static let darkOnLight = "\u{1B}[38;5;16;48;5;231m"
    private static let dark = "\u{1B}[48;5;16m"
    private static let light = "\u{1B}[48;5;231m"
    private static let plain = "\u{1B}[0m"

    package init(ink: Ink, isASCII: Bool = false) {
        self.ink = ink
        self.isASCII = isASCII
    }

    /// Draws the code; nil if it does not fit into this many columns and rows. If the full border (the quiet zone) does not
    /// fit, smaller borders are tried.
    package func lines(_ code: QRCode, columns maxColumns: Int, rows maxRows: Int) -> [String]? {
        for quiet in [4, 3, 2] {
            let modules = code.size + 2 * quiet
            let (columns, rows) = isASCII ? (2 * modules, modules) : (modules, (modules + 1) / 2)
            if columns <= maxColumns, rows <= maxRows { return lines(code, quiet: quiet) }
        }
        return nil
    }

    package func lines(_ code: QRCode, quiet: Int) -> [String] {
        let all = -quiet..<(code.size + quiet)
        if isASCII { return all.map { row in asciiLine(all.map { code.isDark(row, $0) }) } }
        return stride(from: all.lowerBound, to: all.upperBound, by: 2).map { row in
            let characters = all.map { column in
                let upper = isDrawn(code.isDark(row, column))
                // Below the last row there is no module. This half stays empty even if light modules are drawn.
                let lower = row + 1 < all.upperBound ? isDrawn(code.isDark(row + 1, column)) : false
                return upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ")
            }
            return ink == .blackOnWhite ? Self.darkOnLight + characters.joined() + Self.plain : characters.joined()
        }
    }

    private func isDrawn(_ isDark: Bool) -> Bool { isDark == (ink != .text(on: .dark)) }

    /// A row in ASCII. With colours, the background of blanks is painted, so that there are no gaps between characters.
    private func asciiLine(_ modules: [Bool]) -> String {
        guard ink == .blackOnWhite else { return modules.map { isDrawn($0) ? "##" : "  " }.joined() }
        return modules.map { ($0 ? Self.dark : Self.light) + "  " }.joined() + Self.plain
    }
}
