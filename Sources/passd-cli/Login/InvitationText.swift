// What the viewer needs on the screen: the QR code if it fits, and always the code and the address below it.

import PassProtocol
import PassQR

struct InvitationText: Sendable, Equatable {
    /// The lines with code and address.
    let lines: [String]
    /// The QR code; nil if it is not wanted or does not fit.
    let drawing: [String]?

    /// Without a way to draw it there is no QR code.
    init(_ invitation: LoginInvitation, on screen: Screen, drawn drawing: QRDrawing?) {
        let address = invitation.url?.onOneLine ?? "not known; type the code on the activation page of the channel"
        lines = [invitation.code.map { "Code     \($0.onOneLine)" }, "Address  \(address)"].compactMap(\.self)
        guard let drawing, let code = invitation.url.flatMap({ try? QRCode($0) }) else {
            self.drawing = nil
            return
        }
        // The terminal wraps long lines, and one line is reserved for the countdown.
        let rows = lines.reduce(0) { $0 + ($1.count + screen.columns - 1) / max(1, screen.columns) }
        self.drawing = drawing.lines(code, on: screen, keeping: rows + 1)
    }

    var text: String { ((drawing ?? []) + lines).joined(separator: "\n") + "\n" }
}
