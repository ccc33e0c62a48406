// The tables, as a list of steps. Each step brings a store one version forward; all missing steps are taken in one
// transaction. A box can go back to the previous release, and that release uses the store as it is. Rules for a step:
//
// * A released step never changes. A change is a new step at the end.
// * A step adds tables with columns and a key, or columns of a bare type, such as `note TEXT`. `SchemaInspection` of the
//   previous release accepts nothing else. `about` stays as it is.
// * A new column is the last one of its `Relation`. NULL must be a valid value, because the previous release writes it.
//   That release may also delete rows to which rows of new tables belong. `tombstone` and `lapse` get no columns.
// * A new table has no login and no secret, and is `STRICT`. Each of its rows belongs to a row of an older table, and
//   counts only if it has a value of that row. The previous release neither reseals nor erases rows of the new table.
// * A value of an existing column stays readable for the previous release. Otherwise that release drops the row.
// * A new column is not in `bound`. Seal it if it must not be forged.
// * `needs` is at most the version of the previous release. Raise it only if earlier programs would do harm.

import Glibc

struct StoreSchema: Sendable {
    /// The ASCII text "PASS". It distinguishes our files from the files of other programs.
    static let applicationID: Int64 = 0x5041_5353

    var steps: [[String]]
    /// The lowest version that a program must know to use the store.
    var needs = 1
    var version: Int { steps.count }

    static let current = StoreSchema(steps: [first])
    #if DEBUG
        /// The current schema and a next step, for tests only. `ProfileTable.nextColumns` are its columns.
        static let trial = StoreSchema(
            steps: current.steps + [
                [
                    "ALTER TABLE profile ADD COLUMN note TEXT", "ALTER TABLE profile ADD COLUMN hint BLOB",
                    "CREATE TABLE more (id TEXT NOT NULL, kind TEXT, PRIMARY KEY (id, kind)) STRICT",
                ]
            ])
        /// One more step, which the current version cannot use.
        static let secondTrial = StoreSchema(
            steps: trial.steps + [["CREATE TABLE third (id TEXT) STRICT"]], needs: 2)
        /// The tests that interrupt a migration set the variable.
        static let trialName = getenv("PASSD_TRIAL_SCHEMA").map { String(cString: $0) }
        static let ofProgram = trialName == nil ? current : trialName == "second" ? secondTrial : trial
    #else
        static let ofProgram = current
    #endif

    /// The plain columns that the sealed values of their row are bound to (`SealedRowBinding`). They are part of the
    /// format: with any other list, no program can open the values that are on disks now.
    static let bound: [String: Set<String>] = [
        "device": ["id"], "registration": ["client_id", "access_token_ends"], "selection": ["can_authenticate"],
        "profile": ["issued_for", "kind", "issuer", "not_before", "not_after"],
        "open_login": ["provider", "not_before", "not_after"],
    ]

    /// The first step. Keys are plain, so that a store can be listed without unsealing. `Relation` names the sealed
    /// columns.
    private static let first = [
        "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
        "CREATE TABLE device (slot TEXT PRIMARY KEY, id TEXT NOT NULL, proof BLOB) STRICT",
        "CREATE TABLE device_key (slot TEXT PRIMARY KEY, pem BLOB NOT NULL) STRICT",
        """
        CREATE TABLE registration (
            app TEXT NOT NULL, statement TEXT NOT NULL, origin TEXT NOT NULL, interface TEXT NOT NULL,
            client_id TEXT NOT NULL, client_secret BLOB NOT NULL, access_token BLOB, access_token_ends INTEGER,
            PRIMARY KEY (app, statement, origin, interface)) STRICT
        """,
        """
        CREATE TABLE selection (
            requestor TEXT PRIMARY KEY, can_authenticate INTEGER NOT NULL, provider BLOB NOT NULL) STRICT
        """,
        """
        CREATE TABLE profile (
            app TEXT NOT NULL, statement TEXT NOT NULL, origin TEXT NOT NULL, interface TEXT NOT NULL,
            requestor TEXT NOT NULL, provider TEXT NOT NULL,
            issued_for TEXT NOT NULL, kind TEXT NOT NULL, issuer TEXT NOT NULL,
            not_before INTEGER NOT NULL, not_after INTEGER NOT NULL, attributes BLOB NOT NULL,
            PRIMARY KEY (app, statement, origin, interface, requestor, provider)) STRICT
        """,
        """
        CREATE TABLE open_login (
            app TEXT NOT NULL, statement TEXT NOT NULL, origin TEXT NOT NULL, interface TEXT NOT NULL,
            requestor TEXT NOT NULL,
            code BLOB NOT NULL, url BLOB NOT NULL, provider TEXT, not_before INTEGER NOT NULL,
            not_after INTEGER NOT NULL, session_id BLOB, details BLOB,
            PRIMARY KEY (app, statement, origin, interface, requestor)) STRICT
        """,
        """
        CREATE TABLE tombstone (
            app TEXT NOT NULL, statement TEXT NOT NULL, origin TEXT NOT NULL, interface TEXT NOT NULL,
            requestor TEXT NOT NULL, provider TEXT NOT NULL,
            PRIMARY KEY (app, statement, origin, interface, requestor, provider)) STRICT
        """,
        """
        CREATE TABLE lapse (
            app TEXT NOT NULL, statement TEXT NOT NULL, origin TEXT NOT NULL, interface TEXT NOT NULL,
            requestor TEXT NOT NULL, provider TEXT NOT NULL,
            PRIMARY KEY (app, statement, origin, interface, requestor, provider)) STRICT
        """,
    ]

    /// Takes all steps that the database has not taken yet, within the caller's transaction.
    func apply(to database: Database, from version: Int) throws(DatabaseFault) {
        guard (0..<self.version).contains(version) else { return }
        for statement in steps[version...].joined() { try database.run(statement) }
        try database.run(.about("schema", .text(String(self.version))))
        try database.run(.about("needs", .text(String(needs))))
        try database.run("PRAGMA application_id = \(Self.applicationID)")
        try database.run("PRAGMA user_version = \(self.version)")
    }

    /// The lowest version that a program must know to use this store. It is at most the version of the previous release. So
    /// that release can use the store even if this row is missing or damaged.
    static func needs(of database: Database, version: Int64) throws(DatabaseFault) -> Int64 {
        let highest = max(1, version - 1)
        let written = try database.about("needs").flatMap { Int64($0) } ?? highest
        return (1...highest).contains(written) ? written : highest
    }

    func migrate(_ database: Database, from version: Int) throws(DatabaseFault) {
        try database.transaction { () throws(DatabaseFault) in try apply(to: database, from: version) }
    }
}
