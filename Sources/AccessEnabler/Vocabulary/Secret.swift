// A secret text. It cannot be printed, interpolated or encoded by accident; only `reveal()` returns the text.

public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    public init(_ text: String) { self.text = text }

    /// Each call takes the secret out of this protection, so search for this name in a review.
    public func reveal() -> String { text }

    public var description: String { "(secret)" }
    public var debugDescription: String { "(secret)" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Compares in constant time: the time does not depend on the number of equal bytes.
    public func matches(_ other: Secret) -> Bool {
        let one = Array(text.utf8), two = Array(other.text.utf8)
        var difference = one.count ^ two.count
        for index in one.indices { difference |= Int(one[index] ^ (two.isEmpty ? 0 : two[index % two.count])) }
        return difference == 0
    }
}
