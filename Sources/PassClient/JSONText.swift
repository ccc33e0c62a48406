// JSON to and from text, for programs that use this library and have no other use for the wire.

import PassProtocol
import PassWire

public enum JSONText {
    /// Nil if it is not one JSON value.
    public static func read(_ text: String) -> JSONValue? { try? JSONReader.read(Array(text.utf8)) }

    /// Without blanks, on one line.
    public static func line(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.bytes(value), as: UTF8.self)
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
