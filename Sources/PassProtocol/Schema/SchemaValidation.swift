// Holds a value against its schema and stops at the first fault.

extension Schema {
    public func check(_ value: JSONValue, at path: String = "") throws(SchemaFault) {
        switch self {
        case .any: return
        case .null: try require(value.isNull, value, path)
        case .boolean: try require(value.bool != nil, value, path)
        case .number: try require(value.number != nil, value, path)
        case .integer(let range):
            try require(value.int64.map { range?.contains($0) ?? true } ?? false, value, path)
        case .string: try require(value.string != nil, value, path)
        case .enumeration(let texts): try require(value.string.map(texts.contains) ?? false, value, path)
        case .array(let item):
            guard let items = value.array else { throw fault(value, path) }
            for (index, element) in items.enumerated() { try item.check(element, at: "\(path)[\(index)]") }
        case .map(let item):
            guard let object = value.object else { throw fault(value, path) }
            for member in object.members { try item.check(member.value, at: Self.join(path, member.name)) }
        case .object(let members): try check(members, of: value, path)
        case .nullable(let schema):
            if value.isNull { return }
            do { try schema.check(value, at: path) } catch {
                throw error.path == path ? fault(value, path) : error
            }
        case .oneOf(let schemas):
            try require(schemas.count { (try? $0.check(value)) != nil } == 1, value, path)
        case .component(let component): try component.schema.check(value, at: path)
        }
    }

    private func check(_ members: [Member], of value: JSONValue, _ path: String) throws(SchemaFault) {
        guard let object = value.object else { throw fault(value, path) }
        for member in members {
            let place = Self.join(path, member.name)
            if let present = object[member.name] {
                try member.schema.check(present, at: place)
            } else if member.isRequired {
                throw SchemaFault(path: place, expected: member.schema.expectation, found: "absent")
            }
        }
    }

    private func require(_ holds: Bool, _ value: JSONValue, _ path: String) throws(SchemaFault) {
        guard holds else { throw fault(value, path) }
    }

    private func fault(_ value: JSONValue, _ path: String) -> SchemaFault {
        SchemaFault(path: path, expected: expectation, found: Self.found(value))
    }

    private static func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// Short values are shown, so that a misspelt word can be seen; long ones only named by their kind.
    private static func found(_ value: JSONValue) -> String {
        switch value {
        case .number(let number) where number.text.utf8.count <= 24: number.text
        case .string(let text) where text.utf8.count <= 40: "\"\(text)\""
        case .bool(let flag): "\(flag)"
        default: value.kind
        }
    }

    /// "a string", "one of \"none\", \"all\"".
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
