// A QR code in half-block characters, two modules above each other in one. With colours it is black on white whatever
// the terminal's own are. Without them the light modules are drawn and the dark ones left out: right on a dark terminal;
// on a light one inverted as a whole, quiet zone included, which cameras read as well.

enum QRDrawing {
    private static let blackOnWhite = "\u{1B}[38;5;16;48;5;231m"
    private static let plain = "\u{1B}[0m"

    /// Nil if the drawing does not fit, with that many lines kept free. The quiet zone gives way first, a little.
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
                // Below the last row there is nothing, which must not be drawn where light is what is drawn.
                let lower = row + 1 < all.upperBound ? code.isDark(row + 1, column) == inColor : false
                return upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ")
            }
            return inColor ? blackOnWhite + characters.joined() + plain : characters.joined()
        }
    }
}
