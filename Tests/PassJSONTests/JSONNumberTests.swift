// Tests that numbers are kept as text until a machine number is requested.

import Testing

@testable import PassJSON

@Suite("rpc.md §2: numbers")
struct JSONNumberTests {
    @Test(
        arguments: [
            ("0", 0), ("-1", -1), ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", Int64.max),
            ("1.0", 1), ("1E2", 100), ("1.5", nil), ("9223372036854775808", nil), ("1e400", nil),
        ] as [(String, Int64?)])
    func `integers beyond 2^53 stay exact, and fractions are not integers`(_ text: String, _ expected: Int64?) {
        let number = JSONNumber(verbatim: text)
        #expect(number.int64 == expected)
        #expect(number.text == text)
    }

    @Test func `a value that JSON cannot write is not a number`() {
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(-Double.infinity) == nil)
        #expect(JSONNumber(verbatim: "1e400").double == nil)
        #expect(JSONNumber(0.5)?.text == "0.5")
    }

    @Test func `the order of members does not matter for equality`() {
        #expect(["a": 1, "b": 2] as JSONValue == ["b": 2, "a": 1])
        #expect(["a": 1, "b": 2] as JSONValue != ["a": 1, "c": 2])
    }
}
