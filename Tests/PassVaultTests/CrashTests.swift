// Tests the files after a kill or a power failure. The test copies the files while the writer still runs, and opens the
// copy as the next start would.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §3: nothing acknowledged is lost by kill -9") struct CrashTests {
    private let folder = TemporaryDirectory(inMemory: true)

    @Test func `after every commit the files have the acknowledged changes`() throws {
        let store = try Store(configuration(folder))
        for change in Samples.changes + Samples.crowd(20) {
            try store.commit([change])
            let next = try Store(configuration(folder.copy()))
            #expect(next.described == store.described)
            #expect(next.health == VaultHealth(isPersistent: true, warnings: []))
        }
    }

    @Test func `after a truncation of the log the last commit or the one before is read, without a warning`() throws {
        let store = try Store(configuration(folder))
        try store.commit(Samples.changes)
        try store.commit(Samples.queue(1))
        let before = store.described
        let start = folder.read("passd.db-wal").count
        // The last commit has not been acknowledged yet.
        let mark = folder.read("passd.db.mark")
        try store.commit(Samples.queue(12))
        let after = store.described
        let log = folder.read("passd.db-wal")
        #expect(log.count > start)
        for count in stride(from: start, through: log.count, by: 509) + [log.count - 1, log.count] {
            let copy = folder.copy()
            copy.write(Array(log.prefix(count)), to: "passd.db-wal")
            copy.write(mark, to: "passd.db.mark")
            let next = try Store(configuration(copy))
            #expect(next.described == (count == log.count ? after : before), "cut at \(count)")
            #expect(next.codes == [])
        }
    }

    @Test func `an unfinished store is made again`() throws {
        folder.write([], to: "passd.db")
        let store = try Store(configuration(folder))
        #expect(store.health == VaultHealth(isPersistent: true, warnings: []))
        try store.commit(Samples.changes)
    }

    @Test(arguments: [true, false]) func `an interrupted repair is completed`(oldIsThere: Bool) throws {
        try fill(folder)
        // The new store is complete, but has not replaced the old store yet.
        folder.write(folder.read("passd.db"), to: "passd.db.replacement")
        folder.write(Array("rubbish".utf8), to: "passd.db")
        folder.write(Array("rubbish".utf8), to: "passd.db-wal")
        folder.write(Array("half".utf8), to: "passd.db.new")
        if !oldIsThere { folder.remove("passd.db") }
        let store = try Store(configuration(folder))
        #expect(store.described == described(Samples.contents))
        #expect(store.codes == ["vault-damaged"])
        #expect(!folder.names.contains("passd.db.new"))
        let name = oldIsThere ? "passd.db.damaged-20261121T153000Z-wal" : "passd.db.orphaned-wal"
        #expect(folder.read(name) == Array("rubbish".utf8))
    }

    @Test(arguments: ["draft", "draft and key", "draft, key and half a store"])
    func `a first start that was interrupted at any point is repeated, and reports no loss`(step: String) throws {
        folder.write(step.hasSuffix("store") ? Array("half".utf8) : [], to: "passd.db.new")
        if step != "draft" {
            folder.write(Array(repeating: 7, count: 32), to: "passd.key")
            folder.setMode(of: "passd.key", to: 0o600)
        }
        let store = try Store(configuration(folder))
        #expect(store.health == VaultHealth(isPersistent: true, warnings: []))
        try store.commit(Samples.changes)
        #expect(!folder.names.contains("passd.db.new"))
    }

    /// The store gets its name only when it is complete. A copy from an earlier moment opens without a warning.
    @Test func `during the first start, no incomplete store has the store's name`() throws {
        let directory = StateDirectory(path: folder.path)
        let builder = StoreBuilder(
            configuration: configuration(folder), directory: directory, keyring: Keyring(current: nil))
        try builder.draft(VaultContents(), nil, named: directory.database)
        #expect(folder.names == ["passd.db"])
        folder.write(Array(repeating: 7, count: 32), to: "salt")
        #expect(folder.read("passd.db").count > 4096)
        #expect(try Store(configuration(folder.copy())).codes == [])
    }

    @Test func `an incomplete key is made again`() throws {
        folder.write([1, 2, 3], to: "passd.key.new")
        try fill(folder)
        #expect(folder.read("passd.key").count == 32)
        #expect(!folder.names.contains("passd.key.new"))
    }
}

private func + (stride: StrideThrough<Int>, more: [Int]) -> [Int] { Array(stride) + more }
