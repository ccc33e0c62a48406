// Helpers for texts and JSON values. Texts from outside are read by Unicode scalars: a combining mark or a variation
// selector forms one character with the sign before it, so a search for a delimiter as a character can miss it.

import PassJSON

extension StringProtocol {
    func begins(with text: String) -> Bool { utf8.starts(with: text.utf8) }

    func ends(with text: String) -> Bool { utf8.reversed().starts(with: text.utf8.reversed()) }

    func holds(_ text: String) -> Bool { place(of: text) != nil }

    /// The parts between the separators, including empty ones.
    func parts(between separator: Unicode.Scalar, most: Int = .max) -> [String] {
        unicodeScalars.split(separator: separator, maxSplits: most - 1, omittingEmptySubsequences: false).map {
            var part = String.UnicodeScalarView()
            part.append(contentsOf: $0)
            return String(part)
        }
    }

    /// The text before the first such sign.
    func upTo(_ end: Unicode.Scalar) -> String {
        var part = String.UnicodeScalarView()
        part.append(contentsOf: unicodeScalars.prefix { $0 != end })
        return String(part)
    }

    var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(self[first..<scalars.index(after: last)])
    }
}

// What the sandbox needs of JSON values besides what the module has.

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
