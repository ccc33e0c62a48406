// Tests that no secret can be read in the files or in the store's messages.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §5, dcr.md §7: secrets are sealed") struct SecrecyTests {
    private let folder = TemporaryDirectory(inMemory: true)
    private static let words = ["hush", "HUSH"].map { Array($0.utf8) }

    @Test func `no file contains a readable secret, neither while the store is open nor afterwards`() throws {
        let store = try Store(configuration(folder))
        try store.commit(Samples.changes + Samples.crowd(40))
        #expect(folder.names == ["passd.db", "passd.db-wal", "passd.db.mark", "passd.key", "passd.lock", "salt"])
        #expect(filesWithSecrets() == [])
        store.close()
        #expect(folder.names == ["passd.db", "passd.db.mark", "passd.key", "passd.lock", "salt"])
        #expect(filesWithSecrets() == [])
    }

    @Test func `without sealing the search finds the secrets, and the health reports this`() throws {
        var configuration = configuration(folder)
        configuration.sealing = .none
        let store = try Store(configuration)
        try store.commit(Samples.changes)
        #expect(filesWithSecrets() == ["passd.db"])
        #expect(store.codes == ["vault-not-sealed"])
    }

    @Test func `after sealing is switched on, the files contain no unsealed value`() throws {
        var unsealed = configuration(folder)
        unsealed.sealing = .none
        let store = try Store(unsealed)
        try store.commit(Samples.changes)
        store.close()
        #expect(filesWithSecrets() == ["passd.db"])

        let sealed = try Store(configuration(folder))
        #expect(sealed.described == described(Samples.contents))
        sealed.close()
        #expect(filesWithSecrets() == [])
    }

    @Test(arguments: [StoreSchema.trial, .secondTrial])
    func `no unsealed value is left in the files after an upgrade`(schema: StoreSchema) throws {
        var unsealed = configuration(folder)
        unsealed.sealing = .none
        let store = try Store(unsealed)
        try store.commit(Samples.changes)
        store.close()
        var newer = configuration(folder)
        newer.schema = schema
        let sealed = try Store(newer)
        #expect(sealed.codes == [] && sealed.described == described(Samples.contents))
        sealed.close()
        #expect(filesWithSecrets() == [])
    }

    @Test func `removed values are overwritten, even without sealing`() throws {
        var unsealed = configuration(folder)
        unsealed.sealing = .none
        let store = try Store(unsealed)
        try store.commit(Samples.changes)
        try store.commit([
            .registration(Samples.registration, nil), .profile(Samples.profileKey, nil),
            .openLogin(Samples.loginKey, nil), .selection(Samples.requestor, nil), .deviceKey(Secret("another")),
        ])
        store.close()
        #expect(filesWithSecrets() == [])
    }

    @Test func `keys can be listed without opening any value`() throws {
        try fill(folder)
        let database = try Database(folder.path + "/passd.db", .existing)
        #expect(try database.value("SELECT requestor FROM profile")?.text == "NEWS24")
        #expect(try database.value("SELECT app FROM registration")?.text == "news24")
        #expect(try database.value("SELECT client_secret FROM registration")?.blob?.first == 1)
    }

    private func filesWithSecrets() -> [String] {
        folder.names.filter { name in
            let bytes = folder.read(name)
            return Self.words.contains { word in
                bytes.indices.dropLast(3).contains { bytes[$0..<$0 + word.count].elementsEqual(word) }
            }
        }
    }
}
