// Tests stores of other versions: an older one is migrated after a copy was set aside, a newer one is not touched.

import AccessEnabler
import Glibc
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §3, §5: schema version with forward migration") struct SchemaTests {
    private let folder = TemporaryDirectory(inMemory: true)

    private static let next = ["ALTER TABLE profile ADD COLUMN note TEXT", "CREATE TABLE more (id TEXT) STRICT"]

    @Test(arguments: [true, false]) func `a newer schema is refused without touching it`(wasKilled: Bool) throws {
        var newer = configuration(folder)
        newer.schema.steps.append(Self.next)
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

    @Test func `an older store is brought forward, and a copy of it is set aside`() throws {
        try fill(folder)
        var newer = configuration(folder)
        newer.schema.steps += [Self.next, ["CREATE TABLE third (id TEXT) STRICT"]]
        let store = try Store(newer)
        #expect(store.health == VaultHealth(isPersistent: true, warnings: []))
        #expect(store.described == described(Samples.contents))
        try store.commit(Samples.crowd(1))
        store.close()
        #expect(try Store(newer).contents.profiles.count == 2)

        let backup = "passd.db.schema-\(StoreSchema.current.version)-20261121T153000Z"
        #expect(folder.mode(of: backup) == 0o600)
        let earlier = folder.copy()
        earlier.write(folder.read(backup), to: "passd.db")
        #expect(try Store(configuration(earlier)).described == described(Samples.contents))
    }

    @Test func `an older store under another key is brought forward, and what cannot be opened set aside`() throws {
        try fill(folder, credential: 1)
        var newer = configuration(folder, credential: 2)
        newer.schema.steps.append(Self.next)
        let store = try Store(newer)
        #expect(store.codes == ["vault-key-changed"])
        try store.commit(Samples.crowd(1))
        let killed = folder.copy()
        newer.directory = killed.path
        #expect(try Store(newer).described == store.described)
    }

    @Test func `a step that fails leaves the store as it was`() throws {
        try fill(folder)
        var newer = configuration(folder)
        newer.schema.steps += [Self.next + ["CREATE TABLE profile (id TEXT)"]]
        let store = try Store(newer)
        #expect(store.codes == ["vault-migration-failed"])
        #expect(folder.names == ["passd.db", "passd.db.mark", "passd.key", "passd.lock"])
        #expect(!store.health.isPersistent)
        store.close()
        #expect(try Store(configuration(folder)).described == described(Samples.contents))
    }

    @Test func `a disk that fails in the middle of it is waited for`() throws {
        try #require(mkdir(folder.path + "/" + FaultyDisk.folder, 0o700) == 0)
        var configuration = configuration(folder)
        configuration.directory = folder.path + "/" + FaultyDisk.folder
        FaultyDisk.become(nil, in: folder)
        let former = try Store(configuration)
        try former.commit(Samples.changes)
        former.close()
        configuration.schema.steps.append(Self.next)
        FaultyDisk.become(.syncing, in: folder)
        defer { FaultyDisk.become(nil, in: folder) }
        // Each attempt writes a copy, so there are only few attempts.
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

    @Test(arguments: [true, false]) func `a kill in the middle of it leaves one copy, and a whole one`(
        isForward: Bool
    ) throws {
        try fill(folder)
        let before = folder.read("passd.db")
        var newer = configuration(folder)
        newer.schema.steps.append(Self.next)
        let stem = "passd.db.schema-\(StoreSchema.current.version)"
        if isForward {
            let store = try Store(newer)
            store.close()
            // The copy does not have its final name yet.
            try #require(rename(folder.path + "/\(stem)-20261121T153000Z", folder.path + "/\(stem).new") == 0)
        } else {
            folder.write(Array(before.prefix(5_000)), to: stem + ".new")
        }
        let store = try Store(newer)
        #expect(store.described == described(Samples.contents) && store.codes == [])
        store.close()
        #expect(folder.names.filter { $0.contains("schema") } == [stem + "-20261121T153000Z"])
        let earlier = TemporaryDirectory(inMemory: true)
        earlier.write(folder.read("passd.key"), to: "passd.key")
        earlier.write(folder.read(stem + "-20261121T153000Z"), to: "passd.db")
        earlier.setMode(of: "passd.key", to: 0o600)
        #expect(try Store(configuration(earlier)).described == described(Samples.contents))
    }

    @Test func `every relation has the columns that its table has`() throws {
        try fill(folder)
        let database = try Database(folder.path + "/passd.db", .existing)
        for relation in relations {
            var names: [String] = []
            try database.query("SELECT name FROM pragma_table_info('\(relation.table)') ORDER BY cid") { row in
                names += row.compactMap(\.text)
                return true
            }
            #expect(names == relation.keyColumns + relation.columns.map(\.name))
        }
    }

    @Test func `a store of version 1 has no device key, and takes one`() throws {
        try fill(folder)
        let database = try Database(folder.path + "/passd.db", .existing)
        try database.trust()
        for statement in [
            "DROP TABLE device_key", "ALTER TABLE device DROP COLUMN proof",
            "ALTER TABLE open_login DROP COLUMN details", "DROP TABLE lapse",
            "UPDATE about SET value = '1' WHERE name = 'schema'", "PRAGMA user_version = 1",
        ] { try database.run(statement) }
        database.abandon()
        let store = try Store(configuration(folder))
        var contents = Samples.contents
        contents.deviceKey = nil
        #expect(store.codes == [] && store.described == described(contents))
        try store.commit([.deviceKey(Secret("hush"))])
        store.close()
        #expect(try Store(configuration(folder)).contents.deviceKey?.reveal() == "hush")
    }

    @Test(arguments: [
        (0, 5_015_680_901_299_698_036), (1, 12_147_513_876_875_110_718), (2, 5381), (3, 8_549_259_962_072_437_085),
        (4, 7_953_235_318_740_677_495),
    ])
    func `a version is never changed: stores of it exist`(index: Int, wanted: UInt64) {
        let sum = StoreSchema.current.steps[index].joined(separator: ";").utf8.reduce(5381) { ($0 &* 33) ^ UInt64($1) }
        #expect(sum == wanted)
    }
}
