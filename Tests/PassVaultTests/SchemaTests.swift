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
        newer.schema.steps.append(StoreSchema.trial.steps[1] + ["CREATE TABLE profile (id TEXT)"])
        let store = try Store(newer)
        #expect(store.codes == ["vault-migration-failed"])
        #expect(folder.names == ["passd.db", "passd.db.mark", "passd.key", "passd.lock"])
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
