// Tests a folder that cannot be written. The store is read and continues in memory, reports that, and writes again as
// soon as possible. The kernel checks a thread's access by its file-system user, so a test that runs as root can
// briefly act as another user.

import AccessEnabler
import Glibc
import PassTestTools
import Testing

@testable import PassVault

@_silgen_name("setfsuid") private func setfsuid(_ user: uid_t) -> CInt

@Suite("architecture §3, §5: a read-only directory") struct ReadOnlyTests {
    private let folder = TemporaryDirectory(inMemory: true)

    @Test func `the contents of the store are read, and changes stay in memory`() throws {
        let running = try Store(configuration(folder))
        try running.commit(Samples.changes)
        // As after a kill, the newest rows are only in the log.
        let folder = folder.copy()
        try open(folder, for: 0o755, 0o644)
        let before = folder.names.map(folder.read)

        let store = try asSomebodyElse { try Store(configuration(folder)) }
        #expect(!store.health.isPersistent)
        #expect(store.codes.first == "vault-read-only")
        #expect(store.described == described(Samples.contents))
        let fault = asSomebodyElse { #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(2)) } }
        #expect(fault?.kind == .readOnly)
        #expect(store.contents.profiles.count == 3)
        #expect(folder.names.map(folder.read) == before)

        // The folder is writable again, because the test's own user is restored.
        try store.commit([.tombstone(Samples.tombstone, false)])
        #expect(store.health.isPersistent)
        let expected = store.described
        #expect(!store.codes.contains("vault-read-only"))
        store.close()
        #expect(try Store(configuration(folder)).described == expected)
    }

    @Test func `rows that could not be opened are set aside before rows from memory replace them`() throws {
        try fill(folder, credential: 1)
        try open(folder, for: 0o755, 0o644)
        let bytes = folder.read("passd.db")
        let store = try asSomebodyElse { try Store(configuration(folder)) }
        #expect(store.contents.registrations.isEmpty)
        try store.commit(Samples.crowd(1))
        #expect(store.health.isPersistent)
        #expect(store.contents.profiles.count == 1)
        #expect(folder.read("passd.db.unreadable-20261121T153000Z") == bytes)
    }

    @Test func `an empty read-only folder`() throws {
        folder.setMode(to: 0o755)
        let store = try asSomebodyElse { try Store(configuration(folder)) }
        #expect(!store.health.isPersistent)
        #expect(store.described == [])
        asSomebodyElse { _ = #expect(throws: VaultFault.self) { try store.commit(Samples.changes) } }
        #expect(folder.names == [])
        #expect(store.described == described(Samples.contents))
    }

    @Test func `a store that must not be read does not change`() throws {
        try fill(folder)
        let bytes = folder.read("passd.db")
        folder.setMode(to: 0o755)
        let store = try asSomebodyElse { try Store(configuration(folder)) }
        #expect(!store.health.isPersistent)
        asSomebodyElse { _ = #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(1)) } }
        #expect(folder.read("passd.db") == bytes)
        #expect(store.codes.contains { $0 == "vault-read-only" })
        // Once the store is writable, the few rows in memory do not overwrite it. The salt could not be read either, so these
        // rows are those of another device.
        #expect(store.recover())
        #expect(store.health == VaultHealth(isPersistent: true, isOtherDevice: true, warnings: []))
        #expect(store.described == described(Samples.contents))
        store.close()
        #expect(try Store(configuration(folder)).described == store.described)
    }

    @Test func `a folder that cannot be created`() throws {
        folder.write([], to: "file")
        for path in ["/proc/passd", folder.path + "/file", folder.path + "/file/below"] {
            let store = try Store(VaultConfiguration(directory: path, now: configuration(folder).now))
            #expect(!store.health.isPersistent)
            #expect(store.health.warnings.first?.message.contains(path) == true)
            #expect(throws: VaultFault.self) { try store.commit(Samples.changes) }
            #expect(store.described == described(Samples.contents))
        }
    }

    @Test func `the copy for reading leaves no files in the temporary directory`() throws {
        try Store(configuration(folder)).commit(Samples.changes)
        let temporary = TemporaryDirectory(inMemory: true)
        do {
            let copy = ScratchCopy(of: StateDirectory(path: folder.path), in: temporary.path)
            #expect(copy.fault == nil)
            #expect(temporary.names.map { temporary.path + "/\($0)/passd.db" } == [copy.database])
            withExtendedLifetime(copy) {}
        }
        #expect(temporary.names == [])
    }

    private func open(_ folder: TemporaryDirectory, for directory: mode_t, _ files: mode_t) throws {
        folder.setMode(to: directory)
        for name in folder.names { folder.setMode(of: name, to: files) }
    }

    /// Runs `body` as another file-system user. `body` must not suspend, because the user is changed only for this
    /// thread.
    private func asSomebodyElse<R>(_ body: () throws -> R) rethrows -> R {
        guard geteuid() == 0 else {
            // No user may write here, not even the owner.
            chmod(folder.path, 0o555)
            defer { chmod(folder.path, 0o700) }
            return try body()
        }
        _ = setfsuid(65534)
        defer { _ = setfsuid(0) }
        return try body()
    }
}
