// Whatever part of the store's files is lost: a start finds everything, or says that something is missing.

import AccessEnabler
import CSQLite
import Testing

@testable import PassVault

@Suite("architecture §5.5: nothing is lost without a word") struct LossTests {
    private let folder = TemporaryFolder()
    private static let block = 4096

    /// As after a kill: logins that are in the database already, and changes that are in the log.
    private func abandoned() throws -> (files: TemporaryFolder, whole: [String]) {
        let store = try Store(configuration(folder))
        for change in Samples.crowd(18) { try store.commit([change]) }
        for change in Samples.queue(9) { try store.commit([change]) }
        return (folder.copy(), store.described)
    }

    enum Bend: CaseIterable, Sendable { case zeroBlock, zeroSector, flip, cut }

    @Test(arguments: ["passd.db", "passd.db-wal", "passd.db.mark"], Bend.allCases)
    func `whichever part is bent, the start is whole or says so`(name: String, bend: Bend) throws {
        let (files, whole) = try abandoned()
        let bytes = files.read(name)
        #expect(!bytes.isEmpty)
        let step = bend == .zeroBlock ? Self.block : max(512, bytes.count / 24)
        for start in stride(from: 0, to: bytes.count, by: step) {
            var bent = bytes
            switch bend {
            case .zeroBlock: bent.replaceSubrange(start..<min(start + step, bent.count), with: zeros(bent, start, step))
            case .zeroSector: bent.replaceSubrange(start..<min(start + 512, bent.count), with: zeros(bent, start, 512))
            case .flip: bent[start + min(70, bent.count - start - 1)] ^= 0x10
            case .cut: bent.removeLast(bent.count - start)
            }
            let copy = files.copy()
            copy.write(name, bent)
            let store = try Store(configuration(copy))
            let isTold = !Set(store.codes).isDisjoint(with: ["vault-damaged", "vault-rows-unreadable", "vault-gone"])
            #expect(isTold || store.described == whole, "\(name) \(bend) at \(start): \(store.codes)")
            #expect(store.health.isPersistent)
        }
    }

    private func zeros(_ bytes: [UInt8], _ start: Int, _ count: Int) -> [UInt8] {
        Array(repeating: 0, count: min(count, bytes.count - start))
    }

    @Test func `a login is in the database itself when its commit returns, and so is a logout`() throws {
        let store = try Store(configuration(folder))
        for changes in [Samples.crowd(3), [.profile(Samples.crowdKey(0), nil), .tombstone(Samples.crowdKey(0), true)]] {
            try store.commit(changes)
            let copy = folder.copy()
            #expect(copy.read("passd.db-wal").isEmpty)
            copy.remove("passd.db-wal")
            #expect(try Store(configuration(copy)).described == store.described)
        }
    }

    @Test func `what a start finds in the log is in the database itself before anybody sees it`() throws {
        let store = try Store(configuration(folder))
        for change in Samples.queue(3) { try store.commit([change]) }
        let killed = folder.copy()
        #expect(!killed.read("passd.db-wal").isEmpty)
        let again = try Store(configuration(killed))
        #expect(again.described == store.described)
        let cut = killed.copy()
        #expect(cut.read("passd.db-wal").isEmpty)
        cut.remove("passd.db-wal")
        let last = try Store(configuration(cut))
        #expect(last.described == store.described && last.codes == [])
    }

    @Test func `a store that is older than it was is told, once`() throws {
        let store = try Store(configuration(folder))
        try store.commit(Samples.crowd(2))
        let old = folder.copy()
        for change in Samples.queue(3) { try store.commit([change]) }
        store.close()
        old.write("passd.db.mark", folder.read("passd.db.mark"))
        let again = try Store(configuration(old))
        #expect(again.codes == ["vault-damaged"])
        #expect(again.health.warnings[0].message.contains("its last 3 changes are missing"))
        #expect(again.contents.profiles.count == 2)
        again.close()
        #expect(try Store(configuration(old)).codes == ["vault-set-aside"])
    }

    @Test(arguments: [[], [0], Array("passd 1 x 9 even 0\n".utf8), Array(repeating: 0xff, count: 300)] as [[UInt8]])
    func `a mark that says nothing alarms nobody`(mark: [UInt8]) throws {
        let (files, whole) = try abandoned()
        files.write("passd.db.mark", mark)
        let store = try Store(configuration(files))
        #expect(store.codes == [] && store.described == whole)
        try store.commit(Samples.queue(1))
        #expect(CommitMark(files.read("passd.db.mark")) != nil)
    }

    @Test func `the mark is never ahead of what is durable, and says what it says`() throws {
        let store = try Store(configuration(folder))
        var last: Int64 = -1
        for change in Samples.queue(5) {
            try store.commit([change])
            let mark = try #require(CommitMark(folder.read("passd.db.mark")))
            #expect(mark.commits == last + 1 || last < 0)
            last = mark.commits
            let copy = folder.copy()
            let database = try Database(copy.path + "/passd.db", .existing)
            #expect(try CommitCounter.mark(in: database) == mark)
        }
        let mark = CommitMark(store: "0123456789abcdef", commits: .max, owes: true)
        #expect(CommitMark(mark.bytes) == mark)
    }

    @Test func `changes that could not be written when passd ended are told at the next start, and only then`() throws {
        var small = configuration(folder)
        small.pageLimit = 24
        let store = try Store(small)
        #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(400)) }
        store.close()
        let next = try Store(configuration(folder))
        #expect(next.codes == ["vault-changes-lost"])
        try next.commit(Samples.crowd(1))
        next.close()
        #expect(try Store(configuration(folder)).codes == [])
    }

    @Test(arguments: [["passd.db"], ["passd.db", "passd.db.mark"]])
    func `a store that is gone while its key is there is told`(removed: [String]) throws {
        try fill(folder)
        for name in removed { folder.remove(name) }
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-gone"])
        store.close()
        #expect(try Store(configuration(folder)).codes == [])
    }

    @Test func `the first start of all misses nothing, with a key file or without`() throws {
        for credential in [nil, UInt8(1)] {
            #expect(try Store(configuration(TemporaryFolder(), credential: credential)).codes == [])
        }
    }

    @Test func `a commit counter that cannot count on stops, and nothing else does`() throws {
        try fill(folder)
        let database = try Database(folder.path + "/passd.db", .existing)
        try database.trust()
        try database.run("UPDATE about SET value = '\(Int64.max)' WHERE name = 'commits'")
        database.abandon()
        let store = try Store(configuration(folder))
        #expect(store.codes == [])
        try store.commit(Samples.crowd(3))
        let expected = store.described
        store.close()
        #expect(try Store(configuration(folder)).described == expected)
    }
}
