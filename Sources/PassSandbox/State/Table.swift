// A table of rows by key. It knows which keys have changed since they were last written.

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

/// A key made of several parts. The parts are encoded, so that a blank in one does not separate parts.
func rowKey(_ parts: String...) -> String { parts.map(percentEncoded).joined(separator: " ") }
