// A number, kept as its text, so that an id can be repeated exactly and an integer above 2^53 is not rounded. The text is
// converted only when a caller asks for an `Int64` or a `Double`.

public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The text, in the grammar of RFC 8259 §6.
    public let text: String

    /// Keeps a text unchecked. Only for the reader of JSON text, which has checked the grammar.
    public init(verbatim text: String) { self.text = text }

    public init(_ value: some BinaryInteger) { text = String(value) }

    /// Makes a number; nil for infinity and NaN, which JSON does not have.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = "\(value)"
    }

    /// The value if it is an integer and fits; `1.0` and `1e3` count as integers.
    public var int64: Int64? {
        if let plain = Int64(text) { return plain }
        guard text.utf8.contains(where: { [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains($0) })
        else { return nil }
        return Double(text).flatMap(Int64.init(exactly:))
    }

    /// The nearest double; nil if the number is too large for a double.
    public var double: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

    public var description: String { text }
}
