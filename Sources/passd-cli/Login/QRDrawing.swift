// Chooses how a login draws its QR code.

import PassArguments
import PassQR

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
