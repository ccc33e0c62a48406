// Draws a QR code in half-block characters, each with two modules, one above the other. With colours, it is black on
// white on any terminal. Without colours, the light modules are drawn and the dark ones left blank: this is right on a
// dark terminal; on a light one the whole drawing is inverted, quiet zone included, which cameras can read as well.

enum QRDrawing {
    private static let blackOnWhite = "\u{1B}[38;5;16;48;5;231m"
    private static let plain = "\u{1B}[0m"

    /// Nil if the drawing does not fit while `free` lines are kept free. The quiet zone is made smaller before giving
    /// up.
    static func lines(_ code: QRCode, on screen: Screen, keeping free: Int, inColor: Bool) -> [String]? {
        for quiet in [4, 3, 2] {
            let width = code.size + 2 * quiet
            if width <= screen.columns, (width + 1) / 2 + free <= screen.rows {
                return lines(code, quiet: quiet, inColor: inColor)
            }
        }
        return nil
    }

    static func lines(_ code: QRCode, quiet: Int, inColor: Bool) -> [String] {
        let all = -quiet..<(code.size + quiet)
        return stride(from: all.lowerBound, to: all.upperBound, by: 2).map { row in
            let characters = all.map { column in
                let upper = code.isDark(row, column) == inColor
                // There is no module below the last row. It must not be drawn where light modules are drawn.
                let lower = row + 1 < all.upperBound ? code.isDark(row + 1, column) == inColor : false
                return upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ")
            }
            return inColor ? blackOnWhite + characters.joined() + plain : characters.joined()
        }
    }
}
