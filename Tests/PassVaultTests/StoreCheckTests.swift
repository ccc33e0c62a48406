// Tests the check of a store. It passes if the store is reliable, and does not change the store.

import AccessEnabler
import Glibc
import PassTestTools
import Testing

@testable import PassVault

@_silgen_name("setfsuid") private func setfsuid(_ user: uid_t) -> CInt

@Suite("access-enabler.md §5.2: operability and validity") struct StoreCheckTests {
    private let folder = TemporaryDirectory(inMemory: true)
    private static let page = 4096

    @Test func `a working store passes repeatedly, and does not change`() throws {
        let store = try Store(configuration(folder))
        #expect(store.examine())
        try store.commit(Samples.changes + Samples.crowd(50))
        let before = store.described
        for _ in 0..<3 { #expect(store.examine()) }
        #expect(store.described == before)
        #expect(store.codes == [])
        // The store is the same after a kill and after an orderly end.
        #expect(try Store(configuration(folder.copy())).described == before)
        store.close()
        #expect(!store.examine())
        let again = try Store(configuration(folder))
        #expect(again.described == before)
        #expect(again.health == VaultHealth(isPersistent: true, warnings: []))
    }

    @Test func `a vault passes the check`() async throws {
        let vault = try await Vault.open(configuration(folder))
        #expect(await vault.examine())
        #expect(await !vault.wasErased)
    }

    @Test func `a full disk fails the check until there is room`() throws {
        var small = configuration(folder)
        small.pageLimit = 24
        let store = try Store(small)
        var kept = 0
        for change in Samples.crowd(400) {
            do { try store.commit([change]) } catch { break }
            kept += 1
        }
        #expect(!store.examine())
        #expect(store.contents.profiles.count == kept + 1, "memory has the change that did not fit")
        try store.commit((0..<kept).map { .profile(Samples.crowdKey($0), nil) })
        #expect(store.examine())
    }

    @Test func `a store that is only in memory fails the check`() throws {
        var none = configuration(folder)
        none.pageLimit = 2
        #expect(try !Store(none).examine())
        #expect(try !Store(VaultConfiguration(directory: "/proc/passd", now: none.now)).examine())
    }

    @Test func `a read-only directory fails the check`() throws {
        try fill(folder)
        folder.setMode(to: 0o755)
        for name in folder.names { folder.setMode(of: name, to: 0o644) }
        try asSomebodyElse {
            let store = try Store(configuration(folder))
            #expect(store.described == described(Samples.contents))
            #expect(!store.examine())
        }
    }

    @Test func `a removed file fails the check`() throws {
        let store = try Store(configuration(folder))
        try store.commit(Samples.changes)
        folder.remove("passd.db")
        #expect(!store.examine())
        // The next change writes a new store from memory.
        try store.commit(Samples.crowd(1))
        #expect(store.examine())
    }

    @Test(arguments: [UInt8(0), 0xFF]) func `a damaged page fails the check`(byte: UInt8) throws {
        try fill(folder, Samples.changes + Samples.crowd(200))
        let store = try Store(configuration(folder))
        #expect(store.examine())
        let middle = Int64(folder.read("passd.db").count / 2 / Self.page * Self.page)
        try overwrite("passd.db", at: middle, [UInt8](repeating: byte, count: Self.page))
        #expect(!store.examine())
    }

    @Test func `a flipped bit in any sealed field fails the check`() throws {
        try fill(folder)
        let name = try #require(SealingKey(secret: folder.read("passd.key"), salt: folder.read("salt"))?.name)
        let bytes = folder.read("passd.db")
        let places = bytes.indices.filter { bytes[$0...].starts(with: [1] + name) }
        #expect(places.count == 9)
        let store = try Store(configuration(folder))
        for place in places {
            let target = place + 1 + SealingKey.nameCount + AuthenticatedCipher.nonceCount + 1
            try overwrite("passd.db", at: Int64(target), [bytes[target] ^ 0x04])
            #expect(!store.examine())
            try overwrite("passd.db", at: Int64(target), [bytes[target]])
        }
        #expect(store.examine())
    }

    /// Overwrites a part of the file, as a faulty disk does.
    private func overwrite(_ name: String, at offset: Int64, _ bytes: [UInt8]) throws {
        let descriptor = open(folder.path + "/" + name, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        try #require(pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count)
    }

    /// Runs `body` as another file-system user. `body` must not suspend, because the user is changed only for this
    /// thread.
    private func asSomebodyElse(_ body: () throws -> Void) rethrows {
        guard geteuid() == 0 else {
            chmod(folder.path, 0o555)
            defer { chmod(folder.path, 0o700) }
            return try body()
        }
        _ = setfsuid(65534)
        defer { _ = setfsuid(0) }
        try body()
    }
}
