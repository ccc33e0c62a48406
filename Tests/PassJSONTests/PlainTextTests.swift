// Tests the search functions for texts.

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
}
