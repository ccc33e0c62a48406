// A field of a row that is stored as JSON.

import PassJSON

protocol JSONRecord {
    /// Reads the record; nil if the value has another form.
    init?(_ json: JSONValue)

    /// The JSON; nil if the record cannot be written as JSON and read back.
    var json: JSONValue? { get }
}

enum JSONRecordLimits {
    static let depth = 64
    /// The limits for reading. The text of a field has its own limit, so the number of values needs none.
    static let reading = JSONLimits(depth: depth + 1, values: .max)
}

extension JSONValue {
    /// The member of an object; nil if it is missing or null.
    func member(_ name: String) -> JSONValue? { self[name].flatMap { $0.isNull ? nil : $0 } }

    /// Makes an object whose names are sorted, so that equal records have equal texts.
    static func sorted(_ members: [String: JSONValue]) -> JSONValue {
        .object(JSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }
}
