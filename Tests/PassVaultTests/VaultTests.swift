// Tests that committed changes are there when the store is opened again, that only its owner can read the files, and
// that only one process can open them at a time.

import AccessEnabler
import Glibc
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §3, §5: data load at start, and changes are committed before an answer") struct VaultTests {
    private let folder = TemporaryDirectory(inMemory: true)

    @Test func `everything is read as it was committed`() async throws {
        let vault = try await Vault.open(configuration(folder))
        #expect(described(await vault.load()) == [])
        try await vault.commit(Samples.changes)
        await vault.close()

        let again = try await Vault.open(configuration(folder))
        #expect(described(await again.load()) == described(Samples.contents))
        #expect(await again.health() == VaultHealth(isPersistent: true, warnings: []))
    }

    @Test(arguments: Samples.changes.indices) func `rows of each kind can be written, replaced and removed separately`(
        index: Int
    ) throws {
        try fill(folder, [Samples.changes[index]])
        try fill(folder, [Samples.changes[index]])
        var expected = VaultContents()
        expected.apply(Samples.changes[index])
        #expect(try Store(configuration(folder)).described == described(expected))

        let removal: VaultChange? =
            switch Samples.changes[index] {
            case .device, .deviceKey: nil
            case .registration(let key, _): .registration(key, nil)
            case .selection(let key, _): .selection(key, nil)
            case .profile(let key, _): .profile(key, nil)
            case .openLogin(let key, _): .openLogin(key, nil)
            case .tombstone(let key, _): .tombstone(key, false)
            case .lapse(let key, _): .lapse(key, false)
            }
        guard let removal else { return }
        try fill(folder, [removal])
        #expect(try Store(configuration(folder)).described == [])
    }

    @Test(arguments: [
        Profile.Kind.regular, .platformSSO, .serviceTokenSSO, .appleSSO, .degraded, .temporary, .other("newKind"),
    ])
    func `a kind of profile keeps its name, known or not`(kind: Profile.Kind) throws {
        var profile = Samples.profile
        profile.kind = kind
        try fill(folder, [.profile(Samples.profileKey, profile)])
        #expect(try Store(configuration(folder)).contents.profiles[Samples.profileKey] == profile)
    }

    @Test func `if one commit changes a row several times, the last change counts`() throws {
        var later = Samples.login
        later.sessionID = nil
        try fill(
            folder,
            [
                .openLogin(Samples.loginKey, Samples.login), .openLogin(Samples.loginKey, nil),
                .openLogin(Samples.loginKey, later),
            ])
        #expect(try Store(configuration(folder)).contents.openLogins == [Samples.loginKey: later])
    }

    @Test("dcr.md §7: folder 0700, files 0600") func onlyForTheOwner() throws {
        let inner = VaultConfiguration(directory: folder.path + "/a/b", now: configuration(folder).now)
        let store = try Store(inner)
        try store.commit(Samples.changes)
        #expect(folder.mode(of: "a/b") == 0o700)
        for name in ["passd.db", "passd.db-wal", "passd.key", "passd.lock"] {
            #expect(folder.mode(of: "a/b/" + name) == 0o600, "\(name)")
        }
        #expect(store.health.isPersistent)
    }

    @Test func `a folder and a database that other users can read are restricted`() throws {
        try fill(folder)
        folder.setMode(to: 0o755)
        folder.setMode(of: "passd.db", to: 0o644)
        let store = try Store(configuration(folder))
        #expect(folder.mode() == 0o700)
        #expect(folder.mode(of: "passd.db") == 0o600)
        #expect(store.codes == [])
    }

    @Test func `a second instance is refused with the holder's process ID, until the first instance ends`() async throws
    {
        let vault = try await Vault.open(configuration(folder))
        let refused = await #expect(throws: VaultInUse.self) { try await Vault.open(configuration(folder)) }
        #expect(refused?.process == "\(getpid())")
        #expect(refused?.explanation.contains(folder.path) == true)
        try await vault.commit(Samples.changes)
        await vault.close()
        await #expect(throws: VaultFault.self) { try await vault.commit(Samples.changes) }
        #expect(described(try await Vault.open(configuration(folder)).load()) == described(Samples.contents))
    }

    @Test func `commits that are passed at the same time are all kept`() async throws {
        let vault = try await Vault.open(configuration(folder))
        try await withThrowingTaskGroup { group in
            for change in Samples.crowd(50) { group.addTask { try await vault.commit([change]) } }
            try await group.waitForAll()
        }
        await vault.close()
        #expect(try Store(configuration(folder)).contents.profiles.count == 50)
    }
}
