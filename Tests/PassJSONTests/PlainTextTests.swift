// Tests the search functions for texts, and lengths of time in words.

import Testing

@testable import PassJSON

@Suite("decisions/0018: searches without regular expressions") struct PlainTextTests {
    @Test(
        arguments: [
            ("", "a", nil), ("a", "", nil), ("abc", "abc", 0), ("aab", "ab", 1), ("ababac", "abac", 2),
            ("abc", "abcd", nil),
            ("x://y://z", "://", 1), ("é://", "://", 2), ("aé", "é", 1), ("a\r\nb", "\n", 2), ("aaa", "b", nil),
        ] as [(String, String, Int?)])
    func `the first match is found, byte for byte`(text: String, wanted: String, place: Int?) {
        let found = text.place(of: wanted)
        #expect(found.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == place)
        #expect(found.map { String(text[$0]) } == (place == nil ? nil : wanted))
        #expect(text.dropFirst(0).place(of: wanted) == found)
    }

    @Test(arguments: [
        ("a b a ", "a ", "aa ", "aa b aa "), ("", "a", "b", ""), ("aaa", "aa", "b", "ba"), ("x", "y", "z", "x"),
    ]) func `each match is replaced, and no text is replaced twice`(
        text: String, wanted: String, other: String, result: String
    ) {
        #expect(text.with(other, for: wanted) == result)
    }

    @Test(
        arguments: [
            (0, "0 seconds"), (1, "1 second"), (-3, "-3 seconds"), (119, "119 seconds"), (120, "2 minutes"),
            (7199, "119 minutes"), (7200, "2 hours"), (86_400, "24 hours"), (172_800, "2 days"),
            (31_535_999, "364 days"), (.max, "106751991167300 days"), (.min, "-9223372036854775808 seconds"),
        ] as [(Int64, String)])
    func `a length of time has one unit, and at least two of it`(seconds: Int64, words: String) {
        #expect(seconds.secondsInWords == words)
    }
}
