// Tests the file of the last decisions: it outlives a restart and is sealed, and a logout removes it.

import AccessEnabler
import Glibc
import PassTestTools
import Testing

@testable import PassVault

@Suite("storage-layouts §3.4: the last decisions") struct DecisionFileTests {
    private let folder = TemporaryDirectory(inMemory: true)
    private static let text = #"[{"kind":"play","outcome":"denied"}]"#
    private var isThere: Bool { folder.names.contains("decisions") }

    private func open() throws -> Store { try Store(configuration(folder, credential: 1)) }

    /// Makes a store with logins and decisions.
    private func filled(_ changes: [VaultChange] = Samples.changes, closes: Bool = true) throws {
        let store = try open()
        try store.commit(changes)
        store.syncDecisions()
        store.keepDecisions(Self.text)
        store.syncDecisions()
        if closes { store.close() }
    }

    @Test(arguments: [true, false]) func `decisions outlive a restart, sealed`(closes: Bool) throws {
        try filled(closes: closes)
        #expect(folder.mode(of: "decisions") == 0o600 && !folder.names.contains("decisions.new"))
        #expect(!String(decoding: folder.read("decisions"), as: UTF8.self).contains("denied"))
        let store = try open()
        #expect(store.decisions() == Self.text && store.codes == [])
        store.keepDecisions(nil)
        #expect(!isThere && store.decisions() == nil)
    }

    @Test(arguments: [
        [VaultChange.profile(Samples.profileKey, nil)],
        [.profile(Samples.profileKey, nil), .tombstone(Samples.profileKey, true)],
    ]) func `the end of a login removes the file, and other changes keep it`(end: [VaultChange]) throws {
        try filled()
        let store = try open()
        try store.commit(Samples.queue(1) + Samples.crowd(1))
        #expect(isThere && store.hasDecisions)
        try store.commit(end)
        #expect(!isThere && !store.hasDecisions)
        store.close()
        #expect(try open().decisions() == nil)
    }

    @Test func `the integrity check and the import of a backup remove the file`() throws {
        try filled()
        var clearing = configuration(folder, credential: 1)
        clearing.integrityCheck = .clear
        try Store(clearing).close()
        #expect(!isThere)
        try filled()
        let store = try open()
        _ = try store.restore(try store.backUp().text)
        #expect(!isThere)
    }

    @Test func `a torn file, the file of another box, and a directory in its place do not count`() throws {
        try filled()
        let whole = folder.read("decisions")
        let torn: [[UInt8]] = [[], Array(whole.dropLast()), [0] + Array("[]".utf8), [9]]
        for bytes in torn {
            folder.write(bytes, to: "decisions")
            #expect(try open().decisions() == nil)
        }
        folder.remove("passd.db")
        folder.write(whole, to: "decisions")
        let store = try open()
        #expect(store.decisions() == nil)
        folder.remove("decisions")
        try #require(mkdir(folder.path + "/decisions", 0o700) == 0)
        store.keepDecisions(Self.text)
        #expect(store.decisions() == nil && !folder.names.contains("decisions.new"))
    }

    @Test func `without a disk, nothing is kept, and after the close nothing is written`() throws {
        try filled()
        let store = try open()
        store.close()
        store.keepDecisions("[]")
        #expect(try open().decisions() == Self.text)
    }
}
