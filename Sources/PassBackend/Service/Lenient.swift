/// An item of a list. If it cannot be decoded, the other items still can.
struct Lenient<Value: Decodable>: Decodable {
    let value: Value?
    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

extension Lenient: Sendable where Value: Sendable {}
