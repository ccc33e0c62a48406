// A type of values. It has a description for people, and a function that reads the text of a value.

import PassBackend
import PassJSON
import PassProtocol

package struct ValueFault: Error, Equatable, CustomStringConvertible {
    /// The expected form, such as "expected a duration from 1s to 5min".
    package let description: String

    init(_ description: String) { self.description = description }
}

struct ValueType<Value: Sendable>: Sendable {
    /// The description for messages and manuals.
    let form: String
    let read: @Sendable (String) throws(ValueFault) -> Value

    init(_ form: String, _ read: @escaping @Sendable (String) throws(ValueFault) -> Value) {
        self.form = form
        self.read = read
    }

    /// Makes a type from a reader that returns nil for any fault.
    init(_ form: String, reading: @escaping @Sendable (String) -> Value?) {
        self.init(form) { text throws(ValueFault) in
            guard let value = reading(text) else { throw ValueFault("expected " + form) }
            return value
        }
    }

    /// A type that also accepts one word that means nil.
    func orNone(_ word: String = "none") -> ValueType<Value?> {
        let read = read
        return ValueType<Value?>("\(word), or \(form)") { text throws(ValueFault) in
            text == word ? nil : try read(text)
        }
    }
}

extension ValueType {
    static func choice(_ choices: KeyValuePairs<String, Value>) -> ValueType {
        let names = choices.map(\.key)
        let values = choices.map(\.value)
        return ValueType(names.joined(separator: " | ")) { text throws(ValueFault) in
            if let index = names.firstIndex(of: text) { return values[index] }
            let nearest = Spelling.nearest(to: text, among: names).map { "; nearest: \($0)" } ?? ""
            throw ValueFault("expected " + names.joined(separator: " | ") + nearest)
        }
    }
}

extension ValueType where Value == Bool {
    static var flag: ValueType {
        ValueType("on | off") { text in
            switch text.lowercased() {
            case "on", "yes", "true", "1": true
            case "off", "no", "false", "0": false
            default: nil
            }
        }
    }
}

extension ValueType where Value == String {
    static func words(_ names: [String]) -> ValueType {
        ValueType("one of " + names.joined(separator: ", ")) { text throws(ValueFault) in
            if names.contains(text) { return text }
            let nearest = Spelling.nearest(to: text, among: names).map { "; nearest: \($0)" } ?? ""
            throw ValueFault("expected one of " + names.joined(separator: ", ") + nearest)
        }
    }

    static func text(limit: Int) -> ValueType {
        ValueType("text of at most \(limit) bytes") { $0.utf8.count <= limit ? $0 : nil }
    }

    /// A short text for screens, on one line.
    static var title: ValueType {
        ValueType("text of at most 64 bytes, without control characters") { text in
            text.utf8.count <= 64 && text.onOneLine.isWritten(as: text) ? text : nil
        }
    }

    /// An absolute path. It is compared and opened exactly as written.
    static func absolutePath(limit: Int = 4095) -> ValueType {
        ValueType("an absolute path of at most \(limit) bytes") { Paths.isAbsolute($0, limit: limit) ? $0 : nil }
    }
}

extension ValueType where Value == [String] {
    /// A list of names, separated by spaces.
    static var identifiers: ValueType {
        ValueType("none, or names separated by spaces") { text in
            text == "none" ? [] : text.split(separator: " ").map(String.init)
        }
    }

    /// A list of addresses, each written like `[backend] origin`.
    static var origins: ValueType {
        let one = ValueType<Origin>.origin
        return ValueType("none, or up to 8 URLs separated by spaces, each \(one.form)") { text throws(ValueFault) in
            if text == "none" { return [] }
            var origins: [String] = []
            for word in text.split(separator: " ") { origins.append(try one.read(String(word)).description) }
            guard origins.count <= 8 else { throw ValueFault("expected at most 8 services") }
            return origins
        }
    }
}
