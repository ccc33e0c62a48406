// Tests how text of clients and services is cleaned before it is shown to people.

import PassProtocol
import Testing

@Suite struct HarmlessTextTests {
    @Test(arguments: [
        ("as it is", "as it is"), ("ümlaut 👩‍👩‍👧 中", "ümlaut 👩‍👩‍👧 中"), ("a\nb\r\tc\0", "a b  c "),
        ("\u{1B}[2Jgone\u{7}", " [2Jgone "), ("\u{9B}31m\u{7F}", " 31m "), ("\u{2028}\u{2029}", "  "),
        ("\u{202E}txt\u{2066}\u{200F}", " txt  "),
    ]) func `nothing in it ends a line, steers a terminal or turns text around`(_ text: String, _ shown: String) {
        #expect(text.onOneLine == shown)
        #expect(!text.onOneLine.unicodeScalars.contains { $0.steersTerminals })
    }

    @Test func `it is cut by bytes, between characters of the alphabet`() {
        #expect("abc".cut(toBytes: 3) == "abc")
        #expect("abcd".cut(toBytes: 3) == "abc")
        #expect("äöü".cut(toBytes: 5) == "äö")
        let stacked = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(stacked.count == 1)
        #expect(stacked.cut(toBytes: 64).utf8.count <= 64)
        #expect("".cut(toBytes: 0) == "")
    }
}
