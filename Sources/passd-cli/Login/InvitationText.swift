// The invitation on the screen. The code and the addresses are always shown. The QR code is shown above them if it fits.

import PassJSON
import PassProtocol
import PassQR

struct InvitationText: Sendable, Equatable {
    /// The lines with code and address.
    let lines: [String]
    /// The QR code; nil if no QR code is wanted or it does not fit.
    let drawing: [String]?

    /// Makes the text. Without `drawing`, there is no QR code.
    init(_ invitation: LoginInvitation, on screen: Screen, drawn drawing: QRDrawing?) {
        let scanned = invitation.link ?? invitation.url
        let isHere = scanned.map(Self.leadsToThisMachine) ?? false
        let note = isHere ? "         (only this machine can open this link: a phone cannot)" : nil
        lines = [
            invitation.link.map { "Link     \($0.onOneLine)" }, invitation.link == nil ? nil : note,
            invitation.code.map { "Code     \($0.onOneLine)" },
            invitation.url.map { "Address  \($0.onOneLine)" },
            invitation.link == nil ? note : nil,
        ].compactMap(\.self)
        // The terminal wraps long lines, and one line is reserved for the countdown.
        let rows = lines.reduce(0) { $0 + ($1.count + screen.columns - 1) / max(1, screen.columns) }
        // If a small terminal has no room for the QR code of the link, the page's address is tried, because it is shorter.
        self.drawing = drawing.flatMap { drawing in
            [invitation.link, invitation.url].lazy.compactMap { $0.flatMap { try? QRCode($0) } }
                .compactMap { drawing.lines($0, columns: screen.columns, rows: screen.rows - rows - 1) }.first
        }
    }

    /// Whether the address is a loopback address, as for a sandbox. A viewer's phone cannot open such an address, because it
    /// would look for the page on the phone itself.
    static func leadsToThisMachine(_ url: String) -> Bool {
        guard let start = url.place(of: "://")?.upperBound else { return false }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        let server = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        if server.hasPrefix("[") { return server.hasPrefix("[::1]") }
        let host = server.prefix { $0 != ":" }.lowercased()
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return host == "localhost" || host.hasSuffix(".localhost")
            || numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }

    var text: String { ((drawing ?? []) + lines).joined(separator: "\n") + "\n" }
}
