// Tests the QR code: its modules, its drawing and its size.

import PassProtocol
import PassQR
import Testing

@testable import PassCLI

@Suite("operations.md §1: the QR code")
struct QRTests {
    static let sixty = "https://activate.example.com/tv/activate?code=K7MPQ2&s=NEWS2"
    static let addresses = [
        "http://127.0.0.1:8642/activate?code=K7MPQ2", "https://activate.example/?code=K7MPQ2", sixty,
        "HTTPS://A.EXAMPLE/K7MPQ2",
    ]

    static let inks: [QRDrawing.Ink] = [.blackOnWhite, .text(on: .light), .text(on: .dark)]

    private static let finder = [
        "#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######",
    ]

    @Test(arguments: addresses)
    func `the modules have finder patterns, separators, timing patterns and a dark module`(_ address: String) throws {
        let code = try QRCode(address)
        #expect((code.size - 17) % 4 == 0)
        for (top, left) in [(0, 0), (0, code.size - 7), (code.size - 7, 0)] {
            for row in -1...7 {
                for column in -1...7 {
                    let line = Self.finder[safe: row]
                    let isDark = line.flatMap { Array($0)[safe: column] } == "#"
                    #expect(code.isDark(top + row, left + column) == isDark)
                }
            }
        }
        for position in 8..<(code.size - 8) {
            #expect(code.isDark(6, position) == (position % 2 == 0))
            #expect(code.isDark(position, 6) == (position % 2 == 0))
        }
        #expect(code.isDark(code.size - 8, 8))
    }

    @Test(arguments: addresses)
    func `a usual address fits 80 columns and 21 lines with a full quiet zone`(_ address: String) throws {
        #expect(Self.sixty.count == 60)
        let code = try QRCode(address)
        for ink in Self.inks {
            let lines = QRDrawing(ink: ink).lines(code, quiet: 4)
            #expect(lines.count <= 21)
            for line in lines { #expect(Self.bare(line).count <= 80) }
        }
    }

    @Test(arguments: [4, 3, 2], inks)
    func `a drawing that is read back has the code's modules and its quiet zone`(
        _ quiet: Int, _ ink: QRDrawing.Ink
    ) throws {
        let code = try QRCode(Self.sixty)
        let lines = QRDrawing(ink: ink).lines(code, quiet: quiet).map(Self.bare)
        for row in -quiet..<(code.size + quiet) {
            let line = Array(lines[(row + quiet) / 2])
            #expect(line.count == code.size + 2 * quiet)
            for column in -quiet..<(code.size + quiet) {
                let character = line[column + quiet]
                let isDrawn = "█".contains(character) || ((row + quiet) % 2 == 0 ? "▀" : "▄").contains(character)
                #expect(isDrawn == (code.isDark(row, column) == (ink != .text(on: .dark))))
            }
        }
    }

    @Test func `with colours every line sets black on white, and without colours there are no escapes`() throws {
        let code = try QRCode(Self.sixty)
        for line in QRDrawing(ink: .blackOnWhite).lines(code, quiet: 4) {
            #expect(line.hasPrefix("\u{1B}[38;5;16;48;5;231m") && line.hasSuffix("\u{1B}[0m"))
        }
        for background in Background.allCases {
            let lines = QRDrawing(ink: .text(on: background)).lines(code, quiet: 4)
            #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
        }
    }

    @Test func `among codes of the same size, the one with the most error correction is chosen`() throws {
        let code = try QRCode("A")
        #expect(code.size == 21)
        #expect(throws: QRCode.Fault.self) { try QRCode(String(repeating: "x", count: QRCode.longest + 1)) }
    }

    @Test func `code and address are below the drawing, and all fits 80×24 with the countdown's line`() {
        let invitation = LoginInvitation(code: "K7MPQ2", url: Self.sixty)
        let text = InvitationText(invitation, on: Screen(isTerminal: true), drawn: QRDrawing(ink: .blackOnWhite))
        let lines = text.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(text.drawing != nil)
        #expect(lines.count <= 23)
        #expect(lines.suffix(2) == ["Code     K7MPQ2", "Address  \(Self.sixty)"])
    }

    static let screens: [(Int, Int, Bool)] = [
        (80, 24, true), (41, 25, true), (40, 25, true), (37, 24, true), (36, 50, false), (80, 23, true),
        (80, 20, false),
    ]

    @Test(arguments: screens)
    func `on a smaller terminal first the quiet zone is omitted, then the drawing, but never code and address`(
        _ columns: Int, _ rows: Int, _ isDrawn: Bool
    ) {
        let invitation = LoginInvitation(code: "K7MPQ2", url: Self.sixty)
        let screen = Screen(isTerminal: true, columns: columns, rows: rows)
        let text = InvitationText(invitation, on: screen, drawn: QRDrawing(ink: .text(on: .dark)))
        #expect((text.drawing != nil) == isDrawn)
        #expect(text.text.hasSuffix("Code     K7MPQ2\nAddress  \(Self.sixty)\n"))
        let used = text.text.split(separator: "\n").reduce(0) { $0 + ($1.count + columns - 1) / columns }
        #expect(!isDrawn || used < rows)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8642/activate?code=K7", true), ("http://localhost:8642/enter/link", true),
        ("https://LOCALHOST", true), ("http://tv.localhost/", true), ("http://[::1]:8642/", true),
        ("http://127.9.9.9?x", true), ("http://user@127.0.0.1/", true),
        ("http://192.168.1.5:8642/activate", false), ("https://activate.example/?to=http://127.0.0.1/", false),
        ("https://127.0.0.1.example/", false), ("https://localhost.example/", false), ("https://127.example", false),
        ("http://127.0.0.1@tv.example/", false), ("http://[2001:db8::1]/", false), ("not an address", false),
    ])
    func `below an address that no phone can open, a line says so`(_ url: String, _ isHere: Bool) {
        #expect(InvitationText.leadsToThisMachine(url) == isHere)
        let invitation = LoginInvitation(code: "K7", url: url)
        let text = InvitationText(invitation, on: Screen(isTerminal: true), drawn: QRDrawing(ink: .blackOnWhite)).text
        let note = "         (only this machine can open this link: a phone cannot)\n"
        #expect(text.hasSuffix("Code     K7\nAddress  \(url)\n" + (isHere ? note : "")))
    }

    private static func bare(_ line: String) -> String {
        guard line.hasPrefix("\u{1B}") else { return line }
        return String(line.dropFirst("\u{1B}[38;5;16;48;5;231m".count).dropLast("\u{1B}[0m".count))
    }
}
