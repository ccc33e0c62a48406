// Tests the salt: what depends on it, when it is made, and what happens without it.

import AccessEnabler
import Glibc
import PassTestTools
import Synchronization
import Testing

@testable import PassVault

@Suite("access-enabler.md §10: the salt of the box") struct SaltTests {
    private let folder = TemporaryDirectory(inMemory: true)
    private static let codes = ["vault-salt-missing", "vault-key-changed"]

    @Test func `the first start makes the salt, and later starts keep it`() throws {
        try fill(folder)
        let salt = folder.read("salt")
        #expect(salt.count == 32 && salt != folder.read("passd.key") && folder.mode(of: "salt") == 0o600)
        let store = try Store(configuration(folder))
        #expect(store.codes == [] && store.deviceSalt == salt && folder.read("salt") == salt)
        let other = TemporaryDirectory(inMemory: true)
        try fill(other)
        #expect(other.read("salt") != salt)
    }

    @Test(arguments: [nil, 0, 31, 33] as [Int?], [nil, 1] as [UInt8?])
    func `a store without its salt is set aside with a warning, until the salt is back`(
        count: Int?, credential: UInt8?
    ) throws {
        try fill(folder, credential: credential)
        let salt = folder.read("salt")
        folder.remove("salt")
        if let count { folder.write(Array(repeating: 7, count: count), to: "salt") }
        let store = try Store(configuration(folder, credential: credential))
        #expect(store.codes == Self.codes && store.health.isPersistent)
        #expect(store.deviceSalt.count == 32 && store.deviceSalt != salt && folder.read("salt") == store.deviceSalt)
        #expect(store.contents.profiles.isEmpty && store.contents.registrations.isEmpty)
        #expect(folder.names.contains("passd.db.unreadable-20261121T153000Z"))
        store.close()

        folder.remove("salt")
        folder.write(salt, to: "salt")
        folder.setMode(of: "salt", to: 0o600)
        let again = try Store(configuration(folder, credential: credential))
        #expect(again.described == described(Samples.contents) && again.codes == [])
    }

    @Test func `a factory key with a new salt opens nothing of the former owner`() throws {
        let former = TemporaryDirectory(inMemory: true)
        try fill(former, credential: 1)
        try fill(folder, [], credential: 1)
        let salt = folder.read("salt")
        folder.write(former.read("passd.db"), to: "passd.db")
        for name in ["passd.db-wal", "passd.db.mark"] { folder.remove(name) }
        let store = try Store(configuration(folder, credential: 1))
        #expect(store.codes == ["vault-key-changed"] && folder.read("salt") == salt)
        #expect(store.contents.profiles.isEmpty && store.contents.registrations.isEmpty)
        #expect(store.contents.openLogins.isEmpty && store.contents.deviceKey == nil)
        let own = try Store(configuration(former, credential: 1))
        #expect(own.recordSecret != store.recordSecret)
    }

