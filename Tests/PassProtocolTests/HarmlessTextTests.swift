// Tests how text from clients and services is cleaned before people see it.

import PassProtocol
import Testing

@Suite struct HarmlessTextTests {
    @Test(arguments: [
        ("as it is", "as it is"), ("ümlaut 👩‍👩‍👧 中", "ümlaut 👩‍👩‍👧 中"), ("a\nb\r\tc\0", "a b  c "),
        ("\u{1B}[2Jgone\u{7}", " [2Jgone "), ("\u{9B}31m\u{7F}", " 31m "), ("\u{2028}\u{2029}", "  "),
        ("\u{202E}txt\u{2066}\u{200F}", " txt  "),
    ]) func `cleaned text cannot end a line, control a terminal or change the writing direction`(
        _ text: String, _ shown: String
    ) {
        #expect(text.onOneLine == shown)
        #expect(!text.onOneLine.unicodeScalars.contains { $0.steersTerminals })
    }

    @Test func `a text is cut by bytes, but between characters`() {
        #expect("abc".cut(toBytes: 3) == "abc")
        #expect("abcd".cut(toBytes: 3) == "abc")
        #expect("äöü".cut(toBytes: 5) == "äö")
        let stacked = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(stacked.count == 1)
        #expect(stacked.cut(toBytes: 64).utf8.count <= 64)
        #expect("".cut(toBytes: 0) == "")
    }
}
