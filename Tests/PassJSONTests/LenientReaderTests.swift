// Tests which texts the lenient reader accepts beyond JSON, and that it accepts no others.

import Testing

@testable import PassJSON

@Suite("decisions/0018: lenient reading") struct LenientReaderTests {
    private func read(_ bytes: [UInt8], depth: Int = 8) throws(JSONFault) -> JSONValue {
        try JSONReader.readLeniently(bytes, limits: JSONLimits(depth: depth, values: 100))
    }

    static let accepted: [(String, JSONValue)] = [
        ("\u{FEFF}{\"a\":1}", ["a": 1]), (#"{"a":1,"a":2}"#, ["a": 1]), (#"{"a":1,"\u0061":[3]}"#, ["a": 1]),
        ("[1,2,]", [1, 2]), (#"{"a":1 , }"#, ["a": 1]), (#"["\ud800",1]"#, [.unreadable, 1]),
        (#"{"a":"\udc00\"x","b":1}"#, ["a": .unreadable, "b": 1]), ("[\"a\nb\"]", [.unreadable]),
        (#"[{"a":1,"\ud800":{}},2]"#, [.unreadable, 2]), (#"["\x\\","c"]"#, [.unreadable, "c"]),
    ]

    @Test(arguments: accepted) func `one invalid item does not affect the other items`(
        text: String, value: JSONValue
    ) throws {
        #expect(try read(Array(text.utf8)) == value)
    }

    @Test(arguments: ["01", "-", "1e", "1.2.3", "1-1", "1.", "-.5"])
    func `an invalid number is neither a number nor null`(text: String) throws {
        let value = try read(Array("[\(text), 2]".utf8))
        #expect(value == [.unreadable, 2])
        let item = try #require(value.array?.first)
        #expect(item.int64 == nil && item.number?.double == nil && item.string == nil && !item.isNull)
    }

    @Test func `bytes that are not UTF-8 make one string unreadable`() throws {
        #expect(try read(Array("[\"".utf8) + [0xFF] + Array("\",\"b\"]".utf8)) == [.unreadable, "b"])
    }

    @Test(arguments: [
        "", "{", "[1", "\"a", "\"a\\", "[,]", "[1,,2]", "{,}", "[1] x", "nul", "[tru]", "{\"a\" 1}", "{a:1}", "[NaN]",
        "[+1]", "\u{FEFF}", "[\u{FEFF}1]",
    ]) func `a text without structure is refused`(text: String) {
        #expect(throws: JSONFault.self) { try read(Array(text.utf8)) }
        #expect(throws: JSONFault.self) { try JSONReader.read(Array(text.utf8)) }
    }

    @Test func `the limits apply`() throws {
        #expect(throws: JSONFault.self) { try read(Array("[[[]]]".utf8), depth: 2) }
        #expect(throws: JSONFault.self) { try read(Array("[\(String(repeating: "\"\\x\",", count: 100))]".utf8)) }
    }

    @Test(arguments: accepted) func `the strict reader refuses all of these texts`(text: String, _: JSONValue) {
        #expect(throws: JSONFault.self) { try JSONReader.read(Array(text.utf8)) }
    }
}
