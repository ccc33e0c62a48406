// Decodes an answer of the service into one of the types that describe answers. The reader is lenient: a defect in an
// unneeded part must not lock viewers out.

import PassJSON

struct AnswerDecoder: Decoder {
    /// As deep as the stack allows. The length of an answer bounds its values.
    private static let limits = JSONLimits(depth: 512, values: .max)

    private let value: JSONValue
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    fileprivate init(_ value: JSONValue) { self.value = value }

    /// Nil if the body is not such an answer.
    static func decode<Answer: Decodable>(_: Answer.Type, _ body: [UInt8]) -> Answer? {
        guard let value = try? JSONReader.readLeniently(body, limits: limits) else { return nil }
        return try? Answer(from: AnswerDecoder(value))
    }

    func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = value.object else { throw AnswerFault() }
        return KeyedDecodingContainer(Members(object))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let items = value.array else { throw AnswerFault() }
        return Items(items)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(value) }
}

/// A value is missing or has the wrong type. No caller needs to know which one, because answers come from outside.
private struct AnswerFault: Error {}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let codingPath: [any CodingKey] = []
    private let members: [String: JSONValue]

    init(_ object: JSONObject) {
        members = Dictionary(object.members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }

    func decode<Value: Decodable>(_: Value.Type, forKey key: Key) throws -> Value {
        try Value(from: AnswerDecoder(value(key)))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try AnswerDecoder(value(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try AnswerDecoder(value(key)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { throw AnswerFault() }

    func superDecoder(forKey key: Key) throws -> any Decoder { AnswerDecoder(try value(key)) }

    private func value(_ key: Key) throws -> JSONValue {
        guard let value = members[key.stringValue] else { throw AnswerFault() }
        return value
    }
}

private struct Items: UnkeyedDecodingContainer {
    let codingPath: [any CodingKey] = []
    private let items: [JSONValue]
    private(set) var currentIndex = 0

    init(_ items: [JSONValue]) { self.items = items }

    var count: Int? { items.count }
    var isAtEnd: Bool { currentIndex == items.count }

    mutating func decodeNil() throws -> Bool {
        guard try next().isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_: Value.Type) throws -> Value {
        try take { try Value(from: $0) }
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try take { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try take { $0 } }

    private func next() throws -> JSONValue {
        guard !isAtEnd else { throw AnswerFault() }
        return items[currentIndex]
    }

    /// An item that cannot be decoded is not taken.
    private mutating func take<Value>(_ decode: (AnswerDecoder) throws -> Value) throws -> Value {
        let value = try decode(AnswerDecoder(next()))
        currentIndex += 1
        return value
    }
}

private struct Single: SingleValueDecodingContainer {
    let codingPath: [any CodingKey] = []
    private let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    func decodeNil() -> Bool { value.isNull }

    func decode(_: Bool.Type) throws -> Bool { try found(value.bool) }

    func decode(_: String.Type) throws -> String { try found(value.string) }

    func decode(_: Double.Type) throws -> Double { try found(value.number?.double) }

    func decode(_: Float.Type) throws -> Float { try Float(found(value.number?.double)) }

    func decode<Number: FixedWidthInteger & Decodable>(_: Number.Type) throws -> Number {
        try found(value.int64.flatMap { Number(exactly: $0) })
    }

    func decode<Value: Decodable>(_: Value.Type) throws -> Value { try Value(from: AnswerDecoder(value)) }

    private func found<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw AnswerFault() }
        return value
    }
}
