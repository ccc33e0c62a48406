// Reads members of params that the schema has accepted. After validation the throwing functions cannot fail; they also
// protect callers that skipped it.

import PassJSON

extension JSONValue {
    func text(_ name: String) throws(SchemaFault) -> String {
        guard let text = self[name]?.string else { throw missing(name, "a string") }
        return text
    }

    func texts(_ name: String) throws(SchemaFault) -> [String] {
        guard let items = self[name]?.array else { throw missing(name, "an array of strings") }
        return items.compactMap(\.string)
    }

    func missing(_ name: String, _ expected: String) -> SchemaFault {
        SchemaFault(path: name, expected: expected, found: self[name]?.kind ?? "absent")
    }

    /// Refuses a text that is longer than a client has any use for, because it will be kept.
    func limit(_ name: String, to most: Int) throws(SchemaFault) {
        guard let text = self[name]?.string, text.utf8.count > most else { return }
        throw SchemaFault(path: name, expected: "at most \(most) bytes", found: "\(text.utf8.count)")
    }

    /// The same for each text of an array.
    func limitEach(_ name: String, to most: Int) throws(SchemaFault) {
        for (index, item) in (self[name]?.array ?? []).enumerated() {
            guard let size = item.string?.utf8.count, size > most else { continue }
            throw SchemaFault(path: "\(name)[\(index)]", expected: "at most \(most) bytes", found: "\(size)")
        }
    }

    /// The same for a map of strings: all names and values together.
    func limitMap(_ name: String, to most: Int) throws(SchemaFault) {
        let size = (self[name]?.object?.members ?? []).reduce(0) { sum, member in
            sum + member.name.utf8.count + (member.value.string?.utf8.count ?? 0)
        }
        guard size <= most else {
            throw SchemaFault(path: name, expected: "at most \(most) bytes", found: "\(size)")
        }
        // Swift treats canonically equivalent names as equal, so one of them would be lost.
        let names = (self[name]?.object?.members ?? []).map(\.name)
        guard Set(names).count == names.count else {
            throw SchemaFault(path: name, expected: "a map of different names", found: "one name in two spellings")
        }
    }

    func optionalText(_ name: String) -> String? { self[name]?.string }

    func optionalTexts(_ name: String) -> [String]? { self[name]?.array?.compactMap(\.string) }

    func flag(_ name: String, default fallback: Bool) -> Bool { self[name]?.bool ?? fallback }

    func choice<Word: RawRepresentable<String>>(_ name: String, default fallback: Word) -> Word {
        self[name]?.string.flatMap(Word.init(rawValue:)) ?? fallback
    }
}

extension JSONValue {
    /// A map of strings, such as `data`.
    func textMap(_ name: String) -> [String: String] {
        let members = self[name]?.object?.members ?? []
        return Dictionary(members.compactMap { member in member.value.string.map { (member.name, $0) } }) { $1 }
    }

    /// Nil if the map is empty. Sorted by name, so that equal maps give equal texts.
    static func textMap(_ map: [String: String]) -> JSONValue? {
        map.isEmpty ? nil : .object(JSONObject(map.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    }
}
