// The first thing that is wrong with a value: where it stands, what was expected there and what was found.

public struct SchemaFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// `filter.TV_PROVIDERS[2]`; empty for the value as a whole.
    public let path: String
    public let expected: String
    public let found: String

    public init(path: String, expected: String, found: String) {
        self.path = path
        self.expected = expected
        self.found = found
    }

    public var description: String { "\(path.isEmpty ? "params" : path) should be \(expected), not \(found)" }

    /// The `data.details` of -32602.
    public var json: JSONValue {
        ["member": .string(path), "expected": .string(expected), "found": .string(found)]
    }
}
