// Tests the syntax of configuration files, valid and damaged. operations.md §2.

import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct INITextTests {
    @Test func `sections, keys, comments and blanks are read as written`() {
        let text = INIText(
            Array("# first\n\n; second\n[backend]\n\torigin = https://a.example   # why\nburst=3\n[ app  news ]\n".utf8)
        )
        #expect(text.faults.isEmpty)
        #expect(text.sections.map(\.name) == ["backend", "app news"])
        #expect(
            text.sections[0].entries == [
                .init(key: "origin", value: "https://a.example", line: 5), .init(key: "burst", value: "3", line: 6),
            ])
    }

    @Test(arguments: [
        ("a b", "a b"), ("a#b;c", "a#b;c"), ("a # b", "a"), ("a ;b", "a"), ("# b", ""), ("", ""),
        (#""a # b" ; c"#, "a # b"), (#""say \"yes\"""#, #"say "yes""#), (#""a\\b""#, #"a\b"#), (#""a\b""#, #"a\b"#),
        (#"a "b""#, #"a "b""#), (#""""#, ""), ("a = b", "a = b"),
    ])
    func `a value is the text before a comment, or between quotes`(written: String, value: String) {
        let text = INIText(Array("[s]\nk = \(written)\n".utf8))
        #expect(text.faults.isEmpty)
        #expect(text.sections.first?.entries == [.init(key: "k", value: value, line: 2)])
    }

    @Test(arguments: [
        "", "plain", "two words", "a # b", "# a", " a ", "\"a\"", "a\\b", "a\"b", "a;b", "a ;b", "\"\u{301}a",
        "a #\u{301}b", "a \u{301}", "\\\u{5AD}",
    ])
    func `a written value is read back unchanged`(value: String) {
        #expect(INIValue.read(INIValue.written(value)[...].trimmed).map { Array($0.utf8) } == Array(value.utf8))
    }

    @Test(arguments: ["\u{301}", "\u{5AD}", "\u{FE0F}"])
    func `a combining mark does not hide the delimiter before it`(_ mark: String) {
        let text = INIText(Array("#\(mark) first\n[s]\na =\(mark)b\nc = d #\(mark) why\ne = \"\(mark)f\"\n".utf8))
        #expect(text.faults.isEmpty)
        #expect(
            text.sections.first?.entries == [
                .init(key: "a", value: mark + "b", line: 3), .init(key: "c", value: "d", line: 4),
                .init(key: "e", value: mark + "f", line: 5),
            ])
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let line: Int
        let message: String

        init(_ name: String, _ bytes: [UInt8], _ line: Int, _ message: String) {
            (testDescription, self.bytes, self.line, self.message) = (name, bytes, line, message)
        }
    }

    @Test(arguments: [
        Damage("a NUL byte", Array("[s]\na = \0\n".utf8), 2, "NUL byte"),
        Damage("a CRLF line end", Array("[s]\r\na = b\r\n".utf8), 1, "carriage return"),
        Damage("a byte order mark", [0xEF, 0xBB, 0xBF] + Array("[s]\n".utf8), 1, "byte order mark"),
        Damage("invalid UTF-8", Array("[s]\na = ".utf8) + [0xC3, 0x28], 2, "UTF-8"),
        Damage("an escape", Array("[s]\na = \u{1B}[2J".utf8), 2, "control character"),
        Damage("a line of 100 kB", Array("[s]\n".utf8) + [UInt8](repeating: 0x61, count: 100_000), 2, "longer than"),
        Damage("words", Array("[s]\nhello\n".utf8), 2, "neither"),
        Damage("no key", Array("[s]\n = b\n".utf8), 2, "missing"),
        Damage("two words as key", Array("[s]\na b = c\n".utf8), 2, "more than one word"),
        Damage("an open quote", Array("[s]\na = \"b\n".utf8), 2, "no closing"),
        Damage("words after a quote", Array("[s]\na = \"b\" c\n".utf8), 2, "text after"),
        Damage("a header that is not closed", Array("[s\n".utf8), 1, "a section starts with"),
        Damage("a header without a name", Array("[ ]\n".utf8), 1, "no name"),
        Damage("a header with text after it", Array("[s] a = b\n".utf8), 1, "a section starts with"),
        Damage("a key before any section", Array("a = b\n[s]\n".utf8), 1, "before the first"),
        Damage("UTF-16", [0xFF, 0xFE, 0x5B, 0x00, 0x0A, 0x00], 1, "NUL byte"),
    ])
    func `damage is reported with its line`(damage: Damage) {
        let faults = INIText(damage.bytes).faults
        #expect(faults.count >= 1)
        #expect(faults.first?.line == damage.line)
        #expect(faults.first?.message.contains(damage.message) == true, "\(faults)")
    }

    @Test func `lines after a broken header do not belong to the section before`() {
        let text = INIText(Array("[s]\na = 1\n[t\nb = 2\n".utf8))
        #expect(text.sections.map(\.name) == ["s", nil])
        #expect(text.sections[0].entries.map(\.key) == ["a"])
    }

    @Test func `a file with a mistake in every line gives a limited number of messages`() {
        let text = INIText([UInt8](repeating: 0x78, count: 2) + [UInt8](repeating: 0x0A, count: 1))
        #expect(text.faults.count == 1)
        let many = INIText(Array(String(repeating: "x\n", count: 10_000).utf8))
        #expect(many.faults.count == INIText.maxFaults + 1)
        #expect(many.faults.last?.message == "9900 more lines have errors")
    }

    @Test func `no bytes crash the reader`() {
        var state: UInt64 = 42
        for _ in 0..<500 {
            let bytes = (0..<200).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let choice = UInt8(truncatingIfNeeded: state >> 33)
                return choice < 128 ? Array("[]=#;\"\\\n\r \tab\0".utf8)[Int(choice) % 14] : choice
            }
            _ = INIText(bytes)
        }
    }
}
