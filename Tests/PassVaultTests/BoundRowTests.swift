// Tests that the unencrypted fields of a row are bound to its sealed value. A program that can write the file can
// neither change the expiry of a login nor insert a login.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §5: a changed row is not accepted") struct BoundRowTests {
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
    ]) func `a changed field invalidates its row, and is reported`(statement: String, table: String) throws {
        try fill(folder, credential: 1)
        try edit(folder, [statement])
        let store = try Store(configuration(folder, credential: 1))
        #expect(store.codes == ["vault-rows-unreadable"])
        #expect(store.health.warnings[0].message.contains("\(table): 1"))
        #expect(store.health.warnings[0].message.contains("not sealed") == statement.contains("x'00"))
        #expect(store.described.count == described(Samples.contents).count - 1)
        #expect((store.contents.device == nil) == (table == "device"))
    }

    /// If the device's row counted as lost, the logins would no longer belong to the box.
    @Test(arguments: [VaultConfiguration.Sealing.credential, .none])
    func `a flipped bit in the device's row is reported as damage, and no login is lost`(
        sealing: VaultConfiguration.Sealing
    ) throws {
        var configuration = configuration(folder)
        configuration.sealing = sealing
        let former = try Store(configuration)
        try former.commit(Samples.changes)
        former.close()
        try edit(folder, ["UPDATE device SET id = '0d1cd'"])
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

    @Test func `with a credential, a store that claims to be unsealed is refused`() throws {
        var unsealed = configuration(folder)
        unsealed.sealing = .none
        let store = try Store(unsealed)
        try store.commit(Samples.changes)
        store.close()
        let strict = try Store(configuration(folder, credential: 1))
        #expect(strict.codes == ["vault-rows-unreadable"] && strict.contents.profiles.isEmpty)
        #expect(strict.contents.registrations.isEmpty)
    }
}
