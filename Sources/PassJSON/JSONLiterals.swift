// Lets JSON values be written as Swift literals.

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }

    public init(booleanLiteral value: Bool) { self = .bool(value) }

    public init(integerLiteral value: Int64) { self = .int(value) }

    public init(stringLiteral value: String) { self = .string(value) }

    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}
