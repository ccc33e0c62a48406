// Tests a full disk: changes that do not fit stay in memory, and are written once there is room.

import AccessEnabler
import CSQLite
import Glibc
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §3, §5: a full disk") struct FullDiskTests {
    private let folder = TemporaryDirectory(inMemory: true)

    @Test func `a commit that does not fit is kept in memory as a whole, until there is room`() throws {
        var small = configuration(folder)
        small.pageLimit = 24
        let store = try Store(small)
        try store.commit(Samples.changes)
        let before = store.described

        let fault = #expect(throws: VaultFault.self) { try store.commit(Samples.crowd(400)) }
        #expect(fault?.kind == .full)
        #expect(fault?.rows.count == 400 && store.contents.profiles.count == 401)
        #expect(try Store(configuration(folder.copy())).described == before)
        #expect(store.health.isPersistent)
        #expect(store.codes == ["vault-full"])
        #expect(throws: VaultFault.self) { try store.commit([.openLogin(Samples.loginKey, nil)]) }

        try store.commit((3..<400).map { .profile(Samples.crowdKey($0), nil) })
        #expect(store.codes == [])
        let after = store.described
        #expect(store.contents.profiles.count == 4 && store.contents.openLogins.isEmpty)
        store.close()
        #expect(try Store(configuration(folder)).described == after)
    }

    @Test func `while single changes fill the disk, all acknowledged changes are kept`() throws {
        var small = configuration(folder)
        small.pageLimit = 24
        let store = try Store(small)
        var kept = 0
        for change in Samples.crowd(400) {
            do { try store.commit([change]) } catch { break }
            kept += 1
        }
        #expect((1..<400).contains(kept))
        #expect(try Store(configuration(folder.copy())).contents.profiles.count == kept)
        // Removing logins makes room, also on a full disk.
        try store.commit((0..<kept).map { .profile(Samples.crowdKey($0), nil) })
        #expect(store.contents.profiles.count == 1, "the change that did not fit is written now")
        try store.commit(Samples.changes + [.profile(Samples.crowdKey(kept), nil)])
        #expect(try Store(configuration(folder.copy())).described == described(Samples.contents))
    }

    @Test func `without room for a store, all changes stay in memory until there is room`() throws {
        var none = configuration(folder)
        none.pageLimit = 2
        let store = try Store(none)
        #expect(store.codes == ["vault-full"])
        #expect(!store.health.isPersistent)
        let fault = #expect(throws: VaultFault.self) { try store.commit(Samples.changes) }
        #expect(fault?.kind == .full)
        #expect(store.described == described(Samples.contents))
    }

    private static let meanings: [(code: Int32, system: Int32, meaning: DatabaseFault.Meaning)] = [
        (SQLITE_FULL, 0, .full), (writeFault, ENOSPC, .full), (writeFault, EDQUOT, .full),
        (SQLITE_CANTOPEN, ENOSPC, .full), (SQLITE_CANTOPEN, EROFS, .readOnly), (SQLITE_READONLY, 0, .readOnly),
        (writeFault, EIO, .faulty), (SQLITE_CORRUPT, 0, .damaged), (SQLITE_NOTADB, 0, .damaged),
        (SQLITE_CANTOPEN, EACCES, .unreachable), (SQLITE_BUSY, 0, .busy), (SQLITE_NOMEM, 0, .unreachable),
        (SQLITE_ERROR, 0, .broken),
    ]
    /// The value of SQLITE_IOERR_WRITE.
    private static let writeFault: Int32 = 778

    @Test(arguments: meanings.indices) func `each pair of error codes from SQLite and the system has one meaning`(
        index: Int
    ) {
        let row = Self.meanings[index]
        #expect(DatabaseFault(code: row.code, systemCode: row.system, doing: "").meaning == row.meaning)
    }
}
