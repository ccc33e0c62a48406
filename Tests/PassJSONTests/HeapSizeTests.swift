// Tests that the memory charged for a message matches the blocks of the C library.

import Glibc
import Testing

@testable import PassJSON

@Suite("rpc.md §2: memory of values")
struct HeapSizeTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String

        init(_ name: String, _ item: String, times: Int = 1000) {
            testDescription = name
            text = "[" + Array(repeating: item, count: times).joined(separator: ",") + "]"
        }
    }

    static let shapes: [Shape] = [
        Shape("numbers", "0"), Shape("long numbers", String(repeating: "9", count: 100)), Shape("nulls", "null"),
        Shape("empty arrays", "[]"), Shape("arrays of one", "[0]"), Shape("arrays of three", "[0,0,0]"),
        Shape("arrays in arrays", "[[[[0]]]]"), Shape("empty objects", "{}"), Shape("objects of one", "{\"a\":0}"),
        Shape("objects of five", "{\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0}"),
        Shape("objects of forty", "{" + (0..<40).map { "\"a\($0)\":0" }.joined(separator: ",") + "}", times: 30),
        Shape("objects in objects", "{\"a\":{\"b\":{\"c\":{}}}}"), Shape("short texts", "\"abc\""),
        Shape("texts of fifteen", "\"123456789012345\""), Shape("texts of sixteen", "\"1234567890123456\""),
        Shape("long texts", "\"\(String(repeating: "x", count: 5000))\"", times: 20),
        Shape("escaped texts", "\"\(String(repeating: "\\u00e9\\n", count: 50))\""),
        Shape("long names", "{\"\(String(repeating: "n", count: 80))\":1}"),
        Shape("one long text", "\"\(String(repeating: "x", count: 100_000))\"", times: 1),
        Shape(
            "one of each", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"a\":[1,\"\",{}]}}", times: 20),
    ]

    @Test(arguments: shapes) func `the charge covers the memory in use, and is at most half as much again`(
        _ shape: Shape
    ) throws {
        let (value, charged) = try JSONReader.weigh(Array(shape.text.utf8))
        let kept = Self.heap(value)
        #expect(kept > 0)
        // A block is larger than requested if the remainder would be too small to use.
        #expect(charged >= kept - kept / 10, "\(charged) for \(kept) bytes")
        #expect(charged <= kept + kept / 2, "\(charged) for \(kept) bytes")
    }

    @Test(arguments: ["0", "\"short\"", "[]", "{}", "null"]) func `values that are stored in place cost nothing`(
        _ text: String
    ) throws {
        let (value, charged) = try JSONReader.weigh(Array(text.utf8))
        #expect(charged == 0)
        #expect(Self.heap(value) == 0)
    }

    private static func heap(_ value: JSONValue) -> Int {
        switch value {
        case .null, .bool: 0
        case .number(let number): heap(number.text)
        case .string(let text): heap(text)
        case .array(let items): block(of: items) + items.reduce(0) { $0 + heap($1) }
        case .object(let object):
            block(of: object.members) + object.members.reduce(0) { $0 + heap($1.name) + heap($1.value) }
        }
    }

    private static func block<Element>(of items: [Element]) -> Int {
        items.capacity == 0 ? 0 : items.withUnsafeBytes { block(before: $0.baseAddress) }
    }

    /// A text of up to 15 bytes is stored in its own two words.
    private static func heap(_ text: String) -> Int {
        var text = text
        return text.utf8.count <= 15 ? 0 : text.withUTF8 { block(before: UnsafeRawPointer($0.baseAddress)) }
    }

    /// The library's block for an object whose elements begin after a header of four words. It includes the word that
    /// the library keeps.
    private static func block(before elements: UnsafeRawPointer?) -> Int {
        elements.map { sizeOfBlock(UnsafeMutableRawPointer(mutating: $0 - 32)) + 8 } ?? 0
    }

    /// Glibc's module does not declare this function.
    private static let sizeOfBlock = unsafeBitCast(
        dlsym(nil, "malloc_usable_size"), to: (@convention(c) (UnsafeMutableRawPointer?) -> Int).self)
}
