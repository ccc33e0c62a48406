/// An item that cannot be read costs itself and not the list.
struct Lenient<Value: Decodable>: Decodable {
    let value: Value?
    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

extension Lenient: Sendable where Value: Sendable {}
