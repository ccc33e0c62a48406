// Writes JSON text on one line, without blanks and with only the necessary escapes.

public struct JSONWriter {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public static func bytes(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.append(value)
        return writer.bytes
    }

    /// Appends JSON text to the bytes.
    public static func append(to bytes: inout [UInt8], _ write: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        swap(&writer.bytes, &bytes)
        write(&writer)
        swap(&writer.bytes, &bytes)
    }

    public mutating func append(_ written: WrittenJSON) { bytes.append(contentsOf: written.bytes) }

    public mutating func append(_ value: JSONValue) {
        switch value {
        case .null: append(word: "null")
        case .bool(let flag): append(word: flag ? "true" : "false")
        case .number(let number): bytes.append(contentsOf: number.text.utf8)
        case .string(let text): append(string: text)
        case .array(let items):
            bytes.append(UInt8(ascii: "["))
            for (position, item) in items.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                append(item)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (position, member) in object.members.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                append(string: member.name)
                bytes.append(UInt8(ascii: ":"))
                append(member.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    package mutating func append(word: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private mutating func append(string text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { buffer in
            var start = 0
            for index in buffer.indices where Self.needsEscape(buffer[index]) {
                bytes.append(contentsOf: buffer[start..<index])
                escape(buffer[index])
                start = index + 1
            }
            bytes.append(contentsOf: buffer[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0A: append(word: "\\n")
        case 0x0D: append(word: "\\r")
        case 0x09: append(word: "\\t")
        default:
            append(word: "\\u00")
            bytes.append(Self.digit(byte >> 4))
            bytes.append(Self.digit(byte & 15))
        }
    }

    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

/// The JSON text of a value. If a result is sent many times, its text is made only once.
public struct WrittenJSON: Sendable, Equatable {
    package let bytes: [UInt8]

    public init(_ value: JSONValue) { bytes = JSONWriter.bytes(value) }

    /// Keeps a text that is JSON already.
    package init(text: [UInt8]) { bytes = text }
}
