// Tests that a damaged store never prevents the start. It is set aside under a dated name, readable rows are kept, and
// the health reports the damage.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §5.5: a damaged file") struct DamageTests {
    private let folder = TemporaryDirectory(inMemory: true)
    private static let page = 4096
    private static let setAside = "passd.db.damaged-20261121T153000Z"

    struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var keepsRows = false
        var apply: @Sendable (inout [UInt8]) -> Void
    }

    static let damages: [Damage] = [
        Damage(testDescription: "a garbage header") {
            $0.replaceSubrange(0..<100, with: repeatElement(0xa5, count: 100))
        },
        Damage(testDescription: "nothing but garbage") { $0 = $0.map { $0 ^ 0x5a } },
        Damage(testDescription: "nothing but zeros") { $0 = $0.map { _ in 0 } },
        Damage(testDescription: "a foreign file") { $0 = Array("[storage]\nsealing = none\n".utf8) },
        Damage(testDescription: "one byte") { $0 = [0] },
        Damage(testDescription: "cut inside the header") { $0.removeLast($0.count - 50) },
        Damage(testDescription: "cut after the first page") { $0.removeLast($0.count - page) },
        Damage(testDescription: "cut in half", keepsRows: true) { $0.removeLast($0.count / 2) },
        Damage(testDescription: "another program's mark", keepsRows: true) { $0[68] ^= 0x10 },
        Damage(testDescription: "a version that cannot be", keepsRows: true) { $0[60] ^= 0x40 },
        Damage(testDescription: "a page of zeros in the middle", keepsRows: true) { bytes in
            let middle = bytes.count / 2 / page * page
            bytes.replaceSubrange(middle..<middle + page, with: repeatElement(0, count: page))
        },
        Damage(testDescription: "a page of garbage in the middle", keepsRows: true) { bytes in
            let middle = bytes.count / 2 / page * page
            bytes.replaceSubrange(middle..<middle + page, with: repeatElement(0xff, count: page))
        },
    ]

    @Test(arguments: damages) func `a damaged file is set aside, and readable rows are kept`(damage: Damage) throws {
        try fill(folder, Samples.changes + Samples.crowd(400))
        var bytes = folder.read("passd.db")
        damage.apply(&bytes)
        folder.write(bytes, to: "passd.db")

        let store = try Store(configuration(folder))
        #expect(store.health.isPersistent)
        #expect(store.codes == ["vault-damaged"])
        #expect(store.health.warnings.first?.message.contains(Self.setAside) == true)
        #expect(folder.read(Self.setAside) == bytes)
        expectNothingInvented(store)
        if damage.keepsRows { #expect(store.contents.profiles.count >= 10, "\(store.health)") }

        // From now on the new store is complete, and reports the place of the old store.
        try store.commit(Samples.changes)
        let kept = store.described
        store.close()
        let again = try Store(configuration(folder))
        #expect(again.described == kept)
        #expect(again.codes == ["vault-set-aside"])
        #expect(folder.mode(of: "passd.db") == 0o600)
    }

    /// The positions are drawn from a fixed seed.
    @Test(arguments: 0..<30) func `flipped bits lose only their own rows, and every loss is reported`(
        seed: Int
    ) throws {
        try fill(folder, Samples.changes + Samples.crowd(30))
        let whole = try Store(configuration(folder.copy())).described
        var bytes = folder.read("passd.db")
        var random = Seeded(state: UInt64(seed) &+ 1)
        for _ in 0...seed % 4 { bytes[Int(random.next() % UInt64(bytes.count))] ^= 1 << (random.next() % 8) }
        folder.write(bytes, to: "passd.db")

        let store = try Store(configuration(folder))
        #expect(store.health.isPersistent)
        if store.contents.profiles.count < 31 || !Set(store.described).isSubset(of: whole) {
            let codes = Set(store.codes).intersection(["vault-damaged", "vault-rows-unreadable"])
            #expect(!codes.isEmpty || isPlainFieldOnly(store, whole))
        }
        try store.commit(Samples.changes)
    }

    @Test(arguments: [(40, true, 0), (32 + 24 + 100, true, 0), (-50, true, 5), (-50, false, 5)])
    func `a damaged log is distinguished from a log that ends early`(offset: Int, isNoted: Bool, kept: Int) throws {
        let store = try Store(configuration(folder))
        for change in Samples.queue(6) { try store.commit([change]) }
        let copy = folder.copy()
        var log = copy.read("passd.db-wal")
        log[offset < 0 ? log.count + offset : offset] ^= 0xff
        copy.write(log, to: "passd.db-wal")
        // Without the mark, a damaged end looks like an unacknowledged commit that a power cut interrupted.
        if !isNoted { copy.remove("passd.db.mark") }

        let next = try Store(configuration(copy))
        #expect(next.codes == (isNoted ? ["vault-damaged"] : []))
        #expect(next.described == described(Samples.queue(kept).contents))
        if isNoted { #expect(copy.read(Self.setAside + "-wal").count == log.count) }
        try next.commit(Samples.changes)
    }

    @Test func `a log with a damaged header is reported`() throws {
        let store = try Store(configuration(folder))
        try store.commit(Samples.queue(1))
        let copy = folder.copy()
        var log = copy.read("passd.db-wal")
        log[17] ^= 0xff
        copy.write(log, to: "passd.db-wal")
        #expect(try Store(configuration(copy)).codes == ["vault-damaged"])
    }

    @Test func `two damaged stores in the same second get different names, and their number is limited`() throws {
        for round in 1...SetAside.maxKept + 3 {
            folder.write(Array("damage \(round)".utf8), to: "passd.db")
            try Store(configuration(folder)).close()
        }
        let names = folder.names.filter { $0.hasPrefix("passd.db.damaged-") }
        #expect(names.count == SetAside.maxKept)
        let youngest = names.map { String(decoding: folder.read($0), as: UTF8.self) }
        #expect(youngest.contains("damage \(SetAside.maxKept + 3)"))
        #expect(!youngest.contains("damage 1"))
    }

    @Test func `a file that is removed while it is open is written again from memory`() throws {
        let store = try Store(configuration(folder))
        try store.commit(Samples.changes)
        folder.remove("passd.db")
        try store.commit(Samples.crowd(3))
        #expect(store.health.isPersistent)
        try store.commit([.tombstone(Samples.tombstone, false)])
        // This is true after a kill now and after a normal stop.
        #expect(try Store(configuration(folder.copy())).described == store.described)
        let expected = store.described
        store.close()
        #expect(try Store(configuration(folder)).described == expected)
    }

    private func expectNothingInvented(_ store: Store) {
        #expect(store.contents.profiles.values.allSatisfy { $0 == Samples.profile })
        #expect(store.contents.openLogins.values.allSatisfy { $0 == Samples.login })
    }

    /// Unencrypted fields are not sealed. A changed bit in such a field is not noticed, but the field is not secret.
    private func isPlainFieldOnly(_ store: Store, _ whole: [String]) -> Bool {
        store.contents.profiles.count == 31 && store.described.count == whole.count
    }
}

struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 29) ^ (state >> 7)
    }
}
