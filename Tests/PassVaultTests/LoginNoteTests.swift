// Tests the store's notes about logins: the provider of an open login, and lapsed integrations.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassVault

@Suite("rulings 49, 54: notes about logins") struct LoginNoteTests {
    private let folder = TemporaryDirectory(inMemory: true)

    private static let login: OpenLogin = {
        var login = Samples.login
        login.details = Provider(
            id: ProviderID(rawValue: "NorthCable"), displayName: "North hush", logoURL: "https://x/hush")
        login.leavesLogout = true
        return login
    }()

    private static let lapse = Samples.tombstone

    private static let changes: [VaultChange] =
        Samples.changes + [.openLogin(Samples.loginKey, login), .lapse(lapse, true)]

    private func filled() throws {
        let store = try Store(configuration(folder))
        try store.commit(Self.changes)
        store.close()
    }

    @Test func `the notes survive a restart, and the provider's name is sealed`() throws {
        try filled()
        let store = try Store(configuration(folder))
        #expect(store.contents.openLogins[Samples.loginKey] == Self.login)
        #expect(store.contents.lapsed == [Self.lapse])
        let file = String(decoding: folder.read("passd.db"), as: UTF8.self)
        #expect(!file.contains("hush"))
        try store.commit([.lapse(Self.lapse, false), .openLogin(Samples.loginKey, nil)])
        store.close()
        let after = try Store(configuration(folder))
        #expect(after.contents.lapsed.isEmpty && after.contents.openLogins.isEmpty)
    }

    @Test func `if every login ends, the notes of lapsed integrations end too`() {
        var contents = Self.changes.contents
        contents.tombstones = []
        for change in contents.withoutLogins { contents.apply(change) }
        #expect(contents.lapsed.isEmpty && contents.tombstones == [Samples.profileKey, Self.lapse])
    }

    @Test func `a backup contains lapsed integrations, and an older backup without them can be read`() throws {
        let codec = BackupCodec(key: SealingKey(secret: Array(repeating: 7, count: 32)))
        var contents = Self.changes.contents
        contents.openLogins = [:]
        let backup = try codec.seal(contents)
        #expect(try codec.open(backup.text, on: contents.device).lapsed == [Self.lapse])
        let changes = VaultContents().changes(to: contents)
        #expect(changes.contents.lapsed == [Self.lapse])
    }
}
