// Tests stores of other versions. An older store is migrated in one transaction, and a newer store is not touched.

import AccessEnabler
import Glibc
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §3, §5: schema version with forward migration") struct SchemaTests {
    private let folder = TemporaryDirectory(inMemory: true)

    @Test(arguments: [true, false]) func `a newer schema that this version cannot use is refused without touching it`(
        wasKilled: Bool
    ) throws {
        var newer = configuration(folder)
        newer.schema = .secondTrial
        let running = try Store(newer)
        try running.commit(Samples.changes)
        if !wasKilled { running.close() }
        let left = folder.copy()
        let names = left.names
        let before = names.map(left.read)

        let store = try Store(configuration(left))
        #expect(store.codes == ["vault-newer-schema"])
        #expect(!store.health.isPersistent)
        #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(3)) }
        #expect(store.contents.profiles.count == 3)
        store.close()
        #expect(left.names == names)
        // The lock file names its holder, which is this process in both cases.
        #expect(names.map(left.read) == before)

        newer.directory = left.path
        #expect(try Store(newer).described == described(Samples.contents))
    }

    @Test func `an older store is migrated`() throws {
        try fill(folder)
        var newer = configuration(folder)
        newer.schema = .trial
        newer.schema.steps.append(["CREATE TABLE third (id TEXT) STRICT"])
        let store = try Store(newer)
        #expect(store.health == VaultHealth(isPersistent: true, warnings: []))
        #expect(store.described == described(Samples.contents))
        try store.commit(Samples.crowd(1))
        store.close()
        #expect(try Store(newer).contents.profiles.count == 2)
        #expect(!folder.names.contains { $0.contains("schema") })
    }

    @Test func `an older store under another key is migrated, and unreadable rows are set aside`() throws {
        try fill(folder, credential: 1)
        var newer = configuration(folder, credential: 2)
        newer.schema = .trial
        let store = try Store(newer)
        #expect(store.codes == ["vault-key-changed"])
        try store.commit(Samples.crowd(1))
        let killed = folder.copy()
        newer.directory = killed.path
        #expect(try Store(newer).described == store.described)
    }

    @Test func `if a step fails, the store does not change`() throws {
        try fill(folder)
        var newer = configuration(folder)
        newer.schema.steps.append(StoreSchema.nextStep + ["CREATE TABLE profile (id TEXT)"])
        let store = try Store(newer)
        #expect(store.codes == ["vault-migration-failed"])
        #expect(folder.names == ["passd.db", "passd.db.mark", "passd.key", "passd.lock", "salt"])
        #expect(!store.health.isPersistent)
        store.close()
        #expect(try Store(configuration(folder)).described == described(Samples.contents))
    }

    @Test func `after a disk failure during the migration, passd waits for the disk`() throws {
        try #require(mkdir(folder.path + "/" + FaultyDisk.folder, 0o700) == 0)
        var configuration = configuration(folder)
        configuration.directory = folder.path + "/" + FaultyDisk.folder
        FaultyDisk.become(nil, in: folder)
        let former = try Store(configuration)
        try former.commit(Samples.changes)
        former.close()
        configuration.schema = .trial
        FaultyDisk.become(.syncing, in: folder)
        defer { FaultyDisk.become(nil, in: folder) }
        let patient = try Store(configuration)
        #expect(patient.codes == ["vault-migration-failed"])
        FaultyDisk.become(nil, in: folder)
        #expect(!patient.recover())
        patient.close()
        FaultyDisk.become(.syncing, in: folder)
        configuration.migrationRest = .zero
        let store = try Store(configuration)
        #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(1)) }
        FaultyDisk.become(nil, in: folder)
        #expect(store.recover() && store.codes == [])
        let expected = described((Samples.changes + Samples.crowd(1)).contents)
        #expect(store.described == expected)
        store.close()
        #expect(try Store(configuration).described == expected)
    }

    @Test(arguments: [StoreSchema.current, .trial, .secondTrial])
    func `a store after each step can be used by a program without this step`(schema: StoreSchema) throws {
        for version in 1..<schema.version {
            let database = try Database(":memory:", .orNew)
            try StoreSchema(steps: Array(schema.steps.prefix(version + 1))).migrate(database, from: 0)
            let former = StoreSchema(steps: Array(schema.steps.prefix(version)))
            #expect(SchemaInspection(database, former).fits(version: version + 1), "\(version + 1)")
        }
        #expect(schema.needs <= max(1, schema.version - 1))
    }

    /// Stores on disks have these tables. Add the steps of each release; never change one.
    private static let released = [
        [
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
    ]

    @Test func `a released step never changes`() throws {
        for version in 1...Self.released.count {
            let database = try Database(":memory:", .orNew)
            for statement in Self.released[..<version].joined() { try database.run(statement) }
            #expect(SchemaInspection(database, .current).fits(version: version), "\(version)")
        }
    }

    @Test(arguments: [StoreSchema.current, .trial]) func `every version has a step`(schema: StoreSchema) {
        for (version, step) in zip(1..., schema.steps) { #expect(!step.isEmpty, "\(version)") }
    }

    @Test func `a column of a later version accepts NULL, which earlier versions write`() {
        func test<R: Relation>(_: R.Type) {
            for column in R.columns where column.since > 1 {
                var value = R.blank
                let isRead = column.set(&value, .null)
                #expect(isRead && column.isOptional, "\(column.name)")
            }
        }
        for relation in relations { test(relation) }
    }

    @Test func `every relation has the columns of its table`() throws {
        try fill(folder)
        let database = try Database(folder.path + "/passd.db", .existing)
        for relation in relations {
            var names: [String] = []
            try database.query("SELECT name FROM pragma_table_info('\(relation.table)') ORDER BY cid") { row in
                names += row.compactMap(\.text)
                return true
            }
            #expect(names == relation.keyColumns + relation.columnNames)
        }
    }
}
