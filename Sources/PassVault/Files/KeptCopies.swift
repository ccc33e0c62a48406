// Copies of the store from before a migration. They are for older programs, which know only the schema of the copy. Because a
// copy has the logins of its time, the copies are removed when a login ends or the store is sealed with another key. If neither
// happens, they are removed after some time.

import AccessEnabler
import CSQLite
import Glibc

struct KeptCopies {
    let directory: StateDirectory
    /// The version of this program's schema.
    let version: Int
    let now: ServerTime

    /// The age at which a copy is removed: 30 days.
    private static let lifetime = Duration.seconds(30 * 24 * 3600)

    /// 1 January 2026, as Unix time. An earlier date is from a clock that was not set, because there was no passd then.
    private static let firstDate: Int64 = 1_767_225_600

    /// The newest copy that this program can use, if any.
    var newest: String? { usable.last { access($0, F_OK) == 0 } }

    /// Removes the copies that are too old. A copy dated before the first passd, or in the future, counts as made now.
    func removeOld() {
        let seconds = now.milliseconds / 1000
        guard seconds >= Self.firstDate else { return }
        for path in all {
            var status = stat()
            let possible = Self.firstDate...seconds + 24 * 3600
            if stat(path, &status) == 0, !possible.contains(Int64(status.st_mtim.tv_sec)) { date(path) }
        }
        remove(madeBefore: now.advanced(by: .zero - Self.lifetime))
    }

    /// Removes the copies that were made before `end`, or all copies if `end` is nil.
    func remove(madeBefore end: ServerTime? = nil) {
        let removed = all.filter { path in
            var status = stat()
            let isOld = end.map { stat(path, &status) == 0 && Int64(status.st_mtim.tv_sec) < $0.milliseconds / 1000 }
            return isOld ?? true && unlink(path) == 0
        }
        if !removed.isEmpty { directory.sync() }
    }

    /// Makes a copy. `needs` is the lowest version that a program must know to use the store as it is now.
    func keep(_ database: Database, needing needs: Int64) throws(DatabaseFault) {
        removeDraft()
        defer { removeDraft() }
        let doing = "keeping a copy of the store"
        do throws(DatabaseFault) { try database.run("VACUUM INTO ?", [.text(directory.draft)]) } catch {
            throw DatabaseFault(code: error.code, systemCode: error.systemCode, doing: doing)
        }
        chmod(directory.draft, 0o600)
        date(directory.draft)
        guard directory.syncFile(directory.draft), rename(directory.draft, path(needs)) == 0,
            directory.syncFile(directory.path)
        else { throw DatabaseFault(code: SQLITE_CANTOPEN, systemCode: errno, doing: doing) }
    }

    /// Sets the file's date to `now`, because the age of the copy is measured by this clock.
    private func date(_ path: String) {
        let seconds = timespec(tv_sec: time_t(now.milliseconds / 1000), tv_nsec: 0)
        utimensat(AT_FDCWD, path, [seconds, seconds], 0)
    }

    private func removeDraft() { for suffix in SetAside.suffixes { unlink(directory.draft + suffix) } }

    private func path(_ needs: Int64) -> String { directory.database + ".schema-\(needs)" }

    /// The paths of the copies that this program can use.
    private var usable: [String] { (0...Int64(version)).map(path) }

    /// The paths of all copies. After a downgrade, some copies may need a later version.
    private var all: [String] {
        guard let names = try? FolderListing.names(in: directory.path) else { return usable }
        return names.filter { $0.hasPrefix("passd.db.schema-") }.map { directory.path + "/" + $0 }
    }
}
