// Tests rollbacks: an older version of passd opens the store of a newer one. The next version has one more plain and one more
// sealed column in its table of logins, and one more table. This version uses the next version's stores and backups, and no
// login is lost.

import AccessEnabler
import Glibc
import PassTestTools
import Synchronization
import Testing

@testable import PassVault

@Suite("architecture §3, ruling 56: back to an earlier version") struct RollbackTests {
    private let folder = TemporaryDirectory(inMemory: true)
    private static let copy = "passd.db.schema-\(StoreSchema.current.needs)"
    private static let version = Int64(StoreSchema.trial.version)

    private func open() throws -> Store { try Store(configuration(folder, credential: 1)) }

    /// What the next version does.
    private func next<Result>(
        _ schema: StoreSchema = .trial, _ change: (inout VaultConfiguration) -> Void = { _ in },
        _ body: (Store) throws -> Result
    ) throws -> Result {
        var next = configuration(folder, credential: 1)
        next.schema = schema
        change(&next)
        return try ProfileTable.$nextColumns.withValue(ProfileTable.trialColumns) { try body(try Store(next)) }
    }

    private func read(_ query: String) throws -> SQLValue? {
        try Database(folder.path + "/passd.db", .existing).value(query)
    }

    @Test func `forward, back and forward again: logins are kept, and so are rows of the next version`() throws {
        try fill(folder, Samples.changes + Samples.crowd(3), credential: 1)
        try next { store in
            #expect(store.codes == [] && store.health.isPersistent && store.examine())
            #expect(store.described == described((Samples.changes + Samples.crowd(3)).contents))
            try store.commit([.profile(Samples.crowdKey(3), Samples.profile)])
            try store.commit([.profile(Samples.crowdKey(0), Samples.profile)])
            store.close()
        }
        let notes = "SELECT count(*) FROM profile WHERE note = 'next note' AND hint IS NOT NULL"
        #expect(try read(notes)?.integer == 2 && read("PRAGMA user_version")?.integer == Self.version)

        let back = try open()
        #expect(back.codes == [] && back.health.isPersistent && back.examine())
        #expect(back.described == described((Samples.changes + Samples.crowd(4)).contents))
        var longer = Samples.profile
        longer.notAfter = ServerTime(milliseconds: 1_799_000_000_000)
        try back.commit([
            .profile(Samples.crowdKey(0), longer), .profile(Samples.crowdKey(1), nil),
            .profile(Samples.crowdKey(4), Samples.profile), .tombstone(Samples.crowdKey(1), true),
        ])
        let left = back.described
        back.close()
        #expect(
            try read(notes)?.integer == 1,
            "a row that this version has rewritten has no values of the next version any more")
        #expect(try read("PRAGMA user_version")?.integer == Self.version)

