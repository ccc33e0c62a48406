// Tests that the store names the rows that it refuses, so that the rest can be written without them at once.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §5.3: what is too much is named") struct LimitTests {
    private let folder = TemporaryDirectory(inMemory: true)

    private func huge(_ index: Int) -> VaultChange {
        var profile = Samples.profile
        profile.attributes["much"] = .init(value: .string(String(repeating: "x", count: 70_000)), isEncrypted: false)
        return .profile(Samples.crowdKey(index), profile)
    }

    @Test func `every row that is refused is named, and all others are written at once`() throws {
        let store = try Store(configuration(folder))
        let changes = Samples.crowd(3) + [huge(3)] + Samples.queue(2) + [huge(4)]
        let fault = #expect(throws: VaultFault.self) { try store.commit(changes) }
        #expect(fault?.kind == .limit)
        #expect(fault?.rows == [.profile(Samples.crowdKey(3)), .profile(Samples.crowdKey(4))])
        #expect(store.contents.profiles.isEmpty)
        try store.commit(changes.filter { fault?.rows.contains($0.row) == false })
        #expect(store.contents.profiles.count == 3 && store.contents.openLogins.count == 2)
        #expect(store.codes == ["vault-row-refused"])
        #expect(store.health.warnings[0].message.hasPrefix("2 rows"))
    }

    @Test func `of too many rows those are named for which there is no room`() throws {
        var small = configuration(folder)
        small.limits.rows = 5
        let store = try Store(small)
        try store.commit(Samples.crowd(4))
        let changes = Samples.crowd(8) + [.tombstone(Samples.tombstone, true), .profile(Samples.crowdKey(0), nil)]
        let fault = #expect(throws: VaultFault.self) { try store.commit(changes) }
        // One is removed, so two of the four new ones fit.
        #expect(fault?.rows == [.profile(Samples.crowdKey(6)), .profile(Samples.crowdKey(7))])
        try store.commit(changes.filter { fault?.rows.contains($0.row) == false })
        #expect(store.contents.profiles.count == 5 && store.contents.tombstones.count == 1)
    }

    @Test func `where there are too many already, fewer is allowed and more is not`() throws {
        try fill(folder, Samples.crowd(9))
        var small = configuration(folder)
        small.limits.rows = 5
        let store = try Store(small)
        try store.commit([.profile(Samples.crowdKey(0), nil)])
        let fault = #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(1)) }
        #expect(fault?.rows == [.profile(Samples.crowdKey(0))] && store.contents.profiles.count == 8)
    }
}
