// Numbers that somebody bent end nothing, and what cannot be read does not hold up the start.

import AccessEnabler
import Testing

@testable import PassVault

@Suite("architecture §5.5: saving what is left, soon") struct SalvageTests {
    private let folder = TemporaryFolder()

    @Test(arguments: [Int64.max, .max - 1, .min, 0, -1] as [Int64])
    func `a row of any number is read, and others can be added`(rowid: Int64) throws {
        try fill(folder, Samples.changes + Samples.crowd(5))
        try edit("UPDATE profile SET rowid = \(rowid) WHERE requestor = 'R3'")
        let store = try Store(configuration(folder))
        #expect(store.contents.profiles.count == 6)
        try store.commit(Samples.crowd(8))
        store.close()
        #expect(try Store(configuration(folder)).contents.profiles.count == 9)
    }

    /// The search behind a page that cannot be read begins at the last row that could.
    @Test(arguments: [Int64.max, .max - 1, .max - 20_000] as [Int64])
    func `a row of the highest number in front of a damaged page ends nothing`(rowid: Int64) throws {
        try fill(folder, Samples.crowd(300))
        try edit("UPDATE profile SET rowid = \(rowid) WHERE requestor = 'R150'")
        let whole = folder.read("passd.db")
        var lost = 0
        for page in stride(from: 4096, to: whole.count, by: 5 * 4096) {
            var bytes = whole
            bytes.replaceSubrange(page..<page + 4096, with: repeatElement(0xff, count: 4096))
            let copy = folder.copy()
            copy.write("passd.db", bytes)
            let store = try Store(configuration(copy))
            #expect(store.health.isPersistent)
            if store.contents.profiles.count < 300 { lost += 1 }
        }
        #expect(lost > 0)
    }

    @Test(arguments: [false, true]) func `a large file of zeros holds nobody up`(hasHead: Bool) throws {
        try fill(folder, Samples.changes + Samples.crowd(50))
        var bytes = hasHead ? folder.read("passd.db") : []
        bytes += [UInt8](repeating: 0, count: (50 << 20) - bytes.count)
        if hasHead { for index in 8192..<bytes.count { bytes[index] = 0 } }
        folder.write("passd.db", bytes)
        let started = ContinuousClock.now
        let store = try Store(configuration(folder))
        #expect(started.duration(to: .now) < .seconds(5))
        #expect(store.codes == ["vault-damaged"] && store.health.isPersistent)
        try store.commit(Samples.changes)
    }

    private func edit(_ statement: String) throws {
        let database = try Database(folder.path + "/passd.db", .existing)
        try database.trust()
        try database.run(statement)
    }
}
