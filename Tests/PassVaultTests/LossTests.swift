// Tests the loss of any part of the store's files. The next start finds all data, or reports the loss.

import AccessEnabler
import CSQLite
import Glibc
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §5.5: every loss is reported") struct LossTests {
    private let folder = TemporaryDirectory(inMemory: true)
    private static let block = 4096

    /// The files after a kill. Some logins are already in the database, and changes are in the log.
    private func abandoned() throws -> (files: TemporaryDirectory, whole: [String]) {
        let store = try Store(configuration(folder))
        for change in Samples.crowd(19) { try store.commit([change]) }
        // The end of a login empties the log.
        try store.commit([.profile(Samples.crowdKey(18), nil)])
        for change in Samples.queue(9) { try store.commit([change]) }
        return (folder.copy(), store.described)
    }

    enum Bend: CaseIterable, Sendable { case zeroBlock, zeroSector, flip, cut }

    @Test(arguments: ["passd.db", "passd.db-wal", "passd.db.mark"], Bend.allCases)
    func `after damage to any part, the start is complete or reports the loss`(name: String, bend: Bend) throws {
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
            copy.write(bent, to: name)
            let store = try Store(configuration(copy))
            let place: Comment = "\(name) \(bend) at \(start): \(store.health.warnings)"
            if store.described == whole {
                #expect(Self.mayBeSaidOfNoLoss(store.health.warnings), place)
            } else {
                #expect(store.codes.contains(where: Self.saysLoss), place)
            }
            #expect(store.health.isPersistent)
        }
    }

    private static func saysLoss(_ code: String) -> Bool {
        ["vault-damaged", "vault-rows-unreadable", "vault-gone", "vault-older"].contains(code)
    }

    /// With damaged pages, a damaged index or a damaged log, the lost rows are unknown, so the report names none.
    private static func mayBeSaidOfNoLoss(_ warnings: [VaultHealth.Warning]) -> Bool {
        warnings.allSatisfy { warning in
            warning.code == "vault-damaged" && warning.message.contains("All rows that were found were kept.")
                && warning.message.contains("passd cannot know whether the store had more rows.")
                && !warning.message.contains("missing")
        }
    }

    private func zeros(_ bytes: [UInt8], _ start: Int, _ count: Int) -> [UInt8] {
        Array(repeating: 0, count: min(count, bytes.count - start))
    }

    @Test func `a logout is in the database itself when its commit returns, and so are all earlier changes`() throws {
        let store = try Store(configuration(folder))
        try store.commit(Samples.crowd(3))
        let ends: [[VaultChange]] = [
            [.profile(Samples.crowdKey(0), nil), .tombstone(Samples.crowdKey(0), true)],
            // This login does not need to be reported to the service.
            [.profile(Samples.crowdKey(1), nil)],
        ]
        for changes in ends {
            try store.commit(changes)
            let copy = folder.copy()
            #expect(copy.read("passd.db-wal").isEmpty)
            copy.remove("passd.db-wal")
            #expect(try Store(configuration(copy)).described == store.described)
        }
    }

    @Test func `a logout that reaches the disk only after an outage is in the database itself, too`() throws {
        try fill(folder, Samples.crowd(2))
        let key = folder.read("passd.key")
        folder.remove("passd.key")
        folder.link("passd.key", to: "/nowhere")
        let store = try Store(configuration(folder))
        let ended = Samples.crowdKey(0)
        #expect(throws: VaultFault.self) { try store.commit([.profile(ended, nil), .tombstone(ended, true)]) }
        folder.remove("passd.key")
        folder.write(key, to: "passd.key")
        folder.setMode(of: "passd.key", to: 0o600)
        try store.commit([])
        let copy = folder.copy()
        #expect(copy.read("passd.db-wal").isEmpty)
        copy.remove("passd.db-wal")
        let next = try Store(configuration(copy))
        #expect(next.contents.profiles.keys.contains(ended) == false && next.contents.tombstones == [ended])
    }

    @Test func `a closed store without unwritten changes has no fault`() throws {
        let store = try Store(configuration(folder))
        try store.commit(Samples.crowd(1))
        store.close()
        try store.commit([])
        #expect(throws: VaultFault.self) { try store.commit([.profile(Samples.crowdKey(0), nil)]) }
        #expect(throws: VaultFault.self) { try store.commit([]) }
    }

    @Test func `changes that a start finds in the log are moved to the database before they are used`() throws {
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

    @Test func `a store that lacks changes is reported until an operator had time to read the report`() throws {
        let store = try Store(configuration(folder))
        try store.commit(Samples.crowd(2))
        var old = folder.copy()
        for change in Samples.queue(3) { try store.commit([change]) }
        store.close()
        old.write(folder.read("passd.db.mark"), to: "passd.db.mark")
        // The report is repeated after a kill, because perhaps no operator has read it.
        for _ in 1...2 {
            let again = try Store(configuration(old))
            #expect(again.codes == ["vault-older"])
            #expect(again.health.warnings[0].message.contains("its last 3 changes are missing"))
            #expect(again.contents.profiles.count == 2 && again.health.isPersistent)
            old = old.copy()
        }
        try Store(configuration(old)).close()
        #expect(try Store(configuration(old)).codes == [])
        #expect(!old.names.contains { $0.contains("damaged") })
    }

    @Test(arguments: [[], [0], Array("passd 1 x 9 even 0\n".utf8), Array(repeating: 0xff, count: 300)] as [[UInt8]])
    func `an invalid mark causes no warning`(mark: [UInt8]) throws {
        let (files, whole) = try abandoned()
        files.write(mark, to: "passd.db.mark")
        let store = try Store(configuration(files))
        #expect(store.codes == [] && store.described == whole)
        try store.commit(Samples.queue(1))
        #expect(CommitMark(files.read("passd.db.mark")) != nil)
    }

    @Test func `the mark is never ahead of the durable commits, and is read back unchanged`() throws {
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

    @Test func `changes that passd could not write before its end are reported once, at the next start`()
        throws
    {
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

    @Test func `a later change does not end the report of lost changes, but room for them does`() throws {
        for isWritten in [true, false] {
            let folder = TemporaryDirectory(inMemory: true)
            var small = configuration(folder)
            small.pageLimit = 24
            let store = try Store(small)
            #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(400)) }
            #expect(throws: VaultFault.self) {
                try store.commit([.registration(Samples.registration, Samples.credentials)])
            }
            if isWritten { try store.commit((0..<400).map { .profile(Samples.crowdKey($0), nil) }) }
            let copy = folder.copy()
            let next = try Store(configuration(copy))
            #expect(next.codes == (isWritten ? [] : ["vault-changes-lost"]))
            #expect(next.contents.registrations.count == (isWritten ? 1 : 0))
        }
    }

    @Test(arguments: [true, false]) func `changes from a run without a disk are reported, too`(
        isMended: Bool
    ) throws {
        try fill(folder)
        let key = folder.read("passd.key")
        folder.remove("passd.key")
        folder.link("passd.key", to: "/nowhere")
        let store = try Store(configuration(folder))
        #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(1)) }
        folder.remove("passd.key")
        folder.write(key, to: "passd.key")
        folder.setMode(of: "passd.key", to: 0o600)
        if isMended { #expect(store.recover()) }
        store.close()
        let next = try Store(configuration(folder))
        #expect(next.codes == (isMended ? [] : ["vault-changes-lost"]))
        #expect(next.contents.profiles.count == (isMended ? 2 : 1))
    }

    @Test(arguments: [["passd.db"], ["passd.db", "passd.db.mark"]])
    func `a kill during the replacement of a lost store does not hide the loss`(removed: [String]) throws {
        try fill(folder)
        for name in removed { folder.remove(name) }
        // This is always the first step of a start.
        if removed.count > 1 { folder.write(CommitMark.ofLostStore.bytes, to: "passd.db.mark") }
        folder.write(Array(repeating: 7, count: 5_000), to: "passd.db.new")
        var files = folder
        for _ in 1...2 {
            #expect(try Store(configuration(files)).codes == ["vault-gone"])
            files = files.copy()
        }
        // A viewer has logged in, so the loss is known.
        let store = try Store(configuration(files))
        try store.commit(Samples.crowd(1))
        #expect(try Store(configuration(files.copy())).codes == [])
    }

    @Test func `a start without its store records the loss before any other step`() throws {
        try fill(folder)
        for name in ["passd.db", "passd.db.mark"] { folder.remove(name) }
        // There is no room for the new store.
        var small = configuration(folder)
        small.pageLimit = 2
        #expect(try !Store(small).health.isPersistent)
        #expect(folder.names.contains("passd.db.new") && !folder.names.contains("passd.db"))
        #expect(try Store(configuration(folder)).codes == ["vault-gone"])
    }

    @Test(arguments: [["passd.db"], ["passd.db", "passd.db.mark"]])
    func `a missing store is reported if its key exists`(removed: [String]) throws {
        try fill(folder)
        for name in removed { folder.remove(name) }
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-gone"])
        store.close()
        #expect(try Store(configuration(folder)).codes == [])
    }

    @Test func `the very first start reports no loss, with or without a key file`() throws {
        for credential in [nil, UInt8(1)] {
            #expect(try Store(configuration(TemporaryDirectory(inMemory: true), credential: credential)).codes == [])
        }
    }

    @Test func `a commit counter at its maximum stops, but everything else continues`() throws {
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
