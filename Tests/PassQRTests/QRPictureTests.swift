// Tests the pictures for apps. A program that scans codes reads each form, and none is too large for a message.

import PassJSON
import PassProtocol
import PassTestTools
import Testing

@testable import PassQR

@Suite("rpc.md §4: the QR code beside the code") struct QRPictureTests {
    static let address = "https://activate.example.com/tv/activate?code=K7MPQ2&s=NEWS24"
    static let longest = address + String(repeating: "x", count: QRCode.longest - address.utf8.count)

    private func scanned(_ picture: [UInt8], _ name: String) throws -> String {
        let scratch = TemporaryDirectory()
        return try ChildProcess.run(["zbarimg", "--quiet", "--raw", scratch.write(picture, to: name)]).output
    }

    @Test(arguments: ["HTTPS://A.EXAMPLE/K7MPQ2", address, longest])
    func `the PNG file can be scanned`(_ address: String) throws {
        guard case .png(let bytes) = QRPicture.drawing(address, as: .png) else {
            Issue.record("no picture")
            return
        }
        #expect(try scanned(bytes, "code.png") == address + "\n")
        #expect(bytes.count < 64 << 10)
    }

    @Test(arguments: [address, longest]) func `the matrix and the path of the SVG picture have the same modules`(
        _ address: String
    ) throws {
        let code = try QRCode(address)
        guard case .matrix(let rows) = QRPicture.drawing(address, as: .matrix),
            case .svg(let text) = QRPicture.drawing(address, as: .svg)
        else {
            Issue.record("no picture")
            return
        }
        #expect(rows.count == code.size)
        var painted = Set<[Int]>()
        let path = try #require(text.split(separator: " d=\"").last?.split(separator: "\"").first)
        for run in path.split(separator: "M") {
            let numbers = run.split { !$0.isNumber }.compactMap { Int($0) }
            for column in numbers[0]..<(numbers[0] + numbers[2]) { painted.insert([numbers[1] - 4, column - 4]) }
        }
        for (row, line) in rows.enumerated() {
            #expect(line.utf8.count == code.size)
            for (column, module) in line.enumerated() {
                #expect((module == "1") == code.isDark(row, column))
                #expect((module == "1") == painted.contains([row, column]))
            }
        }
        #expect(text.utf8.count < 128 << 10)
    }

    /// The matrix as a portable bitmap, with the margin that an app must leave.
    @Test func `the matrix can be scanned`() throws {
        guard case .matrix(let rows) = QRPicture.drawing(Self.address, as: .matrix) else {
            Issue.record("no picture")
            return
        }
        let blank = String(repeating: "0", count: rows.count + 8)
        let whole = Array(repeating: blank, count: 4) + rows.map { "0000\($0)0000" } + Array(repeating: blank, count: 4)
        let lines = whole.flatMap { line in
            Array(repeating: line.map { String(repeating: "\($0) ", count: 5) }.joined(), count: 5)
        }
        let side = whole.count * 5
        let picture = "P1\n\(side) \(side)\n" + lines.joined(separator: "\n") + "\n"
        #expect(try scanned(Array(picture.utf8), "code.pbm") == Self.address + "\n")
    }

    @Test(arguments: QRForm.allCases) func `for an address that is too long the error says so`(_ form: QRForm) {
        let reason = "The address does not fit into a QR code; it may have 1024 bytes."
        #expect(QRPicture.drawing(Self.longest + "x", as: form) == .problem(reason))
        #expect(QRPicture.drawing("a\u{0}b", as: form) == .problem(reason))
    }

    @Test(arguments: QRForm.allCases) func `every form matches its schema`(_ form: QRForm) throws {
        try QRPicture.component.schema.check(QRPicture.drawing(Self.address, as: form).json)
        try QRPicture.component.schema.check(QRPicture.noPage.json)
    }
}
