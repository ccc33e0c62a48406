// Decodes user metadata, which has no schema: any JSON value is accepted.

import AccessEnabler

struct AnyMetadata: Decodable, Sendable {
    let value: MetadataValue

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            var members: [String: MetadataValue] = [:]
            for key in container.allKeys {
                members[key.stringValue] = try container.decode(AnyMetadata.self, forKey: key).value
            }
            value = .object(members)
        } else if var container = try? decoder.unkeyedContainer() {
            var items: [MetadataValue] = []
            while !container.isAtEnd { items.append(try container.decode(AnyMetadata.self).value) }
            value = .list(items)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                value = .null
            } else if let flag = try? container.decode(Bool.self) {
                value = .bool(flag)
            } else if let number = try? container.decode(Double.self) {
                value = .number(number)
            } else {
                value = .string(try container.decode(String.self))
            }
        }
    }
}
