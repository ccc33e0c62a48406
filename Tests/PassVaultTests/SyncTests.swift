// Tests which files a commit syncs. For each sync the viewer waits for the disk.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassVault

extension RecoveryTests {
    @Test func `a login takes one sync, a logout two, and a login right after a logout one more`() throws {
        let configuration = try faulty()
        let store = try Store(configuration)
        try store.commit(Samples.queue(1))
        func syncs(of changes: [VaultChange]) throws -> [String] {
            let before = FaultyDisk.syncs(in: configuration.directory).count
            try store.commit(changes)
            return Array(FaultyDisk.syncs(in: configuration.directory).dropFirst(before))
        }
        let logout = [VaultChange.profile(Samples.crowdKey(0), nil), .tombstone(Samples.crowdKey(0), true)]
        for round in 1...2 {
            // SQLite itself syncs the header of a log that was empty.
            #expect(try syncs(of: Samples.crowd(1)) == Array(repeating: "passd.db-wal", count: round))
            #expect(try syncs(of: logout) == ["passd.db-wal", "passd.db"])
            #expect(folder.read(FaultyDisk.folder + "/passd.db-wal").isEmpty)
        }
    }

    @Test func `a logout is valid even if the log cannot be emptied, and the log stays until it can be`() throws {
        let configuration = try faulty()
        let store = try Store(configuration)
        try store.commit(Samples.crowd(3))
        FaultyDisk.become(.syncingDatabase, in: folder)
        defer { FaultyDisk.become(nil, in: folder) }
        #expect(throws: VaultFault.self) { try store.commit([.profile(Samples.crowdKey(0), nil)]) }
        #expect(!folder.read(FaultyDisk.folder + "/passd.db-wal").isEmpty)
        #expect(store.contents.profiles.count == 2 && !store.health.isPersistent)
        FaultyDisk.become(nil, in: folder)
        try store.commit(Samples.queue(1))
        #expect(store.health.isPersistent && store.codes == [])
        let expected = store.described
        store.close()
        #expect(try Store(configuration).described == expected && store.contents.profiles.count == 2)
    }
}
