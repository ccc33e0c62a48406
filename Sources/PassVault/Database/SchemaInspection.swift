// Compares the schema of a database file with the schemas that passd itself creates. This inspection comes before any table is
// read, because the file may contain traps. A view may look like a table and have endless rows. A trigger or an index may run
// expressions from the file. SQLite's integrity check accepts such traps.

import AccessEnabler

struct SchemaInspection {
    /// An entry of `sqlite_master`.
    private struct Entry: Hashable {
        let type: String
        let name: String
        let table: String
        /// The words and signs of the entry's definition; empty for an index that SQLite makes for a key.
        let tokens: [String]

        init?(_ row: [SQLValue]) {
            let texts = row.prefix(3).compactMap(\.text)
            guard texts.count == 3, row.count == 4, row[3] == .null || row[3].text != nil else { return nil }
            (type, name, table) = (texts[0], texts[1], texts[2])
            tokens = (row[3].text ?? "").utf8.flatMap { "(),".utf8.contains($0) ? [0x20, $0, 0x20] : [$0] }
                .split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
        }

        private static let types: Set = ["TEXT", "INTEGER", "BLOB"]
        private static let words = types.union(["NOT", "NULL", "PRIMARY", "KEY", ")", ",", "STRICT"])

        /// Whether the entry is a table with columns and a key, and without any expression.
        var isPlainTable: Bool {
            guard type == "table", tokens.starts(with: ["CREATE", "TABLE", name, "("]),
                tokens.suffix(2) == [")", "STRICT"]
            else { return false }
            return zip(tokens[3...], tokens[4...]).allSatisfy { former, token in
                if token == "(" { return former == "KEY" }
                return Self.words.contains(token)
                    || (former == "(" || former == ",") && token.utf8.first.map { (0x61...0x7a).contains($0) } == true
                        && token.utf8.allSatisfy {
                            (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5f
                        }
            }
        }

        /// Whether this entry is the table `other`, perhaps with more columns. `ALTER TABLE` adds columns at the end, or before
        /// a key of several columns.
        func extends(_ other: Entry) -> Bool {
            let old = other.tokens
            let place = old.indices.first { old[$0...].starts(with: [",", "PRIMARY"]) } ?? max(0, old.count - 2)
            guard type == other.type, name == other.name, tokens.count >= old.count,
                tokens.starts(with: old[..<place]), tokens.suffix(old.count - place) == old[place...]
            else { return false }
            let added = tokens[place...].dropLast(old.count - place)
            return added.count.isMultiple(of: 3)
                && zip(0..., added).allSatisfy { $0 % 3 == 0 ? $1 == "," : $0 % 3 == 1 || Self.types.contains($1) }
        }
    }

    /// The entries that passd creates, for each version of the schema. Version 0 is a database without entries.
    private let versions: [Set<Entry>]
    private let found: Set<Entry>
    /// Whether all entries of the file are in `found`.
    private let isWhole: Bool
    /// Whether the schema takes too long to read.
    let isInterrupted: Bool
    /// The max number of entries. passd creates far fewer.
    private static let maxEntries = 100

    /// Reads the entries. If some are unreadable, no version fits.
    init(_ database: Database, _ schema: StoreSchema) {
        versions = Self.versions(of: schema)
        (found, isWhole, isInterrupted) = Self.entries(of: database)
    }

    /// Whether the file has exactly the entries that passd creates for this version. A newer version may have further
    /// tables and columns, by the rules of `StoreSchema`.
    func fits(version: Int) -> Bool {
        guard let newest = versions.last, isWhole else { return false }
        if versions.indices.contains(version) { return found == versions[version] }
        let tables = Set(found.filter(\.isPlainTable).map(\.name))
        return newest.allSatisfy { own in found.contains { $0.extends(own) } }
            && found.allSatisfy { tables.contains($0.table) && ($0.isPlainTable || $0.tokens.isEmpty) }
    }

    /// The tables that some version of the schema has, perhaps with more columns.
    var ownTables: Set<String> {
        let known = versions.joined().filter(\.isPlainTable)
        return Set(found.filter { table in table.isPlainTable && known.contains { table.extends($0) } }.map(\.name))
    }

    /// The entries of each version. Versions that cannot be made are left out.
    private static func versions(of schema: StoreSchema) -> [Set<Entry>] {
        guard let model = try? Database(":memory:", .orNew) else { return [] }
        var versions = [entries(of: model).found]
        for step in schema.steps {
            guard (try? step.forEach { try model.run($0) }) != nil else { break }
            versions.append(entries(of: model).found)
        }
        return versions
    }

    private static func entries(of database: Database) -> (found: Set<Entry>, isWhole: Bool, isInterrupted: Bool) {
        var found: Set<Entry> = []
        var isWhole = true
        var isInterrupted = false
        do throws(DatabaseFault) {
            try database.query("SELECT type, name, tbl_name, sql FROM sqlite_master") { row in
                let entry = Entry(row)
                entry.map { _ = found.insert($0) }
                if entry == nil || found.count > maxEntries { isWhole = false }
                return found.count <= maxEntries
            }
        } catch {
            isWhole = false
            isInterrupted = error.isInterruption
        }
        return (found, isWhole, isInterrupted)
    }
}
