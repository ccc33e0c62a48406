// A number by its text. An id must be echoed exactly and an integer beyond 2^53 must survive, so nothing is
// converted before somebody asks for a machine number.

public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// As RFC 8259 §6 writes it.
    public let text: String

    /// For the reader of JSON text, which has checked the grammar already.
    public init(verbatim text: String) { self.text = text }

    public init(_ value: some BinaryInteger) { text = String(value) }

    /// Nil for infinity and for what is not a number: JSON has neither.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = "\(value)"
    }

    /// The value if it is whole and fits; `1.0` and `1e3` are whole too.
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
