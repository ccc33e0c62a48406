// The types of the parts of a stored value, with their form in a field of the database.

import AccessEnabler
import PassJSON

protocol FieldValue: SendableMetatype {
    /// The type of the field in SQL.
    static var type: String { get }

    /// Reads the value; nil if the field has another type or form.
    init?(field: SQLValue)

    /// The field; nil if the value cannot be stored and read back.
    var field: SQLValue? { get }
}

extension FieldValue {
    static var type: String { "TEXT" }
}

extension String: FieldValue {
    init?(field: SQLValue) {
        guard let text = field.text else { return nil }
        self = text
    }
    var field: SQLValue? { .text(self) }
}

extension Bool: FieldValue {
    static var type: String { "INTEGER" }
    init?(field: SQLValue) {
        guard let number = field.integer, number == 0 || number == 1 else { return nil }
        self = number == 1
    }
    var field: SQLValue? { .integer(self ? 1 : 0) }
}

extension ServerTime: FieldValue {
    static var type: String { "INTEGER" }
    init?(field: SQLValue) {
        guard let milliseconds = field.integer else { return nil }
        self.init(milliseconds: milliseconds)
    }
    var field: SQLValue? { .integer(milliseconds) }
}

extension Secret: FieldValue {
    init?(field: SQLValue) {
        guard let text = field.text else { return nil }
        self.init(text)
    }
    var field: SQLValue? { .text(reveal()) }
}

extension Profile.Kind: FieldValue {
    init?(field: SQLValue) {
        guard let name = field.text else { return nil }
        self.init(name)
    }
    var field: SQLValue? { .text(name) }
}

extension FieldValue where Self: Identifier {
    init?(field: SQLValue) {
        guard let text = field.text else { return nil }
        self.init(rawValue: text)
    }
    var field: SQLValue? { .text(rawValue) }
}

extension ProviderID: FieldValue {}
extension RegistrationCode: FieldValue {}
extension DeviceID: FieldValue {}

extension Optional: FieldValue where Wrapped: FieldValue {
    static var type: String { Wrapped.type }
    init?(field: SQLValue) {
        if field == .null {
            self = .none
        } else {
            guard let value = Wrapped(field: field) else { return nil }
            self = .some(value)
        }
    }
    var field: SQLValue? {
        guard let value = self else { return .null }
        return value.field
    }
}

/// A value that is stored as JSON.
protocol JSONRecord: FieldValue {
    /// Reads the record; nil if the value has another form.
    init?(_ json: JSONValue)

    /// The JSON; nil if the record cannot be written as JSON and read back.
    var json: JSONValue? { get }
}

extension JSONRecord {
    init?(field: SQLValue) {
        guard let text = field.text,
            let json = try? JSONReader.read(Array(text.utf8), limits: JSONRecordLimits.reading)
        else { return nil }
        self.init(json)
    }
    var field: SQLValue? { json.map { .text(String(decoding: JSONWriter.bytes($0), as: UTF8.self)) } }
}

enum JSONRecordLimits {
    static let depth = 64
    /// The limits for reading. The text of a field has its own limit, so the number of values needs no limit.
    static let reading = JSONLimits(depth: depth + 1, values: .max)
}

extension JSONValue {
    /// The member of an object; nil if it is missing or null.
    func member(_ name: String) -> JSONValue? { self[name].flatMap { $0.isNull ? nil : $0 } }

    /// Makes an object with sorted names, so that equal records have equal texts.
    static func sorted(_ members: [String: JSONValue]) -> JSONValue {
        .object(JSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }
}
