// What the sandbox needs of JSON values besides what the module has.

import PassJSON

extension JSONValue {
    var members: [JSONObject.Member]? { object?.members }

    /// A whole number as it was written: `1.0` is none.
    var int: Int64? { number.flatMap { Int64($0.text) } }

    var double: Double? { number?.double }

    var bytes: [UInt8] { JSONWriter.bytes(self) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    static func object(_ members: [JSONObject.Member]) -> JSONValue { .object(JSONObject(members)) }

    static func read(_ text: String) throws(JSONFault) -> JSONValue { try JSONReader.read(Array(text.utf8)) }
}

extension JSONObject.Member {
    init(_ name: String, _ value: JSONValue) { self.init(name: name, value: value) }
}
