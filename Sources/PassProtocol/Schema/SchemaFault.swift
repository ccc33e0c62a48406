// The first fault of a value: where it is, what was expected there, and what was found.

public import PassJSON

public struct SchemaFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The place of the fault, such as `filter.TV_PROVIDERS[2]`; empty if it is the whole value.
    public let path: String
    public let expected: String
    public let found: String

    public init(path: String, expected: String, found: String) {
        self.path = path
        self.expected = expected
        self.found = found
    }

    /// The same fault as seen from the enclosing value. `name` is a member's name, or an index in brackets. Names come
    /// from the client, so a long one is cut.
    func inside(_ name: String) -> SchemaFault {
        let shown = name.utf8.count <= 64 ? name : name.cut(toBytes: 48) + "…"
        let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
        return SchemaFault(path: shown + separator + path, expected: expected, found: found)
    }

    public var description: String { "\(path.isEmpty ? "params" : path) should be \(expected), not \(found)" }

    /// The `data.details` of an error -32602.
    public var json: JSONValue {
        ["member": .string(path), "expected": .string(expected), "found": .string(found)]
    }
}
