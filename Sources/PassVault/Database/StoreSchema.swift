// The tables, as a list of steps. Each step brings a store one version forward; all missing steps are taken in one
// transaction. A released step is never changed; changes are new steps at the end. A step adds only what the previous
// release does not need, so that a box can go back to that release.

struct StoreSchema: Sendable {
    /// The ASCII text "PASS", which tells our files from those of other programs.
    static let applicationID: Int64 = 0x5041_5353

    var steps: [[String]]
    var version: Int { steps.count }

    static let current = StoreSchema(steps: [first])
    #if DEBUG
        /// The current schema and a next step, for tests only.
        static let trial = StoreSchema(
            steps: [first, ["ALTER TABLE profile ADD COLUMN note TEXT", "CREATE TABLE more (id TEXT) STRICT"]])
    #endif

    /// Keys are plain, so that a store can be listed without unsealing anything. `Relation` says which columns are
    /// sealed.
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
        try database.run(
            """
            INSERT INTO about (name, value) VALUES ('schema', ?) \
            ON CONFLICT DO UPDATE SET value = excluded.value
            """, [.text(String(self.version))])
        try database.run("PRAGMA application_id = \(Self.applicationID)")
        try database.run("PRAGMA user_version = \(self.version)")
    }

    func migrate(_ database: Database, from version: Int) throws(DatabaseFault) {
        try database.transaction { () throws(DatabaseFault) in try apply(to: database, from: version) }
    }
}
