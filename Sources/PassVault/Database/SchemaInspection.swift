// Compares what a database file contains with what passd itself creates. A view can look like a table and have endless
// rows, and a trigger or an index can run expressions from the file. SQLite's integrity check accepts all of them.
// Tables of a file may be read only after this inspection.

import AccessEnabler

struct SchemaInspection {
    /// An entry of `sqlite_master`.
    private struct Entry: Hashable {
        let type: String
        let name: String
        let table: String
        /// Without white space, which has no meaning in our statements.
        let definition: String

        init?(_ row: [SQLValue]) {
            let texts = row.prefix(3).compactMap(\.text)
            guard texts.count == 3, row.count == 4, row[3] == .null || row[3].text != nil else { return nil }
            (type, name, table) = (texts[0], texts[1], texts[2])
            definition = String(decoding: (row[3].text ?? "").utf8.filter { $0 > 0x20 }, as: UTF8.self)
        }
    }

    /// What passd creates, for each version of the schema, beginning with an empty one.
    private let versions: [Set<Entry>]
    private let found: Set<Entry>
    /// Whether all entries of the file are in `found`.
    private let isWhole: Bool
    /// Whether the schema takes too long to read.
    let isInterrupted: Bool
    /// Many times what passd creates.
    private static let maxEntries = 100

    /// Reads the readable entries. If some are unreadable, no version fits.
    init(_ database: Database, _ schema: StoreSchema) {
        versions = Self.versions(of: schema)
        (found, isWhole, isInterrupted) = Self.entries(of: database)
    }

    /// Whether the file has exactly the entries that passd creates for this version.
    func fits(version: Int) -> Bool { versions.indices.contains(version) && isWhole && found == versions[version] }

    /// The tables whose definition matches some version.
    var ownTables: Set<String> {
        let known = versions.reduce(into: Set<Entry>()) { $0.formUnion($1) }
        return Set(found.intersection(known).filter { $0.type == "table" }.map(\.name))
    }

    /// Without the versions that cannot be made.
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
