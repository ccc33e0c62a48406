// A field of a row that is stored as JSON.

import PassJSON

protocol JSONRecord {
    /// Nil if it is not such a record.
    init?(_ json: JSONValue)

    /// Nil if it cannot be written as JSON and read back.
    var json: JSONValue? { get }
}

enum JSONRecordLimits {
    static let depth = 64
    /// The text of a field has a limit of its own, so the number of values needs none.
    static let reading = JSONLimits(depth: depth + 1, values: .max)
}

extension JSONValue {
    /// The member of an object; nil also if it is null.
    func member(_ name: String) -> JSONValue? { self[name].flatMap { $0.isNull ? nil : $0 } }

    /// An object whose names are sorted, so that equal records have equal texts.
    static func sorted(_ members: [String: JSONValue]) -> JSONValue {
        .object(JSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }
}
