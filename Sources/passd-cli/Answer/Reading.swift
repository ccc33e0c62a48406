// Members of the daemon's answers, in a form for people.

import PassJSON
import PassProtocol

extension JSONValue {
    /// A text on one line.
    func text(_ name: String) -> String? { self[name]?.string?.onOneLine }
    /// A text on one line; empty if there is none.
    func word(_ name: String) -> String { text(name) ?? "" }
    func time(_ name: String) -> String? { self[name]?.int64.map(Moment.text) }
    func holds(_ name: String) -> Bool { self[name]?.bool == true }
    func list(_ name: String) -> [JSONValue] { self[name]?.array ?? [] }
    func texts(_ name: String) -> [String] { list(name).compactMap { $0.string?.onOneLine } }

    /// The members of an object.
    var members: [JSONObject.Member] { object?.members ?? [] }

    /// The value with all its texts on one line and without control characters.
    var onOneLine: JSONValue {
        switch self {
        case .string(let text): .string(text.onOneLine)
        case .array(let items): .array(items.map(\.onOneLine))
        case .object(let object):
            .object(JSONObject(object.members.map { ($0.name.onOneLine, $0.value.onOneLine) }))
        case .null, .bool, .number: self
        }
    }
}

func counted(_ count: Int64, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }
