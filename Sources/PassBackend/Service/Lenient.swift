/// Decodes an item of a list to nil if it cannot be read, so that the rest of the list is kept.
struct Lenient<Value: Decodable>: Decodable {
    let value: Value?
    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

extension Lenient: Sendable where Value: Sendable {}
