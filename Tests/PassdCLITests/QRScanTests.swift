// Shows the QR code on light and dark terminals, and reads the picture with a program that scans codes. This program
// cannot read inverted codes, like many cameras.

import PassProtocol
import PassQR
import PassTestTools
import Testing

@testable import PassCLI

@Suite("operations.md §1: the QR code can be scanned")
struct QRScanTests {
    private static let looks: [(QRDrawing.Ink, Background)] = [
        (.blackOnWhite, .dark), (.blackOnWhite, .light), (.text(on: .dark), .dark), (.text(on: .light), .light),
    ]

    @Test(arguments: looks, [false, true])
    func `the code can be scanned on any background, with and without colours, in UTF-8 and in ASCII`(
        _ look: (QRDrawing.Ink, Background), _ isASCII: Bool
    ) throws {
        let code = try QRCode(QRTests.sixty)
        for quiet in [4, 2] {
            let lines = QRDrawing(ink: look.0, isASCII: isASCII).lines(code, quiet: quiet)
            var picture = Picture(of: lines, on: look.1)
            // A camera does not see single strokes of a character.
            if isASCII, look.0 != .blackOnWhite { picture = picture.smaller(by: 8) }
            let scratch = TemporaryDirectory()
            let ending = try ChildProcess.run(
                ["zbarimg", "--quiet", "--raw", scratch.write(picture.bytes, to: "screen.pgm")])
            #expect(ending.output == QRTests.sixty + "\n", "\(look), quiet zone \(quiet): \(ending)")
        }
    }
}

/// A picture of a terminal in shades of grey, with its background around the text.
private struct Picture {
    private static let (width, height, margin) = (8, 16, 48)
    /// The strokes of a number sign, eight by sixteen.
    private static let numberSign: [UInt8] = [
        0, 0, 0x24, 0x24, 0x24, 0x7E, 0x7E, 0x24, 0x24, 0x7E, 0x7E, 0x24, 0x24, 0x24, 0, 0,
    ]

    private var rows: [[UInt8]]

    init(of lines: [String], on background: Background) {
        let paper: UInt8 = background == .light ? 255 : 0
        let cells = lines.map { Self.cells($0, text: ~paper, paper: paper) }
        let columns = cells.map(\.count).max() ?? 0
        let side = columns * Self.width + 2 * Self.margin
        rows = [[UInt8]](repeating: [UInt8](repeating: paper, count: side), count: Self.margin)
        for line in cells {
            for y in 0..<Self.height {
                var row = [UInt8](repeating: paper, count: Self.margin)
                for cell in line {
                    for x in 0..<Self.width { row.append(Self.hasInk(cell.character, x, y) ? cell.text : cell.paper) }
                }
                rows.append(row + [UInt8](repeating: paper, count: side - row.count))
            }
        }
        rows += [[UInt8]](repeating: [UInt8](repeating: paper, count: side), count: Self.margin)
    }

    private typealias Cell = (character: Character, text: UInt8, paper: UInt8)

    /// Reads the colours 16 (black) and 231 (white) for text and background, and the end of colours.
    private static func cells(_ line: String, text: UInt8, paper: UInt8) -> [Cell] {
        var (ink, ground) = (text, paper)
        var cells: [Cell] = []
        var rest = line[...]
        while let character = rest.popFirst() {
            guard character == "\u{1B}" else {
                cells.append((character, ink, ground))
                continue
            }
            let sequence = rest.prefix { $0 != "m" }
            rest = rest.dropFirst(sequence.count + 1)
            let numbers = sequence.dropFirst().split(separator: ";").compactMap { Int($0) }
            if numbers == [0] { (ink, ground) = (text, paper) }
            for (place, number) in numbers.enumerated() where [38, 48].contains(number) {
                let shade: UInt8 = numbers[place + 2] == 231 ? 255 : 0
                if number == 38 { ink = shade } else { ground = shade }
            }
        }
        return cells
    }

    private static func hasInk(_ character: Character, _ x: Int, _ y: Int) -> Bool {
        switch character {
        case "█": true
        case "▀": y < height / 2
        case "▄": y >= height / 2
        case "#": numberSign[y] & (0x80 >> UInt8(x)) != 0
        default: false
        }
    }

    /// The picture from a distance: each square of points becomes one point. It is then enlarged for the scanner.
    func smaller(by side: Int) -> Picture {
        var picture = self
        let seen = stride(from: 0, through: rows.count - side, by: side).map { y in
            stride(from: 0, through: rows[y].count - side, by: side).flatMap { x in
                let sum = rows[y..<(y + side)].reduce(0) { $0 + $1[x..<(x + side)].reduce(0) { $0 + Int($1) } }
                return [UInt8](repeating: UInt8(sum / (side * side)), count: 2)
            }
        }
        picture.rows = seen.flatMap { [$0, $0] }
        return picture
    }

    /// The picture as a portable grey map.
    var bytes: [UInt8] { Array("P5 \(rows[0].count) \(rows.count) 255\n".utf8) + rows.joined() }
}
