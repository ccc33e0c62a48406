// The versions of the tables, made from the columns of each `Relation`. Each step brings a store one version forward; all
// missing steps are taken in one transaction. A box can go back to the previous release, and that release uses the store as
// it is. Rules:
//
// * A released step never changes: a released column keeps its name, its type and `since`. A test compares the released steps.
// * A step adds tables with columns and a key, or columns of a bare type, such as `note TEXT`. `SchemaInspection` of the
//   previous release accepts nothing else. The table `about` never changes.
// * A new column is the last one of its `Relation`, and its `since` is the next version. NULL must be a valid value, because
//   the previous release writes it. The previous release may also delete an older row to which a row of a new table belongs.
//   `tombstone` and `lapse` get no columns.
// * A new table needs a `since` in its `Relation`. `Relation` has no such property yet. The new table has no login and no
//   secret, and is `STRICT`. Each of its rows belongs to a row of an older table. The new row repeats a value of the older row,
//   and counts only while both values are equal. The previous release neither reseals nor erases rows of the new table.
// * A value of an existing column stays readable for the previous release. Otherwise that release drops the row.
// * Sealed values are not bound to a new column. Seal the column if it must not be forged.
// * `needs` is at most the version of the previous release. Raise it only if earlier programs would do harm.

import Glibc

struct StoreSchema: Sendable {
    /// The ASCII text "PASS". This number distinguishes our files from the files of other programs.
    static let applicationID: Int64 = 0x5041_5353

    var steps: [[String]]
    /// The lowest version that a program must know to use the store.
    var needs = 1
    var version: Int { steps.count }

    #if DEBUG
        static let current = ProfileTable.$nextColumns.withValue([]) { StoreSchema(steps: steps()) }
        /// The current schema and a next step, for tests only: the columns `ProfileTable.trialColumns`, and a table.
        static let trial = ProfileTable.$nextColumns.withValue(ProfileTable.trialColumns) {
            var schema = StoreSchema(steps: steps())
            schema.steps[current.version].append(
                "CREATE TABLE more (id TEXT NOT NULL, kind TEXT, PRIMARY KEY (id, kind)) STRICT")
            return schema
        }
        /// The trial schema with one more step. The current version cannot use a store with this step.
        static let secondTrial = StoreSchema(
            steps: trial.steps + [["CREATE TABLE third (id TEXT) STRICT"]], needs: current.version + 1)
        /// The tests that interrupt a migration set this environment variable.
        static let trialName = getenv("PASSD_TRIAL_SCHEMA").map { String(cString: $0) }
        static let ofProgram = trialName == nil ? current : trialName == "second" ? secondTrial : trial
    #else
        static let current = StoreSchema(steps: steps())
        static let ofProgram = current
    #endif

    /// Makes the steps from the columns of all tables. Keys are plain, so that a store can be listed without unsealing.
    private static func steps() -> [[String]] {
        var steps = (1...(relations.map { $0.version }.max() ?? 1)).map { version in
            relations.flatMap { $0.statements(of: version) }
        }
        steps[0].insert("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT", at: 0)
        return steps
    }

    /// Takes all steps that the database has not taken yet, within the caller's transaction.
    func apply(to database: Database, from version: Int) throws(DatabaseFault) {
        guard (0..<self.version).contains(version) else { return }
        for statement in steps[version...].joined() { try database.run(statement) }
        try database.run(.about("schema", .text(String(self.version))))
        try database.run(.about("needs", .text(String(needs))))
        try database.run("PRAGMA application_id = \(Self.applicationID)")
        try database.run("PRAGMA user_version = \(self.version)")
    }

    /// The lowest version that a program must know to use this store. If the store does not record it, returns the version
    /// before the store's own, so that the previous release can use the store.
    static func needs(of database: Database, version: Int64) throws(DatabaseFault) -> Int64 {
        let highest = max(1, version - 1)
        let written = try database.about("needs").flatMap { Int64($0) } ?? highest
        return (1...highest).contains(written) ? written : highest
    }

    func migrate(_ database: Database, from version: Int) throws(DatabaseFault) {
        try database.transaction { () throws(DatabaseFault) in try apply(to: database, from: version) }
    }
}

extension Relation {
    /// The newest version that added a column.
    static var version: Int { columns.map(\.since).max() ?? 1 }

    /// The statements of a step. The first step creates the table.
    static func statements(of version: Int) -> [String] {
        let added = columns.filter { $0.since == version }
        guard version == 1 else { return added.map { "ALTER TABLE \(table) ADD COLUMN \($0.name) \($0.type)" } }
        let values = added.map { "\($0.name) \($0.type)" + ($0.isOptional ? "" : " NOT NULL") }
        let parts =
            keyColumns.count == 1
            ? keyColumns.map { "\($0) TEXT PRIMARY KEY" } + values
            : keyColumns.map { "\($0) TEXT NOT NULL" } + values
                + ["PRIMARY KEY (\(keyColumns.joined(separator: ", ")))"]
        return ["CREATE TABLE \(table) (\(parts.joined(separator: ", "))) STRICT"]
    }

    fileprivate static var listed: StoreTable {
        StoreTable(name: table, key: keyColumns, columns: columns.map { ($0.name, $0.isSealed, $0.isOptional) })
    }
}

/// A table of the store, as docs/storage-layouts.md lists it.
package struct StoreTable: Sendable {
    package let name: String
    package let key: [String]
    package let columns: [(name: String, isSealed: Bool, isOptional: Bool)]

    /// All tables except `about`.
    package static let all = relations.map { $0.listed }
    /// The version of the schema.
    package static let version = StoreSchema.current.version
}
