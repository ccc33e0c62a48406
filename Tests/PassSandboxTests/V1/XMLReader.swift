// A small XML parser for tests, written from the rules of XML and not from the sandbox's writer.

struct XMLFault: Error, Equatable { let reason: String }

/// An element with its local name, attributes, text and children.
struct XMLElement: Equatable, Sendable {
    var name = ""
    var prefix = ""
    var attributes: [String: String] = [:]
    var text = ""
    var children: [XMLElement] = []

    subscript(name: String) -> XMLElement? { children.first { $0.name == name } }

    /// The namespace to which the element's own prefix is bound.
    var namespace: String? { attributes[prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)"] }

    static func read(_ bytes: [UInt8]) throws -> XMLElement {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw XMLFault(reason: "not UTF-8") }
        var reader = Reader(rest: Array(text.unicodeScalars)[...])
        return try reader.document()
    }
}

private struct Reader {
    var rest: ArraySlice<Unicode.Scalar>

    mutating func document() throws -> XMLElement {
        if take("<?xml ") { _ = try upTo("?>") }
        skipBlanks()
        let root = try element()
        skipBlanks()
        guard rest.isEmpty else { throw XMLFault(reason: "something follows the root") }
        return root
    }

    private mutating func element() throws -> XMLElement {
        guard take("<") else { throw XMLFault(reason: "no element where one should begin") }
        var element = XMLElement()
        let name = try self.name()
        (element.prefix, element.name) = Self.split(name)
        while skipBlanks(), let next = rest.first, next != ">", next != "/" {
            let attribute = try self.name()
            guard take("=\"") else { throw XMLFault(reason: "an attribute without a value") }
            let value = try unescaped(upTo("\""))
            guard element.attributes.updateValue(value, forKey: attribute) == nil else {
                throw XMLFault(reason: "an attribute stands there twice")
            }
        }
        if take("/>") { return element }
        guard take(">") else { throw XMLFault(reason: "a tag without an end") }
        while !take("</") {
            if rest.first == "<" {
                element.children.append(try self.element())
            } else {
                var piece: [Unicode.Scalar] = []
                while let next = rest.first, next != "<" {
                    piece.append(next)
                    rest.removeFirst()
                }
                guard !rest.isEmpty else { throw XMLFault(reason: "an element without an end") }
                element.text += try unescaped(piece)
            }
        }
        guard try self.name() == name, take(">") else { throw XMLFault(reason: "ends do not match") }
        if !element.children.isEmpty, element.text.contains(where: { !$0.isWhitespace }) {
            throw XMLFault(reason: "text beside elements")
        }
        return element
    }

    private static func split(_ name: String) -> (String, String) {
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : ("", name)
    }

    private mutating func name() throws -> String {
        var name = ""
        while let next = rest.first,
            next.properties.isAlphabetic || next.properties.numericType != nil
                || "-_.:".unicodeScalars.contains(next)
        {
            name.unicodeScalars.append(next)
            rest.removeFirst()
        }
        guard let first = name.unicodeScalars.first, first.properties.isAlphabetic || first == "_" else {
            throw XMLFault(reason: "\"\(name)\" is no name")
        }
        return name
    }

    private func unescaped(_ scalars: [Unicode.Scalar]) throws -> String {
        let known: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        var out = ""
        var rest = scalars[...]
        while let next = rest.popFirst() {
            guard next.value >= 0x20 || next == "\t" || next == "\n", next.value < 0xFFFE || next.value > 0xFFFF else {
                throw XMLFault(reason: "a character that XML does not have")
            }
            guard next == "&" else {
                out.unicodeScalars.append(next)
                continue
            }
            guard let end = rest.firstIndex(of: ";") else { throw XMLFault(reason: "a bare ampersand") }
            let name = rest[..<end].reduce(into: "") { $0.unicodeScalars.append($1) }
            let number = name.hasPrefix("#") ? UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) : nil
            guard let character = known[name] ?? number else { throw XMLFault(reason: "unknown entity \(name)") }
            out.unicodeScalars.append(character)
            rest = rest[(end + 1)...]
        }
        return out
    }

    @discardableResult private mutating func skipBlanks() -> Bool {
        while let next = rest.first, next.properties.isWhitespace { rest.removeFirst() }
        return true
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest = rest.dropFirst(text.unicodeScalars.count)
        return true
    }

    private mutating func upTo(_ mark: String) throws -> [Unicode.Scalar] {
        var taken: [Unicode.Scalar] = []
        while !take(mark) {
            guard let next = rest.popFirst() else { throw XMLFault(reason: "\(mark) is missing") }
            taken.append(next)
        }
        return taken
    }
}
