// Checks a value against its schema and stops at the first fault.

public import PassJSON

extension Schema {
    /// Checks a value, and throws its first fault. The path is built only if there is a fault. So the check of a correct value
    /// takes no memory.
    public func check(_ value: JSONValue) throws(SchemaFault) {
        switch self {
        case .any: return
        case .null: try require(value.isNull, value)
        case .boolean: try require(value.bool != nil, value)
        case .number: try require(value.number != nil, value)
        case .integer(let range): try require(value.int64.map { range?.contains($0) ?? true } ?? false, value)
        case .string: try require(value.string != nil, value)
        case .enumeration(let texts): try require(value.string.map(texts.contains) ?? false, value)
        case .array(let item):
            guard let items = value.array else { throw fault(value) }
            for (index, element) in items.enumerated() {
                do { try item.check(element) } catch { throw error.inside("[\(index)]") }
            }
        case .map(let item):
            guard let object = value.object else { throw fault(value) }
            for member in object.members {
                do { try item.check(member.value) } catch { throw error.inside(member.name) }
            }
        case .object(let members): try check(members, of: value)
        case .nullable(let schema):
            if value.isNull { return }
            do { try schema.check(value) } catch { throw error.path.isEmpty ? fault(value) : error }
        case .oneOf(let schemas): try require(schemas.count { (try? $0.check(value)) != nil } == 1, value)
        case .component(let component): try component.schema.check(value)
        }
    }

    private func check(_ members: [Member], of value: JSONValue) throws(SchemaFault) {
        guard let object = value.object else { throw fault(value) }
        for member in members {
            if let present = object[member.name] {
                do { try member.schema.check(present) } catch { throw error.inside(member.name) }
            } else if member.isRequired {
                var fault = SchemaFault(path: member.name, expected: member.schema.expectation, found: "absent")
                fault.misspelling = Spelling.nearest(to: member.name, among: Self.unknown(object, members))
                throw fault
            }
        }
    }

    /// Returns the object's member names that are not in the schema. Names come from the client, so their number and length are
    /// limited.
    private static func unknown(_ object: JSONObject, _ members: [Member]) -> [String] {
        object.members.prefix(32).map(\.name).filter { name in
            name.utf8.count <= 40 && !members.contains { $0.name == name }
        }
    }

    private func require(_ holds: Bool, _ value: JSONValue) throws(SchemaFault) {
        guard holds else { throw fault(value) }
    }

    private func fault(_ value: JSONValue) -> SchemaFault {
        SchemaFault(path: "", expected: expectation, found: Self.found(value))
    }

    /// Describes a value. A short value is shown, because it may be a misspelt word. Any other value is described by its kind.
    private static func found(_ value: JSONValue) -> String {
        switch value {
        case .number(let number) where number.text.utf8.count <= 24: number.text
        case .string(let text) where text.utf8.count <= 40: "\"\(text)\""
        case .bool(let flag): "\(flag)"
        default: value.kind
        }
    }

    /// The expected value in words, such as `a string` or `one of "none", "all"`. For messages.
    public var expectation: String {
        switch self {
        case .any: "any value"
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .integer(nil): "an integer"
        case .integer(let range?) where range.upperBound == .max: "an integer of at least \(range.lowerBound)"
        case .integer(let range?): "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .string(format: nil): "a string"
        case .string(let format?): "a string (\(format))"
        case .enumeration(let texts) where texts.count == 1: texts.map { "\"\($0)\"" }.joined()
        case .enumeration(let texts): "one of " + texts.map { "\"\($0)\"" }.joined(separator: ", ")
        case .array(let item): "an array, each item \(item.expectation)"
        case .map, .object: "an object"
        case .nullable(let schema): "\(schema.expectation) or null"
        case .oneOf(let schemas): schemas.map(\.expectation).joined(separator: " or ")
        case .component(let component): component.schema.expectation
        }
    }
}

/// The first fault of a value: its place, what was expected, and what was found.
public struct SchemaFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The place of the fault, such as `filter.TV_PROVIDERS[2]`; empty if the whole value is wrong.
    public private(set) var path: String
    public let expected: String
    public let found: String
    /// A member's name that is probably a misspelling of the absent member's name.
    var misspelling: String?

    public init(path: String, expected: String, found: String) {
        self.path = path
        self.expected = expected
        self.found = found
    }

    /// The same fault as seen from the enclosing value. `name` is a member's name, or an index in brackets. Names come from
    /// the client, so a long name is cut.
    func inside(_ name: String) -> SchemaFault {
        let shown = name.utf8.count <= 64 ? name : name.cut(toBytes: 48) + "…"
        let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
        var fault = self
        fault.path = shown + separator + path
        return fault
    }

    public var description: String { "\(path.isEmpty ? "params" : path) should be \(expected), not \(found)" }

    /// The `data.details` of an error -32602.
    public var json: JSONValue {
        ["member": .string(path), "expected": .string(expected), "found": .string(found)]
    }
}
