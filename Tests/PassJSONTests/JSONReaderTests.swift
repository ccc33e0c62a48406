// Tests which texts are accepted as JSON, and the names of the errors.

import Testing

@testable import PassJSON

@Suite("rpc.md §2: JSON text, RFC 8259")
struct JSONReaderTests {
    static let accepted: [(String, JSONValue)] = [
        ("null", nil), (" \t\r\n true ", true), ("false", false), ("\"\"", ""), ("[]", []), ("{}", [:]),
        ("[ ]", []), ("{ }", [:]), ("[1 , 2]", [1, 2]), ("{\"a\" : [null]}", ["a": [nil]]),
        ("{\"a\":1,\"b\":{\"a\":2}}", ["a": 1, "b": ["a": 2]]),
        ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20AC\"", "\"\\/\u{8}\u{c}\n\r\tAé€"),
        ("\"\\ud83d\\ude00 😀\"", "😀 😀"), ("\"\\u0000\"", "\0"), ("\"\u{7f}\u{2028}\"", "\u{7f}\u{2028}"),
    ]

    @Test(arguments: accepted) func `text that RFC 8259 allows is read`(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONReader.read(Array(text.utf8)) == value)
        #expect(try JSONReader.read(JSONWriter.bytes(value)) == value)
    }

    @Test(arguments: [
        "0", "-0", "1", "-12", "0.5", "1e5", "1E+5", "1.25e-300", "9007199254740993", "123456789012345678901234567890",
        "1e400", "1.0",
    ]) func `numbers keep their text, also beyond 2^53`(_ text: String) throws {
        let value = try JSONReader.read(Array(text.utf8))
        #expect(value == .number(JSONNumber(verbatim: text)))
        #expect(JSONWriter.bytes(value) == Array(text.utf8))
    }

    @Test func `every control character is escaped, and read back`() throws {
        let text = String(String.UnicodeScalarView((0..<0x80).compactMap(Unicode.Scalar.init)))
        let bytes = JSONWriter.bytes(.string(text))
        #expect(bytes.allSatisfy { $0 >= 0x20 })
        #expect(String(decoding: bytes, as: UTF8.self).contains(#"\u000b\u000c\r\u000e\u000f\u0010"#))
        #expect(try JSONReader.read(bytes) == .string(text))
    }

    static let refused: [(String, JSONFault.Reason)] = [
        ("", .empty), ("  \n", .empty), ("nul", .unexpectedEnd), ("nulL", .unexpectedByte), ("True", .unexpectedByte),
        ("[1,]", .unexpectedByte), ("[,1]", .unexpectedByte), ("[1 2]", .unexpectedByte), ("[1", .unexpectedEnd),
        ("]", .unexpectedByte), ("[}", .unexpectedByte), ("{\"a\"}", .unexpectedByte), ("{a:1}", .unexpectedByte),
        ("{\"a\":1,}", .unexpectedByte), ("{\"a\":", .unexpectedEnd), ("{", .unexpectedEnd), ("1 2", .trailingText),
        ("{} x", .trailingText), ("01", .badNumber), ("-", .unexpectedEnd), ("+1", .unexpectedByte),
        ("1.", .unexpectedEnd),
        (".5", .unexpectedByte), ("1.e5", .badNumber), ("1e", .unexpectedEnd), ("-x", .badNumber),
        ("0x10", .trailingText),
        ("NaN", .unexpectedByte), ("Infinity", .unexpectedByte), ("'a'", .unexpectedByte), ("\"a", .unexpectedEnd),
        ("\"a\\", .unexpectedEnd), ("\"\\x\"", .badEscape), ("\"\\u12\"", .badEscape), ("\"\\u12g4\"", .badEscape),
        ("\"\\u123", .unexpectedEnd), ("\"a\nb\"", .controlCharacter), ("\"\\n\t\"", .controlCharacter),
        ("\"\\ud800\"", .loneSurrogate), ("\"\\udc00\"", .loneSurrogate), ("\"\\ud800x\"", .loneSurrogate),
        ("\"\\ud800\\n\"", .loneSurrogate), ("\"\\ud800\\ud800\"", .loneSurrogate),
        ("{\"a\":1,\"a\":2}", .duplicateMember), ("{\"a\":1,\"\\u0061\":2}", .duplicateMember),
        ("// c", .unexpectedByte),
        ("\u{feff}{}", .unexpectedByte),
    ]

    @Test(arguments: refused) func `text that RFC 8259 does not allow is refused by name`(
        _ text: String, _ reason: JSONFault.Reason
    ) {
        let fault = #expect(throws: JSONFault.self) { try JSONReader.read(Array(text.utf8)) }
        #expect(fault?.reason == reason)
    }

    static let broken: [[UInt8]] = [
        [0xFF], [0xC3], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
        [0xF8, 0x88, 0x80, 0x80, 0x80],
    ]

    @Test(arguments: broken) func `invalid UTF-8 is refused, with escapes and without`(_ bytes: [UInt8]) {
        for text in [[0x22] + bytes + [0x22], [0x22, 0x5C, 0x6E] + bytes + [0x22]] {
            let fault = #expect(throws: JSONFault.self) { try JSONReader.read(text) }
            #expect(fault?.reason == .invalidUTF8)
        }
    }

    @Test func `names that only look the same are two names`() throws {
        let text = Array("{\"\u{e9}\":1,\"e\u{301}\":2}".utf8)
        #expect(try JSONReader.read(text).object?.members.count == 2)
    }

    @Test func `duplicates are found in large objects too, without quadratic work`() throws {
        let members = (0..<50_000).map { "\"k\($0)\":0" }
        let text = "{" + members.joined(separator: ",")
        #expect(try JSONReader.read(Array((text + "}").utf8)).object?.members.count == 50_000)
        let fault = #expect(throws: JSONFault.self) { try JSONReader.read(Array((text + ",\"k7\":1}").utf8)) }
        #expect(fault?.reason == .duplicateMember)
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"]) func `10,000 nested levels are refused and need no stack`(
        _ part: String
    ) {
        let text = Array(String(repeating: part, count: 10_000).utf8)
        let fault = #expect(throws: JSONFault.self) { try JSONReader.read(text) }
        #expect(fault?.reason == .tooDeep)
    }

    @Test func `the depth limit is exact`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(throws: Never.self) { try JSONReader.read(nested(64)) }
        #expect(throws: JSONFault.self) { try JSONReader.read(nested(65)) }
    }

    @Test func `more values than allowed are refused`() {
        let text = Array(("[" + String(repeating: "0,", count: 100_000) + "0]").utf8)
        #expect(#expect(throws: JSONFault.self) { try JSONReader.read(text) }?.reason == .tooManyValues)
    }

    @Test func `written JSON is on one line`() {
        let bytes = JSONWriter.bytes(["a\n\u{1}\u{1f}\"\\": ["é\r\t", 1, nil, true]])
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"a\n\u0001\u001f\"\\":["é\r\t",1,null,true]}"#)
    }
}
