// Helpers for texts and JSON values. Input is searched by Unicode scalars. A search by characters would miss a delimiter before
// a combining mark, because the two are one character.

import PassJSON

extension StringProtocol {
    func begins(with text: String) -> Bool { utf8.starts(with: text.utf8) }

    func ends(with text: String) -> Bool { utf8.reversed().starts(with: text.utf8.reversed()) }

    func holds(_ text: String) -> Bool { place(of: text) != nil }

    /// The parts between the separators, including empty ones.
    func parts(between separator: Unicode.Scalar, maxParts: Int = .max) -> [String] {
        unicodeScalars.split(separator: separator, maxSplits: maxParts - 1, omittingEmptySubsequences: false)
            .map { String(String.UnicodeScalarView($0)) }
    }

    /// The text before the first `end`, or the whole text if there is no `end`.
    func upTo(_ end: Unicode.Scalar) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix { $0 != end })) }

    /// The text between the first `opening` and the next `closing`, with the index after `closing`.
    func between(_ opening: String, _ closing: String) -> (text: String, end: Index)? {
        guard let start = place(of: opening)?.upperBound, let end = self[start...].place(of: closing) else {
            return nil
        }
        return (String(self[start..<end.lowerBound]), end.upperBound)
    }

    /// The text before and after the first separator. Without a separator, the second text is empty.
    func cut(at separator: String) -> (String, String) {
        place(of: separator).map { (String(self[..<$0.lowerBound]), String(self[$0.upperBound...])) } ?? (
            String(self), ""
        )
    }

    var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(self[first..<scalars.index(after: last)])
    }
}

// Additions to the values of the JSON module.

extension JSONValue {
    var members: [JSONObject.Member]? { object?.members }

    /// The value of a number without fraction and exponent; nil for `1.0`.
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
