// One kind of thing the service remembers, by key. A table knows which keys changed since they were last written
// down.

struct Table<Row: Codable & Sendable>: Sendable {
    private(set) var rows: [String: Row] = [:]
    private(set) var changed: Set<String> = []

    subscript(key: String) -> Row? {
        get { rows[key] }
        set {
            guard newValue != nil || rows[key] != nil else { return }
            rows[key] = newValue
            changed.insert(key)
        }
    }

    mutating func removeAll(where matches: (Row) -> Bool) {
        for (key, row) in rows where matches(row) { self[key] = nil }
    }

    mutating func clear() { removeAll { _ in true } }

    mutating func restore(_ key: String, _ row: Row?) { rows[key] = row }

    mutating func markWritten() { changed = [] }
}

/// A key made of parts, of which a blank in one cannot be taken for the end of it.
func rowKey(_ parts: String...) -> String { parts.map(percentEncoded).joined(separator: " ") }
