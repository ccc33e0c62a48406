// A value of user metadata as JSON on disk, with a mark if only the programmer can decrypt it.

import AccessEnabler

struct AttributeRecord: Codable {
    private var value: JSONRecord
    private var encrypted: Bool?

    init(_ attribute: Profile.Attribute) {
        value = JSONRecord(value: attribute.value)
        encrypted = attribute.isEncrypted ? true : nil
    }

    var attribute: Profile.Attribute { Profile.Attribute(value: value.value, isEncrypted: encrypted ?? false) }

    private enum CodingKeys: String, CodingKey { case value, encrypted }
}

/// More deeply nested values could not be read back.
private let greatestDepth = 64

private struct JSONRecord: Codable {
    var value: MetadataValue

    init(value: MetadataValue) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let flag = try? container.decode(Bool.self) {
            value = .bool(flag)
        } else if let number = try? container.decode(Double.self) {
            value = .number(number)
        } else if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let list = try? container.decode([JSONRecord].self) {
            value = .list(list.map(\.value))
        } else {
            value = .object(try container.decode([String: JSONRecord].self).mapValues(\.value))
        }
    }

    func encode(to encoder: any Encoder) throws {
        guard encoder.codingPath.count <= greatestDepth else {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: [], debugDescription: "nested too deep"))
        }
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .list(let list): try container.encode(list.map { JSONRecord(value: $0) })
        case .object(let object): try container.encode(object.mapValues { JSONRecord(value: $0) })
        }
    }
}
