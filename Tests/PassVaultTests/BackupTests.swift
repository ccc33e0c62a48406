// Tests backups of the store. A backup is restored completely on its own device. Any other text is refused and changes
// nothing.

import AccessEnabler
import FoundationEssentials
import PassTestTools
import Testing

@testable import PassVault

@Suite("rpc.md §7: backups") struct BackupTests {
    private let folder = Self.box()

    /// The state directory of a box. All boxes here have the same salt, as if the files were those of one box.
    private static func box() -> TemporaryDirectory {
        let folder = TemporaryDirectory(inMemory: true)
        folder.write(Array(repeating: 7, count: 32), to: "salt")
        return folder
    }

    private func backup(_ key: UInt8 = 1, _ changes: [VaultChange] = Samples.changes) throws -> StoreBackup {
        let source = Self.box()
        try fill(source, changes, credential: key)
        return try Store(configuration(source, credential: key)).backUp()
    }

    /// A store of the same device that has lost its login and has another one.
    private func later() throws -> Store {
        let store = try Store(configuration(folder, credential: 1))
        try store.commit(Samples.changes)
        try store.commit([
            .profile(Samples.profileKey, nil), .profile(Samples.crowdKey(1), Samples.profile),
            .registration(Samples.registration, nil), .tombstone(Samples.tombstone, false),
            .selection(RequestorID(rawValue: "LATER"), Selection(provider: Samples.provider, canAuthenticate: false)),
        ])
        return store
    }

    private static var wholeBackup: [String] {
        var contents = Samples.contents
        contents.openLogins = [:]
        return described(contents)
    }

    @Test func `everything except pending logins is restored, and all other data are removed`() throws {
        let backup = try backup()
        #expect(backup.logins == 1 && backup.apps == 1)
        let store = try later()
        #expect(described(try store.restore(backup.text)) == Self.wholeBackup)
        #expect(throws: VaultFault.self, "the old memory writes no more") { try store.commit(Samples.changes) }
        #expect(throws: BackupFault.notDurable) { try store.restore(backup.text) }
        let next = try Store(configuration(folder, credential: 1))
        #expect(next.described == Self.wholeBackup && next.codes == [])
    }

    @Test func `a store that lost everything except its device can be restored, repeatedly`() throws {
        let backup = try backup()
        for _ in 1...2 {
            try fill(folder, [.device(DeviceID(rawValue: "0d1ce"))], credential: 1)
            let store = try Store(configuration(folder, credential: 1))
            #expect(try store.restore(backup.text + "\n").profiles.count == 1)
            #expect(try Store(configuration(folder, credential: 1)).described == Self.wholeBackup)
        }
    }

    @Test func `an unreported logout stays, unless the backup has its login`() throws {
        let text = try backup(1, [.device(DeviceID(rawValue: "0d1ce")), .profile(Samples.profileKey, Samples.profile)])
            .text
        try fill(folder, credential: 1)
        try fill(folder, [.profile(Samples.profileKey, nil), .tombstone(Samples.profileKey, true)], credential: 1)
        let store = try Store(configuration(folder, credential: 1))
        _ = try store.restore(text)
        let next = try Store(configuration(folder, credential: 1)).contents
        #expect(next.tombstones == [Samples.tombstone])
        #expect(Set(next.registrations.keys) == [Samples.registration], "the logout needs it")
        #expect(Set(next.profiles.keys) == [Samples.profileKey])
    }

