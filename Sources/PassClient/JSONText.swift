// Converts JSON to and from text. It is for programs that import only this library.

public import PassJSON
import PassProtocol
import PassWire

public enum JSONText {
    /// Returns the value of the text; nil unless the text is exactly one JSON value.
    public static func read(_ text: String) -> JSONValue? { try? JSONReader.read(Array(text.utf8)) }

    /// Writes the value on one line, without blanks. Characters that could control a terminal become JSON escapes.
    public static func line(_ value: JSONValue) -> String {
        let text = String(decoding: JSONWriter.bytes(value), as: UTF8.self)
        guard text.unicodeScalars.contains(where: \.steersTerminals) else { return text }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.steersTerminals { line.append(contentsOf: escape(scalar)) } else { line.append(scalar) }
        }
        return String(line)
    }

    /// Returns the escape for a character that could control the terminal. Such characters are always inside strings. Four
    /// digits are enough, because all these characters are in the basic plane.
    private static func escape(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        let digits = String(scalar.value, radix: 16)
        return ("\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits).unicodeScalars
    }

    /// Writes the value for people, with one member or item on each line.
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
