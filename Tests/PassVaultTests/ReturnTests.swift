// Tests a sealing key that is missing for some time. The store that was set aside is restored, or stays set aside.

import AccessEnabler
import Glibc
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §5.5: a key that returns") struct ReturnTests {
    private let folder = TemporaryDirectory(inMemory: true)
    private static let setAside = "passd.db.unreadable-20261121T153000Z"
    private static let tidy = ["passd.db", "passd.db.mark", "passd.lock", "salt"]
    private static let everything = described(Samples.contents)

    /// Makes a store with a login under one key, and then its replacement from the time without the key.
    private func loseKey(_ since: [VaultChange] = []) throws {
        try fill(folder, credential: 1)
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-key-changed"])
        try store.commit(since)
        store.close()
    }

    private func expectReturn(_ folder: TemporaryDirectory, _ store: Store) {
        #expect(store.described == Self.everything)
        // The key file from the time without the key is used only if root has allowed it.
        #expect(store.health.isPersistent && store.codes.allSatisfy { $0 == "vault-key-unused" })
        #expect(folder.names.filter { !$0.hasSuffix("-wal") && $0 != "passd.key" } == Self.tidy)
    }

    /// A configuration that also accepts values sealed with that key file.
    private func taking(_ credential: UInt8 = 1) -> VaultConfiguration {
        var taking = configuration(folder, credential: credential)
        taking.takesKeyFile = true
        return taking
    }

    struct Since: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var comesBack: Bool
        var changes: [VaultChange]
    }

    static let since: [Since] = [
        Since(testDescription: "nothing", comesBack: true, changes: []),
        Since(
            testDescription: "a registration", comesBack: true,
            changes: [.registration(Samples.registration, Samples.credentials)]),
        Since(testDescription: "a device key", comesBack: true, changes: [.deviceKey(Secret("another"))]),
        Since(
            testDescription: "an open login", comesBack: true,
            changes: [.openLogin(Samples.loginKey, Samples.login)]),
        Since(
            testDescription: "a choice", comesBack: true,
            changes: [.selection(Samples.requestor, Selection(provider: Samples.provider, canAuthenticate: false))]),
        Since(testDescription: "a login", comesBack: false, changes: [.profile(Samples.profileKey, Samples.profile)]),
        Since(
            testDescription: "a login and its end", comesBack: false,
            changes: [.profile(Samples.profileKey, Samples.profile), .profile(Samples.profileKey, nil)]),
        Since(testDescription: "a logout", comesBack: false, changes: [.tombstone(Samples.profileKey, true)]),
    ]

    @Test(arguments: since) func `the old store is restored unless there was a login or logout in the meantime`(
        since: Since
    ) throws {
        try loseKey(since.changes)
        let store = try Store(taking())
        if since.comesBack {
            expectReturn(folder, store)
            #expect(store.restoredStore == RestoredStore(name: Self.setAside, logins: 1))
        } else {
            #expect(store.restoredStore == nil && store.codes == ["vault-set-aside"])
            #expect(folder.names.contains(Self.setAside))
        }
        let kept = store.described
        store.close()
        let again = try Store(taking())
        #expect(again.described == kept && again.restoredStore == nil)
    }

    @Test func `the old store is restored after many starts, but not before its key is back`() throws {
        try loseKey()
        for _ in 0..<3 {
            let store = try Store(configuration(folder))
            #expect(store.restoredStore == nil && store.codes == ["vault-set-aside"])
            store.close()
        }
        expectReturn(folder, try Store(configuration(folder, credential: 1)))
    }

    @Test func `a restored key file restores the logins, and the replacement store is removed`() throws {
        try fill(folder)
        let key = folder.read("passd.key")
        folder.remove("passd.key")
        try fill(folder, [.deviceKey(Secret("another"))])
        folder.write(key, to: "passd.key")
        folder.setMode(of: "passd.key", to: 0o600)
        expectReturn(folder, try Store(configuration(folder)))
    }

    @Test func `of several old stores, the newest readable one with a login is restored`() throws {
        try fill(folder, [Samples.changes[1], .profile(Samples.crowdKey(1), Samples.profile)], credential: 1)
        try fill(folder, credential: 2)
        try fill(folder, credential: 3)
        let store = try Store(configuration(folder, credential: 1))
        #expect(store.restoredStore?.name == Self.setAside)
        #expect(Set(store.contents.profiles.keys) == [Samples.crowdKey(1)])
        store.close()
        // The store with logins under another key stays, and is reported.
        let again = try Store(configuration(folder, credential: 1))
        #expect(again.codes == ["vault-set-aside"])
        #expect(again.health.warnings[0].message.contains("-2 (1 login, not readable with the present key)"))
    }

    @Test func `an old store of an earlier schema is restored as well`() throws {
        try loseKey()
        var newer = configuration(folder, credential: 1)
        newer.schema = .trial
        let store = try Store(newer)
        #expect(store.contents.profiles == Samples.contents.profiles && store.codes == ["vault-key-unused"])
    }

    enum Step: CaseIterable, Sendable { case drafting, complete, withoutFormer, half, inPlace }

    @Test(arguments: Step.allCases) func `after a kill at any step, the next start succeeds`(
        step: Step
    ) throws {
        try loseKey([.registration(Samples.registration, Samples.credentials)])
        let configuration = configuration(folder, credential: 1)
        let directory = StateDirectory(path: folder.path)
        let keyring = Keyring(
            current: SealingKey(secret: Array(repeating: 1, count: 32), salt: folder.read("salt")))
        let builder = StoreBuilder(configuration: configuration, directory: directory, keyring: keyring)
        if step != .drafting {
            try builder.draft(Samples.contents, .made([Self.setAside]), named: directory.returning)
        }
        switch step {
        case .drafting: folder.write(Array("half".utf8), to: "passd.db.new")
        case .complete: break
        case .withoutFormer: folder.remove("passd.db")
        case .half:
            folder.remove("passd.db")
            folder.write(Array("rubbish".utf8), to: "passd.db-wal")
        case .inPlace: try StoreReturn(builder: builder).finish()
        }
        expectReturn(folder, try Store(configuration))
    }

    enum Interrupted: CaseIterable, Sendable { case complete, logMoved, withoutFormer }

    @Test(arguments: Interrupted.allCases)
    func `a kill while the key is missing loses no data once the key is back`(step: Interrupted) throws {
        let killed = try Store(configuration(folder, credential: 1))
        try killed.commit(Samples.changes)
        // Here only the log contains the login.
        let folder = folder.copy()
        let other = Keyring(
            current: SealingKey(secret: Array(repeating: 2, count: 32), salt: folder.read("salt")))
        let builder = StoreBuilder(
            configuration: configuration(folder, credential: 2), directory: StateDirectory(path: folder.path),
            keyring: other)
        try builder.draft(VaultContents(), .waits, named: builder.directory.replacement)
        switch step {
        case .complete: break
        case .logMoved:
            try #require(rename(folder.path + "/passd.db-wal", folder.path + "/\(Self.setAside)-wal") == 0)
        case .withoutFormer:
            _ = SetAside(directory: builder.directory, now: builder.configuration.now()).moveDatabase("unreadable")
        }
        let store = try Store(configuration(folder, credential: 1))
        #expect(store.contents.profiles == Samples.contents.profiles)
        #expect(!folder.names.contains("passd.db.replacement"))
    }

    @Test func `a kill while the key is missing has no effect on a start without the key`() throws {
        try fill(folder, credential: 1)
        let keyring = Keyring(
            current: SealingKey(secret: Array(repeating: 2, count: 32), salt: folder.read("salt")))
        let builder = StoreBuilder(
            configuration: configuration(folder), directory: StateDirectory(path: folder.path), keyring: keyring)
        try builder.draft(VaultContents(), .waits, named: builder.directory.replacement)
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-key-changed"] && folder.names.contains(Self.setAside))
        store.close()
        expectReturn(folder, try Store(configuration(folder, credential: 1)))
    }

    @Test func `without room for the old store, nothing changes until there is room`() throws {
        try loseKey()
        // A folder with the name of the new file prevents writing.
        try #require(mkdir(folder.path + "/passd.db.new", 0o700) == 0)
        let store = try Store(configuration(folder, credential: 1))
        #expect(store.restoredStore == nil && store.contents.profiles.isEmpty)
        #expect(store.health.isPersistent && folder.names.contains(Self.setAside))
        store.close()
        try #require(rmdir(folder.path + "/passd.db.new") == 0)
        expectReturn(folder, try Store(configuration(folder, credential: 1)))
    }

    @Test(arguments: [VaultConfiguration.IntegrityCheck.all, .clear])
    func `if the check erases the logins, no old store is restored`(check: VaultConfiguration.IntegrityCheck) throws {
        try loseKey()
        var strict = configuration(folder, credential: 1)
        strict.integrityCheck = check
        let store = try Store(strict)
        #expect(store.restoredStore == nil && store.contents.profiles.isEmpty)
    }

    @Test(arguments: [
        (UInt8(1), "\(setAside) (1 login)", true),
        (2, "\(setAside) (1 login, not readable with the present key)", true),
    ]) func `the warning about a store that was set aside describes its contents`(
        credential: UInt8, words: String, hasLogins: Bool
    ) throws {
        try loseKey([.profile(Samples.profileKey, Samples.profile)])
        let names = folder.names
        let warning = try #require(try Store(taking(credential)).health.warnings.last)
        #expect(warning.code == "vault-set-aside" && warning.message.contains(words))
        #expect(warning.remedy.hasPrefix("Removing one deletes the logins in it.") == hasLogins)
        #expect(folder.names.filter { $0.hasPrefix(Self.setAside) } == names.filter { $0.hasPrefix(Self.setAside) })
    }

    @Test(arguments: [("damaged", "damaged"), ("unreadable", "not readable")])
    func `a store without logins may be removed, and an unreadable store is reported as such`(
        kind: String, word: String
    ) throws {
        try fill(folder, credential: 1)
        let name = "passd.db.\(kind)-20261121T153000Z"
        folder.write(Array("rubbish".utf8), to: name)
        let warning = try #require(try Store(configuration(folder, credential: 1)).health.warnings.first)
        #expect(warning.message.hasSuffix("a store set aside earlier: \(name) (\(word))."))
        #expect(warning.remedy == "Remove them when they are no longer needed.")
    }
}