    @Test func `a backup shows no secret and no name, and no two are equal`() throws {
        let (one, another) = (try backup().text, try backup().text)
        #expect(one != another)
        let envelope = String(
            decoding: Data(base64Encoded: String(one.split(separator: "\n")[1])) ?? Data(), as: UTF8.self)
        for word in ["hush", "NEWS24", "Cablevista"] { #expect(!envelope.contains(word), "\(word)") }
        #expect(!envelope.isEmpty)
    }

    // MARK: Refusals

    private func refusal(_ text: String, _ store: Store) throws -> BackupFault? {
        let before = (store.described, try store.backUp().logins)
        var fault: BackupFault?
        do throws(BackupFault) { _ = try store.restore(text) } catch { fault = error }
        #expect(store.described == before.0 && store.codes == [] && store.examine(), "nothing has changed")
        return fault
    }

    @Test func `a text is refused with its reason if it is no backup, or comes from another device or key`() throws {
        let (whole, store) = (try backup().text, try later())
        let body = String(whole.split(separator: "\n")[1])
        let cases: [(String, BackupFault)] = [
            ("", .noBackup), ("rubbish", .noBackup), ("PASSD-BACKUP 1\n\(body)", .noBackup),
            ("passd-backup ", .damaged), ("passd-backup 1", .damaged), ("passd-backup 1\n", .damaged),
            ("passd-backup 0\n\(body)", .damaged), ("passd-backup 01\n\(body)", .damaged),
            ("passd-backup -1\n\(body)", .damaged), ("passd-backup 99999999999999999999\n\(body)", .damaged),
            ("passd-backup 2\n\(body)", .newer), ("passd-backup 1\n\(body)\(body)", .damaged),
            // An unsealed value. Anyone can write such a value.
            ("passd-backup 1\n" + Data([0] + Array("{}".utf8)).base64EncodedString(), .damaged),
            (try backup(2).text, .otherKey),
            (try backup(1, Samples.changes + [.device(DeviceID(rawValue: "0ther"))]).text, .otherDevice),
        ]
        for (text, fault) in cases { #expect(try refusal(text, store) == fault, "\(text.prefix(24))") }
    }

    @Test func `a changed byte and a truncation are noticed`() throws {
        let small = [VaultChange.device(DeviceID(rawValue: "0d1ce")), .profile(Samples.profileKey, Samples.profile)]
        let (whole, store) = (Array(try backup(1, small).text.utf8), try later())
        let before = store.described
        func isRefused(_ bytes: [UInt8]) -> Bool {
            do throws(BackupFault) { _ = try store.restore(String(decoding: bytes, as: UTF8.self)) } catch {
                return error.kind == .backup
            }
            return false
        }
        for index in whole.indices.dropLast() {
            for bit: UInt8 in [1, 0x20] {
                var bytes = whole
                bytes[index] ^= bit
                try #require(isRefused(bytes), "byte \(index), bit \(bit)")
            }
            if index < whole.count - 1 { try #require(isRefused(Array(whole[..<index])), "cut at \(index)") }
        }
        #expect(store.described == before && store.examine())
    }

    @Test func `a store without a key, a device or a disk can neither make nor restore a backup`() throws {
        var plain = configuration(folder)
        plain.sealing = .none
        let unsealed = try Store(plain)
        try unsealed.commit(Samples.changes)
        #expect(throws: BackupFault.noKey) { try unsealed.backUp() }
        #expect(throws: BackupFault.noKey) { try unsealed.restore("passd-backup 1\n") }
        unsealed.close()

        let fresh = Self.box()
        let empty = try Store(configuration(fresh, credential: 1))
        #expect(throws: BackupFault.notDurable) { try empty.backUp() }
        let text = try backup().text
        #expect(throws: BackupFault.otherDevice) { try empty.restore(text) }
        empty.close()
        #expect(throws: BackupFault.notDurable) { try empty.backUp() }
    }

    @Test func `a backup with more rows than the limit is refused, and the store stays good`() throws {
        let text = try backup(1, Samples.changes + Samples.crowd(5)).text
        var narrow = configuration(folder, credential: 1)
        narrow.limits.rows = 3
        let store = try Store(narrow)
        try store.commit(Samples.changes)
        #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(3)) }
        let before = (store.described, store.health)
        #expect(before.1.warnings.map(\.code) == ["vault-row-refused"], "the earlier refusal is still reported")
        let fault = #expect(throws: BackupFault.self) { try store.restore(text) }
        #expect(
            fault?.kind == .store && fault?.explanation.contains("limit of rows of profile") == true, "\(fault as Any)")
        #expect(store.described == before.0)
        #expect(Set(store.health.warnings) == Set(before.1.warnings))
        try store.commit([.profile(Samples.profileKey, nil)])
    }

    @Test func `with a full disk the store does not change`() throws {
        let text = try backup(1, Samples.changes + Samples.crowd(300)).text
        var small = configuration(folder, credential: 1)
        small.pageLimit = 24
        let store = try Store(small)
        try store.commit(Samples.changes)
        let before = store.described
        let fault = #expect(throws: BackupFault.self) { try store.restore(text) }
        #expect(fault?.kind == .store && store.described == before)
        try store.commit([.profile(Samples.profileKey, nil)])
        store.close()
        #expect(try Store(small).contents.profiles.isEmpty)
    }
}
