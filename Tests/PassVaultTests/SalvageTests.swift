// Tests that manipulated numbers do no harm, and that unreadable parts do not delay the start.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §5.5: quick rescue of readable rows") struct SalvageTests {
    private let folder = TemporaryDirectory(inMemory: true)

    @Test(arguments: [Int64.max, .max - 1, .min, 0, -1] as [Int64])
    func `a row with any row number is read, and rows can be added afterwards`(rowid: Int64) throws {
        try fill(folder, Samples.changes + Samples.crowd(5))
        try edit(folder, ["UPDATE profile SET rowid = \(rowid) WHERE requestor = 'R3'"])
        let store = try Store(configuration(folder))
        #expect(store.contents.profiles.count == 6)
        try store.commit(Samples.crowd(8))
        store.close()
        #expect(try Store(configuration(folder)).contents.profiles.count == 9)
    }

    /// The search after an unreadable page begins at the last readable row.
    @Test(arguments: [Int64.max, .max - 1, .max - 20_000] as [Int64])
    func `a row with the highest number before a damaged page does no harm`(rowid: Int64) throws {
        try fill(folder, Samples.crowd(300))
        try edit(folder, ["UPDATE profile SET rowid = \(rowid) WHERE requestor = 'R150'"])
        let whole = folder.read("passd.db")
        var lost = 0
        for page in stride(from: 4096, to: whole.count, by: 5 * 4096) {
            var bytes = whole
            bytes.replaceSubrange(page..<page + 4096, with: repeatElement(0xff, count: 4096))
            let copy = folder.copy()
            copy.write(bytes, to: "passd.db")
            let store = try Store(configuration(copy))
            #expect(store.health.isPersistent)
            if store.contents.profiles.count < 300 { lost += 1 }
        }
        #expect(lost > 0)
    }

    /// The file looks as if two pages had been swapped.
    @Test(arguments: ["selection", "tombstone", "device"])
    func `rows of another table are not counted as lost logins`(other: String) throws {
        try fill(folder, Samples.changes + Samples.crowd(2))
        let database = try Database(folder.path + "/passd.db", .existing)
        let count = try #require(try database.value("SELECT count(*) FROM \(other)")?.integer)
        #expect(count > 0)
        var starts: [Int] = []
        for table in ["profile", other] {
            let root = try database.value("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")?.integer
            starts.append((Int(try #require(root)) - 1) * 4096)
        }
        database.abandon()
        let whole = folder.read("passd.db")
        var bytes = whole
        for (start, from) in [(starts[0], starts[1]), (starts[1], starts[0])] {
            bytes.replaceSubrange(start..<start + 4096, with: whole[from..<from + 4096])
        }
        folder.write(bytes, to: "passd.db")
        let warning = try #require(
            try Store(configuration(folder)).health.warnings.first { $0.code == "vault-damaged" })
        #expect(warning.message.contains("other: \(count)"), "\(warning.message)")
        #expect(!warning.message.contains("profile:"), "\(warning.message)")
    }

    @Test(arguments: [false, true]) func `a large file of zeros does not delay the start`(hasHead: Bool) throws {
        try fill(folder, Samples.changes + Samples.crowd(50))
        var bytes = hasHead ? folder.read("passd.db") : []
        bytes += [UInt8](repeating: 0, count: (50 << 20) - bytes.count)
        if hasHead { for index in 8192..<bytes.count { bytes[index] = 0 } }
        folder.write(bytes, to: "passd.db")
        let started = processorTime()
        let store = try Store(configuration(folder))
        #expect(processorTime() - started < .seconds(5))
        #expect(store.codes == ["vault-damaged"] && store.health.isPersistent)
        try store.commit(Samples.changes)
    }

    /// The time limit is reached after the clock was read four hundred times.
    @Test func `logins and unreported logouts are rescued first`() throws {
        let order = relations.map { $0.table }
        #expect(order.prefix(2) == ["profile", "tombstone"])
        let tables = relations.map { $0.table }
        #expect(Set(order) == Set(tables))
        let ended: [VaultChange] = (0..<300).map { .tombstone(Samples.crowdKey($0), true) }
        try fill(folder, Samples.crowd(300) + Samples.queue(300) + ended)
        let database = try Database(folder.path + "/passd.db", .existing)
        var first: [String: Int64] = [:]
        for table in ["profile", "open_login"] {
            first[table] = try database.value(
                "SELECT pageno FROM dbstat WHERE name = '\(table)' AND pagetype = 'leaf' ORDER BY path LIMIT 1")?
                .integer
        }
        database.abandon()
        var bytes = folder.read("passd.db")
        for page in first.values {
            let start = Int(page - 1) * 4096
            bytes.replaceSubrange(start..<start + 4096, with: repeatElement(0xff, count: 4096))
        }
        folder.write(bytes, to: "passd.db")
        let bent = try Database(folder.path + "/passd.db", .existing)
        bent.forgive()
        let key = try #require(SealingKey(secret: folder.read("passd.key"), salt: folder.read("salt")))
        let clock = Ticker()
        let reading = StoreReading(bent, Keyring(current: key), now: clock.tick)
        #expect(first.count == 2 && reading.faults.count == 2)
        #expect(reading.contents.profiles.count > 200 && reading.contents.tombstones.count == 300)
        #expect(reading.contents.openLogins.count < 200)
    }
}

/// A clock that advances by a millisecond at each reading.
private final class Ticker {
    private var now = ContinuousClock.now

    func tick() -> ContinuousClock.Instant {
        now += .milliseconds(1)
        return now
    }
}
