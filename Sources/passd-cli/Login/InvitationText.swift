// What the viewer needs, as it stands on the screen: the QR code if it fits, and always code and address under it.

import PassProtocol

struct InvitationText: Sendable, Equatable {
    /// Code and address.
    let lines: [String]
    /// Nil: not wanted, or it does not fit.
    let drawing: [String]?

    init(_ invitation: LoginInvitation, on screen: Screen, withQR: Bool, inColor: Bool) {
        lines = [invitation.code.map { "Code     \($0.onOneLine)" }, "Address  \(invitation.url.onOneLine)"].compactMap(
            \.self)
        guard withQR, let code = QRCode(invitation.url) else {
            drawing = nil
            return
        }
        // Long lines are broken by the terminal, and the line of the countdown stays free.
        let rows = lines.reduce(0) { $0 + ($1.count + screen.columns - 1) / max(1, screen.columns) }
        drawing = QRDrawing.lines(code, on: screen, keeping: rows + 1, inColor: inColor)
    }

    var text: String { ((drawing ?? []) + lines).joined(separator: "\n") + "\n" }
}
