// A number, kept as its text. An ID must be echoed exactly, and an integer beyond 2^53 must be preserved, so it is
// converted only on request.

public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// In the format of RFC 8259 §6.
    public let text: String

    /// For the JSON reader, which has already checked the grammar.
    public init(verbatim text: String) { self.text = text }

    public init(_ value: some BinaryInteger) { text = String(value) }

    /// Nil for infinity and NaN, which JSON does not have.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = "\(value)"
    }

    /// The value if it is an integer and fits; `1.0` and `1e3` are integers, too.
    public var int64: Int64? {
        if let plain = Int64(text) { return plain }
        guard text.utf8.contains(where: { [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains($0) })
        else { return nil }
        return Double(text).flatMap(Int64.init(exactly:))
    }

    /// The nearest double; nil if it would be infinite.
    public var double: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

    public var description: String { text }
}
