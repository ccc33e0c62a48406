// Reads members of params that the schema has accepted. The throwing functions cannot fail after validation; they only
// guard against a caller that skipped the validation.

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

    /// Throws if a text is longer than `limit` bytes, because it is kept for the client.
    func limit(_ name: String, to limit: Int) throws(SchemaFault) {
        guard let text = self[name]?.string, text.utf8.count > limit else { return }
        throw SchemaFault(path: name, expected: "at most \(limit) bytes", found: "\(text.utf8.count)")
    }

    /// Throws if a text has a control character. For texts that go to the service unchanged, in a header or an address.
    func refuseControlCharacters(_ name: String) throws(SchemaFault) {
        let hasControl = self[name]?.string?.unicodeScalars.contains { $0.properties.generalCategory == .control }
        if hasControl == true {
            throw SchemaFault(path: name, expected: "text without control characters", found: "a control character")
        }
    }

    /// Throws if any text in an array is longer than `limit` bytes.
    func limitEach(_ name: String, to limit: Int) throws(SchemaFault) {
        for (index, item) in (self[name]?.array ?? []).enumerated() {
            guard let size = item.string?.utf8.count, size > limit else { continue }
            throw SchemaFault(path: "\(name)[\(index)]", expected: "at most \(limit) bytes", found: "\(size)")
        }
    }

    /// Throws if the names and values of a map together are longer than `limit` bytes.
    func limitMap(_ name: String, to limit: Int) throws(SchemaFault) {
        let size = (self[name]?.object?.members ?? []).reduce(0) { sum, member in
            sum + member.name.utf8.count + (member.value.string?.utf8.count ?? 0)
        }
        guard size <= limit else {
            throw SchemaFault(path: name, expected: "at most \(limit) bytes", found: "\(size)")
        }
        // Swift treats canonically equivalent names as equal, so one of these names would be lost.
        let names = (self[name]?.object?.members ?? []).map(\.name)
        guard Set(names).count == names.count else {
            throw SchemaFault(
                path: name, expected: "a map of different names",
                found: "the same name twice, spelt with different characters")
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
    /// Reads a map of strings, such as `data`.
    func textMap(_ name: String) -> [String: String] {
        let members = self[name]?.object?.members ?? []
        return Dictionary(members.compactMap { member in member.value.string.map { (member.name, $0) } }) { $1 }
    }

    /// Nil if the map is empty. Sorted by name, so that equal maps have equal texts.
    static func textMap(_ map: [String: String]) -> JSONValue? {
        map.isEmpty ? nil : .object(JSONObject(map.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    }
}

extension JSONValue {
    /// The object's members, followed by further members.
    func adding(_ members: [(String, JSONValue)]) -> JSONValue {
        var object = object ?? JSONObject()
        for (name, value) in members { object.append(name, value) }
        return .object(object)
    }
}