        try next { store in
            #expect(store.codes == [] && store.described == left && store.examine())
            store.close()
        }
        #expect(try open().described == left)
    }

    @Test func `each version restores the backup of the other`() throws {
        try fill(folder, credential: 1)
        let store = try open()
        let (backup, whole) = (try store.backUp().text, store.described)
        try store.commit([.openLogin(Samples.loginKey, nil), .profile(Samples.profileKey, nil)])
        store.close()
        let nextBackup = try next { store in
            let contents = try store.restore(backup)
            #expect(contents.profiles == Samples.contents.profiles)
            return try next { try $0.backUp().text }
        }
        try fill(folder, [.profile(Samples.profileKey, nil), .tombstone(Samples.profileKey, true)], credential: 1)
        _ = try open().restore(nextBackup)
        try fill(folder, [.openLogin(Samples.loginKey, Samples.login)], credential: 1)
        let again = try open()
        #expect(again.codes == [] && again.described == whole)
    }

    @Test func `two versions back, the store is refused, and the warning names the kept copy and its use`() throws {
        try fill(folder, credential: 1)
        try next { $0.close() }
        #expect(!folder.names.contains(Self.copy))
        try next(.secondTrial) { store in
            #expect(store.codes == [])
            try store.commit(Samples.crowd(2))
            store.close()
        }
        #expect(folder.names == [Self.copy, "passd.db", "passd.db.mark", "passd.lock", "salt"].sorted())
        #expect(folder.mode(of: Self.copy) == 0o600)
        try next { #expect($0.codes == [] && $0.contents.profiles.count == 3, "one version back") }

        let before = folder.read("passd.db")
        let refused = try open()
        #expect(refused.codes == ["vault-newer-schema"] && !refused.health.isPersistent)
        let warning = try #require(refused.health.warnings.first)
        #expect(warning.message.contains("\(folder.path)/\(Self.copy) is a copy from before the upgrade"))
        #expect(warning.remedy.contains("rename \(folder.path)/\(Self.copy) to \(folder.path)/passd.db"))
        refused.close()
        #expect(folder.read("passd.db") == before)

        folder.remove("passd.db")
        try #require(rename(folder.path + "/" + Self.copy, folder.path + "/passd.db") == 0)
        let returned = try open()
        #expect(returned.codes == ["vault-older"] && returned.health.isPersistent)
        #expect(returned.described == described(Samples.contents))
    }

    @Test func `no room for the copy stops the migration, and the logins can be used`() throws {
        try fill(folder, credential: 1)
        try #require(mkdir(folder.path + "/" + Self.copy, 0o700) == 0)
        try next(.secondTrial) { store in
            #expect(store.codes == ["vault-migration-failed"])
            #expect(store.described == described(Samples.contents))
            store.close()
        }
        #expect(!folder.names.contains("passd.db.new"))
        try #require(rmdir(folder.path + "/" + Self.copy) == 0)
        try next(.secondTrial) { #expect($0.codes == []) }
    }

    @Test func `no room for the copy: everything is kept in memory, and written when there is room`() throws {
        try #require(mkdir(folder.path + "/" + FaultyDisk.folder, 0o700) == 0)
        let directory = folder.path + "/" + FaultyDisk.folder
        var former = configuration(folder, credential: 1)
        former.directory = directory
        let store = try Store(former)
        try store.commit(Samples.changes)
        store.close()
        FaultyDisk.become(.noRoomForDraft, in: folder)
        defer { FaultyDisk.become(nil, in: folder) }
        let change: (inout VaultConfiguration) -> Void = { ($0.directory, $0.migrationRest) = (directory, .zero) }
        try next(.secondTrial, change) { store in
            #expect(store.codes == ["vault-migration-failed"] && store.described == described(Samples.contents))
            let warning = try #require(store.health.warnings.first)
            #expect(warning.message.contains("keeping a copy of the store: database or disk is full"))
            #expect(warning.remedy.hasPrefix("Free space on the disk"))
            #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(1)) }
            #expect(store.contents.profiles.count == 2)
            FaultyDisk.become(nil, in: folder)
            #expect(store.recover() && store.codes == [] && store.contents.profiles.count == 2)
            #expect(access(directory + "/" + Self.copy, F_OK) == 0)
            store.close()
        }
        try next(.secondTrial, change) { #expect($0.codes == [] && $0.contents.profiles.count == 2) }
    }

    private static let logout: [VaultChange] = [
        .profile(Samples.profileKey, nil), .tombstone(Samples.profileKey, true),
    ]

    @Test(arguments: [StoreSchema.secondTrial, .trial])
    func `the kept copy is removed when a login ends, also with the previous release`(schema: StoreSchema) throws {
        try fill(folder, credential: 1)
        try next(.secondTrial) { $0.close() }
        try next(schema) { store in
            try store.commit(Samples.queue(1) + Samples.crowd(1))
            #expect(store.codes == [] && folder.names.contains(Self.copy))
            try store.commit(Self.logout)
            #expect(!folder.names.contains(Self.copy))
        }
    }

    enum Cause: CaseIterable, Sendable { case logout, key, days }

    /// After going back by two releases, the copy of the first upgrade is the store again.
    @Test(arguments: Cause.allCases)
    func `a copy that only a later release can use is removed like other copies`(cause: Cause) throws {
        try fill(folder)
        let copies = ["passd.db.schema-1", "passd.db.schema-2", "passd.db.schema-12"]
        for copy in copies { folder.write("copy", to: copy) }
        folder.write("other", to: "passd.db.damaged-1")
        func isThere(_ name: String) -> Bool { folder.names.contains(name) }
        var next = configuration(folder)
        var store = try Store(next)
        try store.commit(Samples.crowd(1))
        #expect(copies.allSatisfy(isThere))
        switch cause {
        case .logout: try store.commit(Self.logout)
        case .key, .days:
            store.close()
            let later = next.now().advanced(by: .seconds(31 * 24 * 3600))
            if cause == .days {
                next.now = { later }
            } else {
                next = configuration(folder, credential: 1)
                next.takesKeyFile = true
            }
            store = try Store(next)
            #expect(!store.contents.profiles.isEmpty)
        }
        #expect(!copies.contains(where: isThere) && isThere("passd.db.damaged-1"))
    }

    @Test func `the kept copy is removed after 30 days, at a start or with a commit`() throws {
        let start = configuration(folder).now()
        let days = Mutex(0)
        let change: (inout VaultConfiguration) -> Void = {
            $0.now = { start.advanced(by: .seconds(days.withLock { $0 } * 24 * 3600)) }
        }
        for isRunning in [true, false] {
            folder.remove("passd.db")
            days.withLock { $0 = 0 }
            try fill(folder, credential: 1)
            try next(.secondTrial, change) { store in
                days.withLock { $0 = 29 }
                try store.commit(Samples.crowd(1))
                #expect(folder.names.contains(Self.copy))
                days.withLock { $0 = 31 }
                if isRunning { try store.commit(Samples.queue(1)) }
                store.close()
            }
            if !isRunning { try next(.secondTrial, change) { $0.close() } }
            #expect(!folder.names.contains(Self.copy))
        }
    }

    @Test(arguments: [5000, 2_100_000_000_000])
    func `a copy from before the clock was set or corrected is kept for 30 days from that time`(wrong: Int64) throws {
        try fill(folder, credential: 1)
        let start = configuration(folder).now()
        let early: (inout VaultConfiguration) -> Void = { $0.now = { ServerTime(milliseconds: wrong) } }
        try next(.secondTrial, early) { $0.close() }
        for (day, isKept) in [(0, true), (29, true), (31, false)] {
            let later: (inout VaultConfiguration) -> Void = {
                $0.now = { start.advanced(by: .seconds(day * 24 * 3600)) }
            }
            try next(.secondTrial, later) { $0.close() }
            #expect(folder.names.contains(Self.copy) == isKept, "day \(day)")
        }
    }

    @Test func `a start without a clock does not change the age of the kept copy`() throws {
        try fill(folder, credential: 1)
        let start = configuration(folder).now()
        let early = ServerTime(milliseconds: 5000)
        let times: [(ServerTime, isKept: Bool)] = [
            (start, true), (early, true), (start.advanced(by: .seconds(29 * 24 * 3600)), true), (early, true),
            (start.advanced(by: .seconds(31 * 24 * 3600)), false),
        ]
        for (time, isKept) in times {
            try next(.secondTrial, { $0.now = { time } }) { $0.close() }
            #expect(folder.names.contains(Self.copy) == isKept, "\(time)")
        }
    }

    @Test func `the kept copy is removed when the key changes, also if the store could not be written at the start`()
        throws
    {
        try fill(folder)
        try next(.secondTrial, { $0.credential = nil }) { $0.close() }
        #expect(folder.names.contains(Self.copy))
        // Nothing can be created while this is in the way.
        try #require(mkdir(folder.path + "/passd.probe", 0o700) == 0)
        try next(.secondTrial, { $0.takesKeyFile = true }) { store in
            #expect(!store.health.isPersistent && folder.names.contains(Self.copy))
            try #require(rmdir(folder.path + "/passd.probe") == 0)
            #expect(store.recover() && store.described == described(Samples.contents))
            store.close()
        }
        #expect(!folder.names.contains(Self.copy))
    }

    @Test(arguments: [true, false])
    func `the kept copy is removed when the key changes, and when the logins are erased`(isErased: Bool) throws {
        try fill(folder)
        try next(.secondTrial, { $0.credential = nil }) { $0.close() }
        #expect(folder.names.contains(Self.copy))
        let change: (inout VaultConfiguration) -> Void = {
            if isErased { ($0.credential, $0.integrityCheck) = (nil, .clear) } else { $0.takesKeyFile = true }
        }
        try next(.secondTrial, change) { #expect($0.contents.profiles.isEmpty == isErased) }
        #expect(!folder.names.contains(Self.copy))
    }

    @Test(arguments: ["UPDATE about SET value = 'x' WHERE name = 'needs'", "DELETE FROM about WHERE name = 'needs'"])
    func `if the row named needs is damaged or missing, the previous release can still use the store`(
        statement: String
    ) throws {
        try fill(folder, credential: 1)
        try next { $0.close() }
        try edit(folder, [statement])
        let back = try open()
        #expect(back.codes == [] && back.described == described(Samples.contents))
        back.close()
        try next(.secondTrial) { #expect($0.codes == [] && $0.described == described(Samples.contents)) }
        try edit(folder, [statement])
        #expect(try open().codes == ["vault-newer-schema"], "two versions back")
        try next { #expect($0.codes == [] && $0.described == described(Samples.contents)) }
    }

    // MARK: Earlier stores in other states: failed migration, set aside, damaged

    @Test func `a migration that fails keeps the logins in memory`() throws {
        try fill(folder, credential: 1)
        var broken = StoreSchema.trial
        broken.steps = StoreSchema.current.steps + [StoreSchema.nextStep + ["CREATE TABLE profile (id TEXT)"]]
        try next(broken) { store in
            #expect(store.codes == ["vault-migration-failed"] && store.described == described(Samples.contents))
        }
    }

    @Test func `an earlier store that was set aside for its key is restored`() throws {
        try fill(folder, credential: 1)
        try Store(configuration(folder, credential: 2)).close()
        try next { store in
            #expect(store.restoredStore?.logins == 1 && store.described == described(Samples.contents))
        }
    }

    @Test func `the logins of a damaged earlier store are saved`() throws {
        try fill(folder, credential: 1)
        try edit(folder, ["CREATE VIEW more AS SELECT 1"])
        try next { store in
            #expect(store.codes == ["vault-damaged"] && store.described == described(Samples.contents))
        }
    }

    // MARK: What a newer version may have

    private static let newer = [
        "PRAGMA user_version = 9", "UPDATE about SET value = '9' WHERE name = 'schema'",
    ]

    @Test func `further columns and tables of a newer version are accepted`() throws {
        try fill(folder, credential: 1)
        let columns = relations.map { "ALTER TABLE \($0.table) ADD COLUMN further INTEGER" }
        try edit(
            folder,
            Self.newer + columns + [
                "ALTER TABLE profile ADD COLUMN one_more BLOB",
                "CREATE TABLE more (id TEXT PRIMARY KEY, other INTEGER NOT NULL) STRICT",
            ])
        let store = try open()
        #expect(store.codes == [] && store.described == described(Samples.contents) && store.examine())
    }

    @Test(arguments: [
        "CREATE VIEW more AS SELECT 1", "CREATE INDEX more ON profile(hex(requestor))",
        "CREATE INDEX more ON profile(issuer)",
        "CREATE TRIGGER more AFTER INSERT ON about BEGIN DELETE FROM profile; END", "CREATE TABLE more (id TEXT)",
        "CREATE TABLE more (id TEXT, other TEXT AS (hex(id))) STRICT",
        "CREATE TABLE more (id TEXT CHECK (id > 1)) STRICT",
        "CREATE TABLE more (id TEXT references profile) STRICT",
        "CREATE TABLE more (id text references otherTEXT) STRICT",
        "CREATE TABLE more (id TEXT DEFAULT 'x') STRICT", "CREATE TABLE more (id TEXT UNIQUE) STRICT",
        "CREATE TABLE more (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
        "ALTER TABLE profile ADD COLUMN more TEXT DEFAULT 'x'",
        "ALTER TABLE profile ADD COLUMN more TEXT CHECK (more > 1)",
        "ALTER TABLE profile ADD COLUMN more TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE profile DROP COLUMN issuer", "ALTER TABLE profile RENAME TO more",
        "UPDATE about SET value = '\(version)' WHERE name = 'needs'", "DELETE FROM about WHERE name = 'needs'",
    ]) func `a store with anything else is not touched`(statement: String) throws {
        try fill(folder, credential: 1)
        try edit(folder, Self.newer + [statement])
        let before = folder.read("passd.db")
        let store = try open()
        #expect(store.codes == ["vault-newer-schema"])
        store.close()
        #expect(folder.read("passd.db") == before)
    }

    // MARK: The format

    /// These bytes are the format of stores on disks, so they stay the same in all versions.
    @Test func `the associated data always has the same columns`() throws {
        let fields = try ProfileTable.$nextColumns.withValue(ProfileTable.trialColumns) {
            try ProfileTable.bound(ProfileTable.fields(of: Samples.profile))
        }
        let place = SealedRowBinding(table: "profile", column: "attributes", key: ["a", "b"], beside: fields)
        #expect(
            String(decoding: place.bytes, as: UTF8.self)
                == "5:passd1:17:profile10:attributes1:a1:b10:issued_for15:text Cablevista4:kind12:text regular"
                + "6:issuer10:text Adobe10:not_before21:integer 17952700000009:not_after21:integer 1797862000000")
        let bound = [
            "device": ["id"], "registration": ["client_id", "access_token_ends"], "selection": ["can_authenticate"],
            "profile": ["issued_for", "kind", "issuer", "not_before", "not_after"],
            "open_login": ["provider", "not_before", "not_after"],
        ]
        for relation in relations { #expect(Self.boundColumns(relation) == bound[relation.table] ?? []) }
    }

    private static func boundColumns<R: Relation>(_: R.Type) -> [String] {
        R.columns.filter(\.isBound).map(\.name)
    }

    @Test func `a changed row keeps its rowid, so that a search for rows stays short`() throws {
        try fill(folder, Samples.crowd(3), credential: 1)
        for _ in 0..<5 { try fill(folder, Samples.crowd(3), credential: 1) }
        #expect(try read("SELECT max(rowid) FROM profile")?.integer == 3)
    }
}
