// Tests both framings, whole and in pieces, with all their errors.

import PassWire
import Testing

@Suite("rpc.md §2: framing")
struct FrameReaderTests {
    private func feed(_ pieces: [[UInt8]], limit: Int = 100, finish: Bool = false) -> [FrameReader.Output] {
        var reader = FrameReader(limit: limit)
        var outputs: [FrameReader.Output] = []
        for piece in pieces {
            reader.append(piece)
            while let output = reader.next() { outputs.append(output) }
        }
        if finish, let output = reader.finish() { outputs.append(output) }
        return outputs
    }

    private func feed(_ text: String, limit: Int = 100, finish: Bool = false) -> [FrameReader.Output] {
        feed([Array(text.utf8)], limit: limit, finish: finish)
    }

    static func message(_ text: String) -> FrameReader.Output { .message(Array(text.utf8)) }

    static let streams: [(String, [FrameReader.Output])] = [
        ("{\"a\":1}\n[2]\r\n\n \r\n\t\n{}\n", [message("{\"a\":1}"), message("[2]"), message("{}")]),
        ("\r\n\nnot json\n", [message("not json")]),
        ("GETTING\nG\n", [message("GETTING"), message("G")]),
        ("Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", [message("{}"), message("[1]")]),
        (
            "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:\t4 \r\n\r\n{\n\n}",
            [message("{\n\n}")]
        ),
        ("Content-Length: 0\r\n\r\n", [message("")]),
        ("content-length: 2\r\n\r\n{}CONTENT-LENGTH: 2\r\n\r\n[]", [message("{}"), message("[]")]),
    ]

    @Test(arguments: streams) func `a stream gives the same messages, wherever it is split`(
        _ text: String, _ expected: [FrameReader.Output]
    ) {
        let bytes = Array(text.utf8)
        #expect(feed([bytes]) == expected)
        #expect(feed(bytes.map { [$0] }) == expected)
        for cut in 0...bytes.count {
            #expect(feed([Array(bytes[..<cut]), Array(bytes[cut...])]) == expected, "torn at \(cut)")
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n", "POST /x", "PUT /", "HEAD /", "DELETE /", "OPTIONS * HTTP/1.1", "PATCH /", "TRACE /",
        "CONNECT a:1 HTTP/1.1", "PRI * HTTP/2.0\r\n",
    ]) func `HTTP is recognised by its first bytes, wherever they are split`(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(feed([bytes]) == [.fault(.http)])
        #expect(feed(bytes.map { [$0] }) == [.fault(.http)])
    }

    static let malformed: [(String, String)] = [
        ("Content-Length: 2\n\n{}", "a line has to end with \\r\\n"),
        ("Content-Length 2\r\n\r\n{}", "a header has to be \"Name: value\""),
        ("C: \r\n\r\n", "Content-Length is missing"),
        ("Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "Content-Length occurs twice"),
        ("Content-Length: -2\r\n\r\n", "Content-Length has to be a decimal number"),
        ("Content-Length: \r\n\r\n", "Content-Length has to be a decimal number"),
        ("Content-Length: 2x\r\n\r\n", "Content-Length has to be a decimal number"),
        ("Content-Length: 1 2\r\n\r\n", "Content-Length has to be a decimal number"),
        ("Content-Length : 2\r\n\r\n", "a header has to be \"Name: value\""),
        ("Content-Length: 2\r\n\r\n{}{}\r\n", "a header has to be \"Name: value\""),
        ("C" + String(repeating: "x", count: 2000), "the headers are longer than 1024 bytes"),
    ]

    @Test(arguments: malformed) func `malformed headers are reported, and no message is read after them`(
        _ text: String, _ reason: String
    ) {
        #expect(feed(text + "Content-Length: 2\r\n\r\n{}").last == .fault(.malformedHeader(reason)))
    }

    static let floods: [(String, piece: String, rest: String)] = [
        ("lines", "x\nx", ""), ("blank lines", "\n\n\n ", ""), ("half of each message", "xxxxxxxxxx\nxxxxx", ""),
        ("framed", "{}Content-Length: 2\r\n\r\n", "Content-Length: 2\r\n\r\n"),
        ("a larger one now and then", String(repeating: "x", count: 9000) + "\nxx", ""),
    ]

    @Test(arguments: floods) func `a peer that always leaves half a message does not make the reader keep more`(
        _ name: String, _ piece: String, _ opening: String
    ) {
        var reader = FrameReader(limit: 10_000)
        reader.append(Array(opening.utf8))
        let chunk = Array(String(repeating: piece, count: max(1, 16_000 / piece.utf8.count)).utf8)
        for _ in 0..<100 {
            reader.append(chunk)
            while let output = reader.next() {
                guard case .message = output else { return #expect(Bool(false), "\(name): \(output)") }
            }
            #expect(reader.keptBytes <= 4 * (10_000 + chunk.count))
        }
        // Even if no message is taken in between, the buffer has only the untaken messages.
        #expect(reader.bufferedBytes <= piece.utf8.count)
    }

    @Test func `a large message leaves no large buffer behind`() {
        var reader = FrameReader(limit: 4 << 20)
        reader.append(Array(repeating: UInt8(ascii: "x"), count: 4 << 20))
        #expect(reader.next() == nil)
        reader.append(Array("\nhalf".utf8))
        #expect(reader.next() != nil)
        #expect(reader.next() == nil)
        #expect(reader.keptBytes <= 1 << 17)
        reader.append(Array(" a line\n".utf8))
        #expect(reader.next() == Self.message("half a line"))
    }

    @Test func `the limit is exact, with and without a carriage return, in both framings`() {
        let full = String(repeating: "x", count: 100)
        #expect(feed(full + "\n") == [Self.message(full)])
        #expect(feed([Array(full.utf8), Array("\r".utf8), Array("\n".utf8)]) == [Self.message(full)])
        #expect(feed(full + "x\n") == [.fault(.tooLarge(limit: 100))])
        #expect(feed(full + "x") == [.fault(.tooLarge(limit: 100))])
        #expect(feed("Content-Length: 100\r\n\r\n" + full) == [Self.message(full)])
        for length in ["101", "99999999999999999999999"] {
            #expect(feed("Content-Length: \(length)\r\n\r\n") == [.fault(.tooLarge(limit: 100))])
        }
    }

    @Test func `half a message needs at most the limit and one read`() {
        var reader = FrameReader(limit: 1000)
        reader.append(Array("{".utf8))
        var highest = 0
        for _ in 0..<10_000 {
            reader.append([UInt8](repeating: 0x78, count: 64))
            _ = reader.next()
            highest = max(highest, reader.bufferedBytes)
        }
        #expect(highest <= 1000 + 64)
        #expect(reader.bufferedBytes == 0, "nothing is kept after the fault")
    }

    @Test func `at the end the last line may have no line end, but half a framed message is an error`() {
        #expect(feed("{}\n[1]", finish: true) == [Self.message("{}"), Self.message("[1]")])
        #expect(feed("{}\n  ", finish: true) == [Self.message("{}")])
        #expect(feed("", finish: true) == [])
        #expect(feed("GE", finish: true) == [Self.message("GE")])
        #expect(feed("Content-Length: 5\r\n\r\n{}", finish: true) == [.fault(.truncated)])
        #expect(feed("Content-Length: 2\r\n\r\n{}", finish: true) == [Self.message("{}")])
    }

    @Test func `written messages can be read`() {
        for framing in [Framing.line, .headers] {
            #expect(feed([framing.frame(Array("{}".utf8)) + framing.frame(Array("[]".utf8))]).count == 2)
        }
    }
}
