// Which key seals, and what happens when it is not the one the store was sealed under.

import AccessEnabler
import Testing

@testable import PassVault

@Suite("architecture §3, §5: a key from a credential, else from a key file") struct KeyTests {
    private let folder = TemporaryFolder()
    private static let setAside = "passd.db.unreadable-20261121T153000Z"

    @Test func `with a credential no key file is made`() throws {
        try fill(folder, credential: 1)
        #expect(!folder.names.contains("passd.key"))
        #expect(try Store(configuration(folder, credential: 1)).described == described(Samples.contents))
    }

    @Test func `with a wrong key what was sealed is set aside, and the rest is kept`() throws {
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

        // What the remedy says works.
        folder.write("passd.db", folder.read(Self.setAside))
        #expect(try Store(configuration(folder, credential: 1)).described == described(Samples.contents))
    }

    @Test func `a key file that was lost is a wrong key`() throws {
        try fill(folder)
        folder.remove("passd.key")
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-key-changed"])
        #expect(store.contents.device?.rawValue == "0d1ce")
        #expect(store.contents.registrations.isEmpty && store.contents.deviceKey == nil)
        #expect(folder.read("passd.key").count == 32)
    }

    @Test func `another key matters nothing where nothing was sealed`() throws {
        try fill(folder, [Samples.changes[0]], credential: 1)
        let store = try Store(configuration(folder, credential: 2))
        #expect(store.codes == [])
        #expect(store.contents.device?.rawValue == "0d1ce")
    }

    @Test func `a credential that comes later takes over from the key file, and nothing is lost`() throws {
        try fill(folder)
        let store = try Store(configuration(folder, credential: 1))
        #expect(store.described == described(Samples.contents))
        #expect(store.codes == [])
        store.close()
        folder.remove("passd.key")
        #expect(try Store(configuration(folder, credential: 1)).described == described(Samples.contents))
    }

    @Test(arguments: [0, 1, 31, 33, 4096]) func `a key file that holds no key is set aside`(count: Int) throws {
        folder.write("passd.key", Array(repeating: 7, count: count))
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-key-malformed"])
        #expect(folder.read("passd.key.damaged-20261121T153000Z").count == count)
        try store.commit(Samples.changes)
        store.close()
        #expect(try Store(configuration(folder)).described == described(Samples.contents))
    }

    @Test func `a key file that others could read is used, closed and reported`() throws {
        try fill(folder)
        try folder.change("passd.key", 0o644)
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-key-exposed"])
        #expect(store.described == described(Samples.contents))
        #expect(folder.mode(of: "passd.key") == 0o600)
    }

    @Test func `a key that cannot be read at the moment leaves the store alone`() throws {
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
        folder.write("passd.key", key)
        try folder.change("passd.key", 0o600)
        #expect(try Store(configuration(folder)).described == described(Samples.contents))
    }

    @Test(arguments: [[], [1, 2, 3]] as [[UInt8]])
    func `a credential that is no key is reported, and the key file used`(credential: [UInt8]) throws {
        try fill(folder)
        var configuration = configuration(folder)
        configuration.credential = credential
        let store = try Store(configuration)
        #expect(store.codes == ["vault-credential-unusable"])
        #expect(store.described == described(Samples.contents))
    }
}
