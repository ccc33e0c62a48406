// Tests that the unencrypted fields of a row are bound to its sealed value: nobody who can write the file can change a
// login's end or insert a login.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §5: a row is as it was written, or it is not taken") struct BoundRowTests {
    private let folder = TemporaryDirectory(inMemory: true)

    @Test(arguments: [
        ("UPDATE profile SET not_after = not_after + 1", "profile"), ("UPDATE profile SET not_before = 0", "profile"),
        ("UPDATE profile SET kind = 'degraded'", "profile"), ("UPDATE profile SET issuer = 'x'", "profile"),
        ("UPDATE profile SET issued_for = 'x'", "profile"), ("UPDATE selection SET can_authenticate = 0", "selection"),
        ("UPDATE registration SET client_id = 'x'", "registration"),
        ("UPDATE registration SET access_token_ends = NULL", "registration"),
        ("UPDATE open_login SET not_after = 5", "open_login"), ("UPDATE open_login SET provider = 'x'", "open_login"),
        ("UPDATE profile SET attributes = x'007b7d'", "profile"),
        ("UPDATE open_login SET session_id = x'0061'", "open_login"),
        ("UPDATE device SET id = '0d1cd'", "device"), ("UPDATE device SET proof = NULL", "device"),
        ("UPDATE device SET proof = x'0030643163'", "device"),
    ]) func `a field that somebody changed costs the row, and is told`(statement: String, table: String) throws {
        try fill(folder, credential: 1)
        try edit([statement])
        let store = try Store(configuration(folder, credential: 1))
        #expect(store.codes == ["vault-rows-unreadable"])
        #expect(store.health.warnings[0].message.contains("\(table): 1"))
        #expect(store.health.warnings[0].message.contains("not sealed") == statement.contains("x'00"))
        // There is always a line for the device.
        #expect(store.described.count == described(Samples.contents).count - (table == "device" ? 0 : 1))
        #expect((store.contents.device == nil) == (table == "device"))
    }

    /// Otherwise the logins would not belong to the box any more.
    @Test(arguments: [VaultConfiguration.Sealing.credential, .none])
    func `a device row that a bit was flipped in is damage, and costs no login`(
        sealing: VaultConfiguration.Sealing
    ) throws {
        var configuration = configuration(folder)
        configuration.sealing = sealing
        let former = try Store(configuration)
        try former.commit(Samples.changes)
        former.close()
        try edit(["UPDATE device SET id = '0d1cd'"])
        let store = try Store(configuration)
        #expect(store.codes.filter { $0 != "vault-not-sealed" } == ["vault-rows-unreadable"])
        #expect(store.health.warnings.contains { $0.message.contains("device: 1") })
        #expect(store.contents.device == nil && store.contents.profiles == Samples.contents.profiles)
        #expect(store.contents.tombstones == Samples.contents.tombstones)
        // The box stores its identity.
        try store.commit([.device(DeviceID(rawValue: "0d1ce"))])
        store.close()
        #expect(try Store(configuration).described == described(Samples.contents))
    }

    @Test func `with a credential a store in the clear is not taken, whatever it says of itself`() throws {
        var unsealed = configuration(folder)
        unsealed.sealing = .none
        let store = try Store(unsealed)
        try store.commit(Samples.changes)
        store.close()
        let strict = try Store(configuration(folder, credential: 1))
        #expect(strict.codes == ["vault-rows-unreadable"] && strict.contents.profiles.isEmpty)
        #expect(strict.contents.registrations.isEmpty)
    }

    /// Makes rows sealed as earlier versions did.
    private func makeFormer(_ version: Int, _ keyring: Keyring) throws {
        let database = try Database(folder.path + "/passd.db", .existing)
        try database.trust()
        try database.run("ALTER TABLE device DROP COLUMN proof")
        try database.run("ALTER TABLE open_login DROP COLUMN details")
        try database.run("DROP TABLE lapse")
        for relation in relations {
            guard let former = relation.written(in: version) else { continue }
            try reseal(former, keyring, database, version)
        }
        var statements = [
            "UPDATE about SET value = '\(version)' WHERE name = 'schema'", "PRAGMA user_version = \(version)",
            "DELETE FROM about WHERE name IN ('store', 'commits')",
        ]
        if version == 1 { statements.append("DROP TABLE device_key") }
        for statement in statements { try database.run(statement) }
    }

    private func reseal<R: Relation>(_: R.Type, _ keyring: Keyring, _ database: Database, _ version: Int) throws {
        guard version < StoreSchema.bindsRows, let key = keyring.current else { return }
        let names = R.keyColumns + R.columns.map(\.name)
        var rows: [[SQLValue]] = []
        try database.query("SELECT \(names.joined(separator: ", ")) FROM \(R.table)") { row in
            rows.append(row)
            return true
        }
        for row in rows {
            let texts = row.prefix(R.keyColumns.count).compactMap(\.text)
            let fields = Array(row.dropFirst(texts.count))
            for (column, field) in zip(R.columns, fields) where column.isSealed {
                guard let blob = field.blob else { continue }
                var place = SealedRowBinding(
                    table: R.table, column: column.name, key: texts, beside: SealedRowBinding.beside(R.columns, fields))
                let text = try keyring.open(blob, at: place)
                place.beside = []
                let nonce = Array(repeating: UInt8(7), count: AuthenticatedCipher.nonceCount)
                let sealed = try #require(
                    AuthenticatedCipher.seal(Array(text.utf8), with: key, nonce: nonce, binding: place.bytes(.first)))
                let condition = R.keyColumns.map { "\($0) = ?" }.joined(separator: " AND ")
                try database.run(
                    "UPDATE \(R.table) SET \(column.name) = ? WHERE \(condition)",
                    [.blob([1] + key.name + nonce + sealed)] + texts.map { .text($0) })
            }
        }
    }

    private var keyring: Keyring { Keyring(current: SealingKey(secret: Array(repeating: 1, count: 32))) }

    @Test(arguments: [1, 2, 3]) func `the rows of a former version come over, and are sealed anew`(version: Int) throws
    {
        try fill(folder, credential: 1)
        try makeFormer(version, keyring)
        let former = folder.copy()
        let store = try Store(configuration(folder, credential: 1))
        var expected = Samples.contents
        if version == 1 { expected.deviceKey = nil }
        #expect(store.codes == [] && store.described == described(expected))
        #expect(store.examine())
        store.close()
        #expect(try Store(configuration(folder, credential: 1)).described == described(expected))
        // With another key they are set aside unchanged until their own is back.
        let other = try Store(configuration(former, credential: 2))
        #expect(other.codes == ["vault-key-changed"])
        other.close()
        let back = try Store(configuration(former, credential: 1))
        #expect(back.restoredStore?.logins == 1 && back.described == described(expected))
    }

    @Test func `what a former version wrote of several services is found in whatever order an app names them`() throws {
        try fill(folder, credential: 1)
        var registration = Samples.registration
        registration.origin = "https://b.test https://a.test"
        let key = ProfileKey(
            registration: registration, requestor: RequestorID(rawValue: "R"), provider: ProviderID(rawValue: "P"))
        let ended = ProfileKey(
            registration: registration, requestor: RequestorID(rawValue: "R"), provider: ProviderID(rawValue: "Q"))
        let store = try Store(configuration(folder, credential: 1))
        try store.commit([
            .profile(key, Samples.profile), .registration(registration, Samples.credentials), .tombstone(ended, true),
        ])
        store.close()
        try makeFormer(2, keyring)
        for _ in 1...2 {
            let store = try Store(configuration(folder, credential: 1))
            let origins =
                store.contents.profiles.keys.map(\.registration.origin)
                + store.contents.tombstones.map(\.registration.origin) + store.contents.registrations.keys.map(\.origin)
            #expect(origins.count { $0 == "https://a.test https://b.test" } == 3)
            #expect(!origins.contains("https://b.test https://a.test"))
            store.close()
        }
    }

    @Test func `a row of the former form is no row of a store of now`() throws {
        try fill(folder, credential: 1)
        try makeFormer(2, keyring)
        try edit(
            [
                "UPDATE about SET value = '\(StoreSchema.current.version)' WHERE name = 'schema'",
                "PRAGMA user_version = \(StoreSchema.current.version)", "ALTER TABLE device ADD COLUMN proof BLOB",
            ] + StoreSchema.current.steps[4])
        let store = try Store(configuration(folder, credential: 1))
        #expect(store.codes == ["vault-rows-unreadable"] && store.contents.profiles.isEmpty)
    }

    private func edit(_ statements: [String]) throws {
        let database = try Database(folder.path + "/passd.db", .existing)
        try database.trust()
        for statement in statements { try database.run(statement) }
    }
}
