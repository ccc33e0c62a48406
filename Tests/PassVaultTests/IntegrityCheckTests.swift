// Tests what `[storage] integrity-check` does at the start, before the store is used.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassVault

@Suite("access-enabler.md §5.2, open-questions.md OQ-16: the check at the start") struct IntegrityCheckTests {
    private let folder = TemporaryDirectory(inMemory: true)

    private func checked(_ check: VaultConfiguration.IntegrityCheck, _ folder: TemporaryDirectory) -> VaultConfiguration
    {
        var configuration = configuration(folder)
        configuration.integrityCheck = check
        return configuration
    }

    /// The remaining contents after all logins have ended: the device and its key, the registration, and the
    /// tombstones.
    private var bare: [String] {
        var contents = VaultContents()
        for change in Samples.changes {
            switch change {
            case .device, .deviceKey, .registration, .tombstone: contents.apply(change)
            case .profile(let key, _): contents.apply(.tombstone(key, true))
            case .selection, .openLogin, .lapse: break
            }
        }
        return described(contents)
    }

    private func damageSealedField(_ number: Int) throws {
        let name = try #require(SealingKey(secret: folder.read("passd.key"), salt: folder.read("salt"))?.name)
        var bytes = folder.read("passd.db")
        let places = bytes.indices.filter { bytes[$0...].starts(with: [1] + name) }
        bytes[places[number] + 1 + SealingKey.nameCount + AuthenticatedCipher.nonceCount + 1] ^= 1
        folder.write(bytes, to: "passd.db")
    }

    @Test(arguments: [VaultConfiguration.IntegrityCheck.none, .all])
    func `a sound store is unchanged`(check: VaultConfiguration.IntegrityCheck) async throws {
        try fill(folder)
        let vault = try await Vault.open(checked(check, folder))
        #expect(await !vault.wasErased)
        #expect(await vault.lostLogins.isEmpty)
        #expect(described(await vault.load()) == described(Samples.contents))
        #expect(await vault.health() == VaultHealth(isPersistent: true, warnings: []))
    }

    @Test func `clear ends all logins at each start, and keeps registrations and the device`() async throws {
        try fill(folder)
        let vault = try await Vault.open(checked(.clear, folder))
        #expect(await vault.wasErased)
        #expect(await vault.lostLogins == [Samples.profileKey])
        #expect(described(await vault.load()) == bare)
        #expect(await vault.health().warnings.map(\.code) == ["vault-cleared"])
        try await vault.commit(Samples.crowd(2))
        await vault.close()
        let again = try Store(checked(.clear, folder))
        #expect(again.contents.profiles.isEmpty)
        again.close()
        // The logins are also gone from the disk, not only from memory.
        #expect(try Store(configuration(folder)).contents.profiles.isEmpty)
    }

    @Test(arguments: 0..<8) func `a sealed field that cannot be opened fails the check, and all logins end`(
        number: Int
    ) throws {
        try fill(folder)
        try damageSealedField(number)
        let mended = try Store(configuration(folder.copy()))
        #expect(mended.codes == ["vault-rows-unreadable"])
        #expect(mended.lostLogins == (mended.contents.profiles.isEmpty ? [Samples.profileKey] : []))
        let store = try Store(checked(.all, folder))
        #expect(store.wasErased && store.lostLogins == [Samples.profileKey], "every login has ended, damaged or not")
        #expect(store.codes == ["vault-rows-unreadable", "vault-check-failed"])
        let left = store.contents
        #expect(left.profiles.isEmpty && left.selections.isEmpty && left.openLogins.isEmpty)
        // The device is kept unless its own row was damaged.
        #expect(left.device == (number == 4 ? nil : Samples.contents.device))
        store.close()
        #expect(try Store(configuration(folder)).described == described(left))
    }

    @Test func `damage fails the check`() async throws {
        try fill(folder)
        var bytes = folder.read("passd.db")
        bytes[68] ^= 0x10
        folder.write(bytes, to: "passd.db")
        let vault = try await Vault.open(checked(.all, folder))
        #expect(await vault.wasErased)
        #expect(described(await vault.load()) == bare)
        #expect(await vault.health().warnings.map(\.code) == ["vault-damaged", "vault-check-failed"])
        await vault.close()
        // The repaired, empty store passes the next check.
        let again = try await Vault.open(checked(.all, folder))
        #expect(await !again.wasErased)
        #expect(described(await again.load()) == bare)
    }

    @Test func `without the check only damaged rows are lost`() async throws {
        try fill(folder)
        var bytes = folder.read("passd.db")
        bytes[68] ^= 0x10
        folder.write(bytes, to: "passd.db")
        let vault = try await Vault.open(checked(.none, folder))
        #expect(await !vault.wasErased)
        #expect(described(await vault.load()) == described(Samples.contents))
    }

    @Test func `a store that cannot be written fails the check, and its logins end in memory`() async throws {
        var none = checked(.all, folder)
        none.pageLimit = 2
        let vault = try await Vault.open(none)
        #expect(await vault.wasErased)
        #expect(await vault.health().warnings.map(\.code) == ["vault-full", "vault-check-failed"])
    }

    @Test func `the check's erasure is written at once, even if it adds more logouts than the limit of rows`() throws {
        try fill(folder, Samples.changes + Samples.crowd(3))
        var narrow = checked(.clear, folder)
        // The store has more tombstones than its limit.
        narrow.limits.rows = 2
        let vault = try Store(narrow)
        #expect(vault.wasErased)
        #expect(vault.contents.profiles.isEmpty)
        #expect(vault.codes == ["vault-cleared"])
        #expect(try Store(configuration(folder.copy())).described == vault.described)
        try vault.commit([.device(DeviceID(rawValue: "0d1ce"))])
        let kept = vault.described
        vault.close()
        let next = try Store(configuration(folder))
        #expect(next.contents.profiles.isEmpty)
        #expect(next.described == kept)
    }
}
