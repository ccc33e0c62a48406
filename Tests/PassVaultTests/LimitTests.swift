// Tests that rows over a limit do not block other rows, and are written once they fit.

import AccessEnabler
import PassJSON
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §5.3: rows over a limit are named") struct LimitTests {
    private let folder = TemporaryDirectory(inMemory: true)

    private func huge(_ index: Int) -> VaultChange {
        var profile = Samples.profile
        profile.attributes["much"] = .init(value: .string(String(repeating: "x", count: 70_000)), isEncrypted: false)
        return .profile(Samples.crowdKey(index), profile)
    }

    @Test func `every refused row is named, and all other rows are written`() throws {
        let store = try Store(configuration(folder))
        let changes = Samples.crowd(3) + [huge(3)] + Samples.queue(2) + [huge(4)]
        let fault = #expect(throws: VaultFault.self) { try store.commit(changes) }
        #expect(fault?.kind == .limit)
        #expect(fault?.rows == [.profile(Samples.crowdKey(3)), .profile(Samples.crowdKey(4))])
        #expect(store.contents.profiles.count == 5 && store.contents.openLogins.count == 2)
        #expect(try onDisk.profiles.count == 3 && onDisk.openLogins.count == 2)
        #expect(store.codes == ["vault-row-refused"])
        #expect(store.health.warnings[0].message.hasPrefix("2 rows"))
        // One row is within the limit now and is written. The other row is still named.
        let later = #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(4)) }
        #expect(later?.rows == [.profile(Samples.crowdKey(4))])
        #expect(try onDisk.profiles.count == 4)
        try store.commit([.profile(Samples.crowdKey(4), nil)])
        #expect(store.codes == [])
    }

    @Test func `if there are too many rows, the excess rows are named`() throws {
        var small = configuration(folder)
        small.limits.rows = 5
        let store = try Store(small)
        try store.commit(Samples.crowd(4))
        let changes = Samples.crowd(8) + [.tombstone(Samples.tombstone, true), .profile(Samples.crowdKey(0), nil)]
        let fault = #expect(throws: VaultFault.self) { try store.commit(changes) }
        // One row is removed, so two of the four new rows fit.
        #expect(fault?.rows == [.profile(Samples.crowdKey(6)), .profile(Samples.crowdKey(7))])
        #expect(try onDisk.profiles.count == 5 && onDisk.tombstones.count == 1)
        #expect(store.contents.profiles.count == 7)
        // The commit that makes room writes these rows.
        try store.commit([.profile(Samples.crowdKey(1), nil), .profile(Samples.crowdKey(2), nil)])
        #expect(try onDisk.profiles.count == 5 && store.codes == [])
    }

    private var onDisk: VaultContents {
        get throws { try Store(configuration(folder.copy())).contents }
    }

    @Test func `a table over its limit may shrink but not grow`() throws {
        try fill(folder, Samples.crowd(9))
        var small = configuration(folder)
        small.limits.rows = 5
        let store = try Store(small)
        try store.commit([.profile(Samples.crowdKey(0), nil)])
        let fault = #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(1)) }
        #expect(fault?.rows == [.profile(Samples.crowdKey(0))])
        #expect(try onDisk.profiles.count == 8)
    }
}
