// Parses JSON strictly by RFC 8259. A duplicate member, a lone surrogate, invalid UTF-8, trailing text or too deep a
// nesting is an error that names its line. With `tracksPlaces` it remembers the line of every value, so that errors
// found later can name it.

struct JSONError: Error, Equatable {
    var line: Int
    var reason: String
}

struct JSONParser {
    static let deepest = 64

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var depth = 0
    private let tracksPlaces: Bool
    private var path: [String] = []
    /// The line on which each value begins, by its path (`providers[2].name`).
    private(set) var places: [String: Int] = [:]

    static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSON {
        var parser = JSONParser(bytes)
        return try parser.document()
    }

    static func parse(_ text: String) throws(JSONError) -> JSON { try parse(Array(text.utf8)) }

    init(_ bytes: [UInt8], tracksPlaces: Bool = false) {
        self.bytes = bytes
        self.tracksPlaces = tracksPlaces
    }

    mutating func document() throws(JSONError) -> JSON {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw error("the text is not valid UTF-8") }
        let value = try value()
        skipBlanks()
        guard position == bytes.count else { throw error("unexpected text after the value") }
        return value
    }

    private mutating func value() throws(JSONError) -> JSON {
        skipBlanks()
        if tracksPlaces { places[path.joined()] = line }
        guard let byte = peek() else { throw error("the text ends where a value is expected") }
        switch byte {
        case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in try parser.object() }
        case UInt8(ascii: "["): return try nested { parser throws(JSONError) in try parser.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error("unexpected character where a value is expected")
        }
    }

    private mutating func nested(
        _ body: (inout JSONParser) throws(JSONError) -> JSON
    ) throws(JSONError) -> JSON {
        depth += 1
        guard depth <= Self.deepest else { throw error("nested deeper than \(Self.deepest) levels") }
        position += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(JSONError) -> JSON {
        var members: [JSON.Member] = []
        var names: Set<String> = []
        skipBlanks()
        if take(UInt8(ascii: "}")) { return .object([]) }
        while true {
            skipBlanks()
            guard peek() == UInt8(ascii: "\"") else { throw error("a member name in quotes is expected here") }
            let name = try string()
            guard names.insert(name).inserted else { throw error("the member \"\(name)\" appears twice") }
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw error("a colon is expected after \"\(name)\"") }
            if tracksPlaces { path.append(path.isEmpty ? name : ".\(name)") }
            members.append(JSON.Member(name, try value()))
            if tracksPlaces { path.removeLast() }
            skipBlanks()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw error("a comma or the end of the object is expected here") }
        }
    }

    private mutating func array() throws(JSONError) -> JSON {
        var items: [JSON] = []
        skipBlanks()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            if tracksPlaces { path.append("[\(items.count)]") }
            items.append(try value())
            if tracksPlaces { path.removeLast() }
            skipBlanks()
            if take(UInt8(ascii: "]")) { return .array(items) }
            guard take(UInt8(ascii: ",")) else { throw error("a comma or the end of the array is expected here") }
        }
    }

    private mutating func string() throws(JSONError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = peek() {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw error("a control character in a string")
            default: text.append(byte)
            }
        }
        throw error("the text ends inside a string")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard let byte = peek() else { throw error("the text ends inside a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code) {
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw error("a lone surrogate") }
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw error("a lone surrogate") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw error("a lone surrogate") }
            text.append(contentsOf: String(scalar).utf8)
        default: throw error("a string contains an unknown escape")
        }
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("four hexadecimal digits are expected after \\u")
            }
            position += 1
            code = code << 4 | UInt32(digit)
        }
        return code
    }

    private mutating func number() throws(JSONError) -> JSON {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
            if let byte = peek(), isDigit(byte) { throw error("a number must not begin with 0") }
        } else if digits() == 0 {
            throw error("digits are missing in a number")
        }
        var isInteger = true
        if take(UInt8(ascii: ".")) {
            isInteger = false
            if digits() == 0 { throw error("digits are missing after the decimal point") }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isInteger = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            if digits() == 0 { throw error("digits are missing in the exponent") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let number = Int64(text) { return .int(number) }
        guard let number = Double(text), number.isFinite else { throw error("the number \(text) is too large") }
        return .double(number)
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = peek(), isDigit(byte) { position += 1 }
        return position - start
    }

    private mutating func word(_ word: String, _ value: JSON) throws(JSONError) -> JSON {
        guard bytes[position...].starts(with: word.utf8) else {
            throw error("unexpected word where a value is expected")
        }
        position += word.utf8.count
        return value
    }

    private mutating func skipBlanks() {
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            if byte == 0x0A { line += 1 }
            position += 1
        }
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private func error(_ reason: String) -> JSONError { JSONError(line: line, reason: reason) }
}
