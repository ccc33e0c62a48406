// Reads members of params that the schema has accepted. `text` and `texts` throw only if a caller has skipped the check by the
// schema.

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

    /// Throws if a text, any text of an array, or all names and values of a map together have more than `limit` bytes. passd
    /// keeps these texts for the client, so their size is limited.
    func limit(_ name: String, to limit: Int) throws(SchemaFault) {
        func check(_ size: Int, _ path: @autoclosure () -> String) throws(SchemaFault) {
            if size > limit { throw SchemaFault(path: path(), expected: "at most \(limit) bytes", found: "\(size)") }
        }
        switch self[name] {
        case .string(let text): try check(text.utf8.count, name)
        case .array(let items):
            for (index, item) in items.enumerated() { try check(item.string?.utf8.count ?? 0, "\(name)[\(index)]") }
        case .object(let map):
            try check(map.members.reduce(0) { $0 + $1.name.utf8.count + ($1.value.string?.utf8.count ?? 0) }, name)
            // Swift treats canonically equivalent names as equal, so one of two such names would be lost in the dictionary.
            guard Set(map.members.map(\.name)).count == map.members.count else {
                throw SchemaFault(
                    path: name, expected: "a map of different names",
                    found: "the same name twice, spelt with different characters")
            }
        default: break
        }
    }

    /// Throws if a text has a control character. Such texts go to the service unchanged, in a header or an address.
    func refuseControlCharacters(_ name: String) throws(SchemaFault) {
        let hasControl = self[name]?.string?.unicodeScalars.contains { $0.properties.generalCategory == .control }
        if hasControl == true {
            throw SchemaFault(path: name, expected: "text without control characters", found: "a control character")
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

    /// Makes JSON of the map, sorted by name, so that equal maps have equal texts. Nil if the map is empty.
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
