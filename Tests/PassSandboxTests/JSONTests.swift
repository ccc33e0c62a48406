// Tests the JSON parser and writer: strict, bounded, exact about places.

import Testing

@testable import PassSandbox

@Suite struct JSONTests {
    static let valid: [(String, JSON)] = [
        ("null", .null), (" true ", .bool(true)), ("-0", .int(0)), ("12", .int(12)),
        ("9223372036854775807", .int(.max)), ("9223372036854775808", .double(9_223_372_036_854_775_808)),
        ("1.5e2", .double(150)), (#""a\"\\\/\b\f\n\r\t\u00e9""#, .string("a\"\\/\u{8}\u{C}\n\r\t\u{E9}")),
        (#""\ud83d\ude00""#, .string("\u{1F600}")), ("[]", .array([])),
        ("[1,[2]]", .array([.int(1), .array([.int(2)])])), ("{}", .object([])),
        (#"{"a":{"b":[null]}}"#, .object([.init("a", .object([.init("b", .array([.null]))]))])),
    ]

    @Test(arguments: valid) func `valid text is read as it stands`(text: String, value: JSON) throws {
        try #expect(JSONParser.parse(text) == value)
        try #expect(JSONParser.parse(value.text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "truex", "01", "1.", ".5", "1e", "-", "+1", "NaN", "1e999", "\"", "\"\u{1}\"", #""\x""#,
        #""\u12""#, #""\ud800""#, #""\ud800A""#, #""\udc00""#, "[1,]", "[1 2]", "[", "{", #"{"a"}"#, #"{"a":1,}"#,
        #"{a:1}"#, #"{"a":1,"a":2}"#, "1 2", "'a'", "[1]]",
    ]) func `anything else is refused`(text: String) {
        #expect(throws: JSONError.self) { try JSONParser.parse(text) }
    }

    @Test func `invalid UTF-8 is refused`() {
        #expect(throws: JSONError.self) { try JSONParser.parse([0x22, 0xFF, 0x22]) }
    }

    @Test func `nesting is bounded`() throws {
        let deep = { (levels: Int) in String(repeating: "[", count: levels) + String(repeating: "]", count: levels) }
        _ = try JSONParser.parse(deep(JSONParser.deepest))
        #expect(throws: JSONError.self) { try JSONParser.parse(deep(JSONParser.deepest + 1)) }
        #expect(throws: JSONError.self) { try JSONParser.parse(deep(10_000)) }
    }

    @Test func `an error says its line, and a value its place`() throws {
        #expect(throws: JSONError(line: 3, reason: "unexpected character where a value is expected")) {
            try JSONParser.parse("{\n\"a\":\n?}")
        }
        var parser = JSONParser(Array("{\"a\": [\n1,\n{\"b\": 2}]}".utf8), tracksPlaces: true)
        _ = try parser.document()
        #expect(parser.places == ["": 1, "a": 1, "a[0]": 2, "a[1]": 3, "a[1].b": 3])
    }

    @Test func `text comes out so that it can stand anywhere`() {
        #expect(JSON.string("\u{2028}\u{7f}\"\\\n").text == #""\u2028\u007f\"\\\n""#)
    }
}
