// A value that must not be seen: it cannot be printed, interpolated, compared in public or encoded by accident.
// Whoever needs the text asks for it by name.

public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    public init(_ text: String) { self.text = text }

    /// The value itself. Every use of this word is a place where the secret leaves its wrapping.
    public func reveal() -> String { text }

    public var description: String { "(secret)" }
    public var debugDescription: String { "(secret)" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Compares without telling by its duration how much agrees.
    public func matches(_ other: Secret) -> Bool {
        let one = Array(text.utf8), two = Array(other.text.utf8)
        var difference = one.count ^ two.count
        for index in one.indices { difference |= Int(one[index] ^ (two.isEmpty ? 0 : two[index % two.count])) }
        return difference == 0
    }
}
