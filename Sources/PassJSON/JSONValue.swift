// A JSON value as it was sent: numbers keep their exact text, objects keep the order of their members.

public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    public var isNull: Bool { self == .null }

    public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

    public var string: String? { if case .string(let text) = self { text } else { nil } }

    public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }

    public var int64: Int64? { number?.int64 }

    public var array: [JSONValue]? { if case .array(let items) = self { items } else { nil } }

    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

    /// The member of an object; nil for every other kind of value.
    public subscript(name: String) -> JSONValue? { object?[name] }

    /// The name of the value's kind, with "a" or "an", for error messages.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    public static func int(_ value: some BinaryInteger) -> JSONValue { .number(JSONNumber(value)) }

    public static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// Makes an object, leaving out members without a value.
    public static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        var object = JSONObject(expecting: members.count)
        for case (let name, let value?) in members { object.append(name, value) }
        return .object(object)
    }
}