    @Test(arguments: [false, true])
    func `a box that imports logins keeps the device of the older library, until a reset`(isReset: Bool) throws {
        if isReset { try #require(mkdir(folder.path + "/imported", 0o700) == 0) }
        var importing = configuration(folder)
        importing.importsLogins = true
        for _ in 0..<2 {
            let store = try Store(importing)
            #expect(store.deviceSalt == (isReset ? folder.read("salt") : []) && store.codes == [])
            #expect(folder.read("salt").count == 32)
        }
        let later = try Store(configuration(folder))
        #expect(later.deviceSalt.isEmpty != isReset)
    }

    @Test func `a salt that cannot be read is not replaced`() throws {
        try fill(folder)
        let (salt, bytes) = (folder.read("salt"), folder.read("passd.db"))
        folder.remove("salt")
        folder.link("salt", to: "/nowhere")
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-key-unreadable"] && !store.health.isPersistent)
        #expect(throws: VaultFault.self) { try store.commit([.device(DeviceID(rawValue: "for this start"))]) }
        #expect(folder.read("passd.db") == bytes)
        folder.remove("salt")
        folder.write(salt, to: "salt")
        folder.setMode(of: "salt", to: 0o600)
        #expect(store.recover() && store.codes == [])
        #expect(store.described == described(Samples.contents), "the box is still the device of the store")
    }

    @Test(arguments: [false, true])
    func `the disk of another device keeps its contents, except for logouts that were made without it`(
        isImported: Bool
    ) async throws {
        var importing = configuration(folder)
        importing.importsLogins = isImported
        let former = try Store(importing)
        try former.commit(Samples.changes + Samples.crowd(2))
        former.close()
        let salt = folder.read("salt")
        folder.remove("salt")
        folder.link("salt", to: "/nowhere")
        if isImported { try #require(rename(folder.path + "/former-device", folder.path + "/away") == 0) }

        let calls = Mutex(0)
        importing.onOtherDevice = { calls.withLock { $0 += 1 } }
        let vault = try await Vault.open(importing)
        #expect(vault.deviceSalt.count == 32 && vault.deviceSalt != salt)
        let temporary: [VaultChange] = [
            .device(DeviceID(rawValue: "temporary")), .profile(Samples.crowdKey(5), Samples.profile),
            .profile(Samples.crowdKey(1), nil), .tombstone(Samples.tombstone, false),
            .registration(Samples.registration, nil), .openLogin(Samples.loginKey, nil),
        ]
        await #expect(throws: VaultFault.self) { try await vault.commit(temporary) }
        await #expect(throws: VaultFault.self) { try await vault.commit([.tombstone(Samples.crowdKey(0), true)]) }
        #expect(calls.withLock { $0 } == 0)
        if isImported { try #require(rename(folder.path + "/away", folder.path + "/former-device") == 0) }
        folder.remove("salt")
        folder.write(salt, to: "salt")
        folder.setMode(of: "salt", to: 0o600)

        try await vault.commit([])
        #expect(calls.withLock { $0 } == 1)
        #expect(await vault.health() == VaultHealth(isPersistent: true, isOtherDevice: true, warnings: []))
        try await vault.commit(temporary)
        try await vault.commit([.tombstone(Samples.profileKey, true)])
        await vault.close()
        let store = try Store(configuration(folder))
        let logouts: [VaultChange] = [Samples.crowdKey(0), Samples.profileKey].flatMap {
            [.profile($0, nil), .tombstone($0, true)]
        }
        #expect(store.described == described((Samples.changes + Samples.crowd(2) + logouts).contents))
        #expect(store.codes == [] && store.deviceSalt == (isImported ? [] : salt))
    }

    @Test(arguments: ["salt", "passd.key"]) func `if a disk returns without its store, the next start reports the loss`(
        name: String
    ) throws {
        try fill(folder)
        let former = folder.read(name)
        folder.remove(name)
        folder.link(name, to: "/nowhere")
        let store = try Store(configuration(folder))
        #expect(!store.health.isPersistent)
        for name in ["passd.db", "passd.db-wal"] { folder.remove(name) }
        folder.remove(name)
        folder.write(former, to: name)
        folder.setMode(of: name, to: 0o600)
        #expect(store.recover() && store.health.isOtherDevice == (name == "salt"))
        store.close()
        #expect(try Store(configuration(folder)).codes == ["vault-gone"])
    }

    @Test(arguments: [false, true]) func `a folder that is emptied while passd runs keeps the device`(
        isImported: Bool
    ) throws {
        var importing = configuration(folder)
        importing.importsLogins = isImported
        let store = try Store(importing)
        try store.commit(Samples.changes)
        let salt = store.deviceSalt
        for name in folder.names { folder.remove(name) }
        try? store.commit(Samples.crowd(1))
        #expect(store.health.isPersistent && !store.health.isOtherDevice)
        #expect(store.described == described((Samples.changes + Samples.crowd(1)).contents))
        store.close()
        #expect(try Store(configuration(folder)).deviceSalt == salt)
    }
}
