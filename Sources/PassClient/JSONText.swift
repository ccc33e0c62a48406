// JSON to and from text, for programs that use this library and have no other use for the wire.

import PassJSON
import PassProtocol
import PassWire

public enum JSONText {
    /// Nil if it is not one JSON value.
    public static func read(_ text: String) -> JSONValue? { try? JSONReader.read(Array(text.utf8)) }

    /// Without blanks, on one line. What would steer a terminal stands there as an escape, which means the same.
    public static func line(_ value: JSONValue) -> String {
        let text = String(decoding: JSONWriter.bytes(value), as: UTF8.self)
        guard text.unicodeScalars.contains(where: \.steersTerminals) else { return text }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.steersTerminals { line.append(contentsOf: escape(scalar)) } else { line.append(scalar) }
        }
        return String(line)
    }

    /// None of these characters lies beyond the first plane, nor does one stand outside of a string.
    private static func escape(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        let digits = String(scalar.value, radix: 16)
        return ("\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits).unicodeScalars
    }

    /// One member or item a line, for people.
    public static func pretty(_ value: JSONValue, indentation: String = "") -> String {
        let inner = indentation + "  "
        switch value {
        case .array(let items) where !items.isEmpty:
            let lines = items.map { inner + pretty($0, indentation: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indentation)]"
        case .object(let object) where !object.members.isEmpty:
            let lines = object.members.map {
                inner + line(.string($0.name)) + ": " + pretty($0.value, indentation: inner)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indentation)}"
        default: return line(value)
        }
    }
}
