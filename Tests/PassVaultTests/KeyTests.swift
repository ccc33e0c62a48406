// Tests the choice of the sealing key, and a store that was sealed with another key.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §3, §5: a key from a credential, else from a key file") struct KeyTests {
    private let folder = TemporaryDirectory(inMemory: true)
    private static let setAside = "passd.db.unreadable-20261121T153000Z"

    @Test func `with a credential no key file is made`() throws {
        try fill(folder, credential: 1)
        #expect(!folder.names.contains("passd.key"))
        #expect(try Store(configuration(folder, credential: 1)).described == described(Samples.contents))
    }

    @Test func `with a wrong key sealed rows are set aside, and the rest is kept`() throws {
        try fill(folder, credential: 1)
        let bytes = folder.read("passd.db")
        let store = try Store(configuration(folder, credential: 2))
        #expect(store.codes == ["vault-key-changed"])
        var rest = VaultContents()
        rest.apply(Samples.changes[0])
        rest.apply(Samples.changes[5])
        #expect(store.described == described(rest))
        #expect(folder.read(Self.setAside) == bytes)
        try store.commit(Samples.changes)
        store.close()

        // The remedy from the warning works.
        folder.write(folder.read(Self.setAside), to: "passd.db")
        #expect(try Store(configuration(folder, credential: 1)).described == described(Samples.contents))
    }

    @Test func `a lost key file has the same effect as a wrong key`() throws {
        try fill(folder)
        folder.remove("passd.key")
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-key-changed"])
        #expect(store.contents.device?.rawValue == "0d1ce")
        #expect(store.contents.registrations.isEmpty && store.contents.deviceKey == nil)
        #expect(folder.read("passd.key").count == 32)
    }

    @Test func `another key does not matter if nothing was sealed`() throws {
        try fill(folder, [Samples.changes[0]], credential: 1)
        let store = try Store(configuration(folder, credential: 2))
        #expect(store.codes == [])
        #expect(store.contents.device?.rawValue == "0d1ce")
    }

    /// The configuration after root has allowed the key file for one start.
    private var taking: VaultConfiguration {
        var taking = configuration(folder, credential: 1)
        taking.takesKeyFile = true
        return taking
    }

    @Test func `if root allows it, a later credential replaces the key file without any loss`()
        throws
    {
        try fill(folder)
        let store = try Store(taking)
        #expect(store.described == described(Samples.contents))
        #expect(store.codes == [] && !folder.names.contains("passd.key"))
        store.close()
        let after = try Store(configuration(folder, credential: 1))
        #expect(after.described == described(Samples.contents) && after.codes == [])
    }

    @Test func `without permission from root, rows of the key file are kept, but their logins do not count`() throws {
        try fill(folder)
        let key = folder.read("passd.key")
        let store = try Store(configuration(folder, credential: 1))
        #expect(store.codes == ["vault-key-unused", "vault-key-changed"])
        #expect(store.contents.profiles.isEmpty && store.contents.registrations.isEmpty)
        #expect(folder.read("passd.key") == key && folder.names.contains(Self.setAside))
        store.close()
        // The remedy of the message works.
        let taken = try Store(taking)
        #expect(taken.restoredStore?.logins == 1 && taken.contents.profiles == Samples.contents.profiles)
        taken.close()
        let after = try Store(configuration(folder, credential: 1))
        #expect(after.contents.profiles == Samples.contents.profiles && after.codes == [])
    }

    @Test func `a planted key file cannot open a planted row`() throws {
        try fill(folder, [Samples.changes[0], .profile(Samples.profileKey, Samples.profile)], credential: 1)
        let other = TemporaryDirectory(inMemory: true)
        try fill(other, [Samples.changes[0], .profile(Samples.crowdKey(1), Samples.profile)])
        let database = try Database(folder.path + "/passd.db", .existing)
        try database.trust()
        try database.run("ATTACH ? AS other", [.text(other.path + "/passd.db")])
        try database.run("INSERT INTO profile SELECT * FROM other.profile")
        database.abandon()
        folder.write(other.read("passd.key"), to: "passd.key")
        folder.setMode(of: "passd.key", to: 0o600)
        let store = try Store(configuration(folder, credential: 1))
        #expect(store.codes == ["vault-key-unused", "vault-rows-unreadable"])
        #expect(Set(store.contents.profiles.keys) == [Samples.profileKey])
    }

    @Test func `the key file is kept while a store that was set aside needs it`() throws {
        try fill(folder, credential: 2)
        try fill(folder)
        try fill(folder, credential: 1)
        let store = try Store(taking)
        #expect(folder.names.contains("passd.key"))
        store.close()
        for name in folder.names where name.hasPrefix(Self.setAside) { folder.remove(name) }
        _ = try Store(taking)
        #expect(!folder.names.contains("passd.key"))
    }

    @Test(arguments: [0, 1, 31, 33, 4096]) func `a key file without a key is set aside`(count: Int) throws {
        folder.write(Array(repeating: 7, count: count), to: "passd.key")
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-key-malformed"])
        #expect(folder.read("passd.key.damaged-20261121T153000Z").count == count)
        try store.commit(Samples.changes)
        store.close()
        #expect(try Store(configuration(folder)).described == described(Samples.contents))
    }

    @Test func `a key file that other users can read is used, restricted and reported`() throws {
        try fill(folder)
        folder.setMode(of: "passd.key", to: 0o644)
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-key-exposed"])
        #expect(store.described == described(Samples.contents))
        #expect(folder.mode(of: "passd.key") == 0o600)
    }

    @Test func `while the key is unreadable, the store is unchanged`() throws {
        try fill(folder)
        let bytes = folder.read("passd.db")
        let key = folder.read("passd.key")
        folder.remove("passd.key")
        folder.link("passd.key", to: "/nowhere")
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-key-unreadable"])
        #expect(!store.health.isPersistent)
        #expect(throws: VaultFault.self) { try store.commit(Samples.changes) }
        store.close()
        #expect(folder.read("passd.db") == bytes)

        folder.remove("passd.key")
        folder.write(key, to: "passd.key")
        folder.setMode(of: "passd.key", to: 0o600)
        #expect(try Store(configuration(folder)).described == described(Samples.contents))
    }

    @Test(arguments: [[], [1, 2, 3]] as [[UInt8]])
    func `an unusable credential is reported, and the key file is used`(credential: [UInt8]) throws {
        try fill(folder)
        var configuration = configuration(folder)
        configuration.credential = credential
        let store = try Store(configuration)
        #expect(store.codes == ["vault-credential-unusable"])
        #expect(store.described == described(Samples.contents))
    }
}
