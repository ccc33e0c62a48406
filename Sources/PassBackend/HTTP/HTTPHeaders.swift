// Header fields in their order. Names are case-insensitive.

public struct HTTPHeaders: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    public struct Field: Equatable, Sendable {
        public let name: String
        public let value: String
    }

    public private(set) var fields: [Field] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }

    public mutating func append(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// The first field of that name.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }

    /// Whether every field can be sent unchanged. A value with a line break would start another field.
    var areSafe: Bool {
        fields.allSatisfy { field in
            !field.name.isEmpty && field.name.utf8.allSatisfy(Self.isTokenByte)
                && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        isUnreserved(byte) || "!#$%&'*+^`|".utf8.contains(byte)
    }
}

extension HTTPHeaders.Field: CustomStringConvertible {
    /// Only the name, because the value may be a secret.
    public var description: String { name }
}
