// Reads the small part of XML that tokens use: elements, text and the five predefined entities. Comments and the XML
// declaration are skipped. Everything else is refused: document types, CDATA, processing instructions and attributes.
// docs/storage-layouts.md.

struct TokenElement: Hashable {
    var name: String
    /// The text between the tags, without the text of its children.
    var text: String
    var children: [TokenElement]
}

struct TokenText {
    private static let maxNested = 8
    private static let longestName = 64

    private var rest: ArraySlice<UInt8>

    /// Returns an unnamed element that contains the elements of the file.
    static func read(_ bytes: [UInt8]) throws(TokenFault) -> TokenElement {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw TokenFault("it is not UTF-8") }
        var reader = TokenText(rest: bytes[...])
        _ = reader.take("\u{FEFF}")
        if reader.take("<?xml ") { try reader.skip(past: "?>", "the XML declaration") }
        return try reader.content(of: "", nested: 0)
    }

    /// Reads up to and including the end tag of `name`. If `name` is empty, reads to the end of the file.
    private mutating func content(of name: String, nested: Int) throws(TokenFault) -> TokenElement {
        var text: [UInt8] = []
        var children: [TokenElement] = []
        while let byte = rest.first {
            if take("<!--") {
                try skip(past: "-->", "a comment")
            } else if take("</") {
                let closed = try self.name()
                skipBlanks()
                guard closed == name, take(">") else { throw TokenFault("</\(closed)> does not close any tag") }
                return TokenElement(name: name, text: String(decoding: text, as: UTF8.self), children: children)
            } else if take("<!") || take("<?") {
                throw TokenFault("it contains a declaration")
            } else if take("<") {
                guard nested < Self.maxNested else { throw TokenFault("it is nested too deeply") }
                let child = try element(nested: nested + 1)
                guard !children.contains(where: { $0.name == child.name }) else {
                    throw TokenFault("<\(child.name)> occurs twice")
                }
                children.append(child)
            } else if byte == UInt8(ascii: "&") {
                text.append(try entity())
            } else {
                guard byte >= 0x20 && byte != 0x7F || Self.isBlank(byte) else {
                    throw TokenFault("it contains control characters")
                }
                text.append(byte)
                rest.removeFirst()
            }
        }
        guard name.isEmpty else { throw TokenFault("<\(name)> is not closed") }
        return TokenElement(name: name, text: String(decoding: text, as: UTF8.self), children: children)
    }

    private mutating func element(nested: Int) throws(TokenFault) -> TokenElement {
        let name = try name()
        skipBlanks()
        if take("/>") { return TokenElement(name: name, text: "", children: []) }
        guard take(">") else { throw TokenFault("<\(name)> is not a plain tag") }
        return try content(of: name, nested: nested)
    }

    private mutating func name() throws(TokenFault) -> String {
        let bytes = rest.prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard (1...Self.longestName).contains(bytes.count) else { throw TokenFault("a tag has no name") }
        rest = rest[bytes.endIndex...]
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func entity() throws(TokenFault) -> UInt8 {
        if take("&amp;") { return UInt8(ascii: "&") }
        if take("&lt;") { return UInt8(ascii: "<") }
        if take("&gt;") { return UInt8(ascii: ">") }
        if take("&quot;") { return UInt8(ascii: "\"") }
        if take("&apos;") { return UInt8(ascii: "'") }
        throw TokenFault("it contains an entity that is not predefined")
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    private mutating func skip(past end: String, _ what: String) throws(TokenFault) {
        while !rest.isEmpty {
            if take(end) { return }
            rest.removeFirst()
        }
        throw TokenFault("\(what) is not closed")
    }

    private mutating func skipBlanks() { rest = rest.drop { Self.isBlank($0) } }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}

/// The reason why a file of version 1.6 is not a token. The reason may name elements, but never contains a value.
struct TokenFault: Error, Hashable {
    var explanation: String
    init(_ explanation: String) { self.explanation = explanation }
}
