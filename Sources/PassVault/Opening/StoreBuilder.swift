// Writes a whole new store beside the old store. Then the new store takes the place of the old store. At any time, one of the
// two is complete. The old store is set aside, not overwritten. architecture.md §5.5.

import AccessEnabler
import CSQLite
import Glibc

struct StoreBuilder {
    let configuration: VaultConfiguration
    let directory: StateDirectory
    let keyring: Keyring

    /// Replaces the file at the store's path with a new database that has these contents. `setAside` is the new path of
    /// the old file.
    func rebuild(
        _ contents: VaultContents, what: String, note: StoreNote? = nil
    ) throws(DatabaseFault) -> (Database, setAside: String?) {
        try draft(contents, note, named: directory.replacement)
        let setAside = try install(what)
        return (try open(), setAside)
    }

    /// Writes a store that gets its name only when it is complete.
    func draft(_ contents: VaultContents, _ note: StoreNote?, named name: String) throws(DatabaseFault) {
        emptyDraft()
        do throws(DatabaseFault) {
            try write(contents, note, to: directory.draft)
            guard rename(directory.draft, name) == 0 else { throw fault("renaming the new store") }
        } catch {
            emptyDraft()
            throw error
        }
        directory.sync()
    }

    /// Finishes work that a power cut interrupted. Returns the new path of the old store if it was set aside. A replacement may
    /// be empty because the key was missing. If the old store is still in place, such a replacement is removed. If the key is
    /// still missing, another replacement is made later.
    func finish(_ what: String) throws(DatabaseFault) -> String? {
        guard access(directory.database, F_OK) == 0,
            try isWhole(directory.replacement, where: StoreNote.waitsEmpty)
        else { return try install(what) }
        unlink(directory.replacement)
        directory.sync()
        return nil
    }

    /// Puts a replacement in place of the store. A file that has the name of the replacement is complete. Returns the new
    /// path of the old store, if there was one.
    func install(_ what: String) throws(DatabaseFault) -> String? {
        guard try isWhole(directory.replacement) else { return nil }
        let setAside = SetAside(directory: directory, now: configuration.now())
        let name = setAside.moveDatabase(what)
        guard rename(directory.replacement, directory.database) == 0 else {
            throw fault("putting the new store in place")
        }
        directory.sync()
        setAside.prune()
        return name
    }

    /// Whether the path names a valid store that may replace the present store. Any other file at the path is set aside.
    func isWhole(
        _ path: String, where holds: (Database) -> Bool = { _ in true }
    ) throws(DatabaseFault) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        if status.st_mode & S_IFMT == S_IFREG {
            switch Examination(schema: configuration.schema, keyring: keyring).examine(path) {
            case .sound(let database, _, _), .older(let database, _):
                let answer = holds(database)
                database.abandon()
                for suffix in SetAside.logSuffixes { unlink(path + suffix) }
                return answer
            case .unreachable(let fault, _): throw fault
            case .absent, .newer, .damaged: break
            }
        }
        let setAside = SetAside(directory: directory, now: configuration.now())
        guard setAside.move(path, to: directory.database + ".damaged") != nil else {
            throw fault("setting \(path) aside")
        }
        setAside.prune()
        return false
    }

    var hasDraft: Bool { access(directory.draft, F_OK) == 0 }

    func removeDraft() { for suffix in SetAside.suffixes { unlink(directory.draft + suffix) } }

    /// Empties the draft but keeps the file, because the file shows that a first start was interrupted.
    private func emptyDraft() {
        for suffix in SetAside.logSuffixes { unlink(directory.draft + suffix) }
        truncate(directory.draft, 0)
    }

    /// Makes a store where there is none. If passd is killed during this call, there is either a complete store or none.
    /// `isGone` means that an earlier store was lost. In this case, a note in the new store reports the loss for some time.
    func create(_ contents: VaultContents, isGone: Bool) throws(DatabaseFault) -> Database {
        // If passd is killed now, the next start finds a draft. Without a mark, the draft would look like an interrupted first
        // start, and the loss would not be reported.
        if isGone { CommitMarker(beside: directory.database).write(.ofLostStore) }
        // The log of the lost store is moved away, because SQLite would play it back into the new store.
        if SetAside.logSuffixes.contains(where: { access(directory.database + $0, F_OK) == 0 }) {
            _ = SetAside(directory: directory, now: configuration.now()).moveDatabase("damaged")
        }
        try draft(contents, isGone ? .lacks(.everything) : nil, named: directory.database)
        return try open()
    }

    func open() throws(DatabaseFault) -> Database {
        let database = try Database(directory.database, .existing)
        try finish(database)
        return database
    }

    func finish(_ database: Database, _ note: StoreNote? = nil) throws(DatabaseFault) {
        chmod(directory.database, 0o600)
        try database.trust()
        // The note is based on the mark, and must be written before the counter overwrites the mark.
        if let note { try? database.run(note.writing) }
        if let limit = configuration.pageLimit { try database.run("PRAGMA max_page_count = \(limit)") }
        // If passd was killed before, the log may contain changes that were never synced. The checkpoint syncs them before they
        // are used and counted, because a power cut could still remove them. On a full disk, the checkpoint at least syncs the
        // log.
        try? database.checkpoint()
        // If the counter cannot be made, for example on a full disk, the next start makes the counter.
        database.counter = try? CommitCounter(database)
    }

    /// Keeps a copy of the store if some programs can use the store only before the migration. No copy is made if the store is
    /// about to be sealed with another key, because unsealed values must not remain in a copy. No copy is made either if this
    /// start may have to erase the logins.
    func keepCopy(of database: Database, version: Int) throws(DatabaseFault) {
        let needs = try StoreSchema.needs(of: database, version: Int64(version))
        guard needs < configuration.schema.needs, configuration.integrityCheck == .none,
            try database.about("key") == keyring.currentName
        else { return }
        try copies.keep(database, needing: needs)
    }

    var copies: KeptCopies { configuration.copies }

    func replaceRows(_ contents: VaultContents, in database: Database) throws(DatabaseFault) {
        let writes = try replacement(contents)
        try database.commit { () throws(DatabaseFault) in
            for write in writes { try database.run(write) }
        }
    }

    func replacement(_ contents: VaultContents) throws(DatabaseFault) -> [Write] {
        do { return try RowWriter(keyring: keyring, limits: VaultLimits.none).replacement(contents) } catch {
            throw DatabaseFault(code: SQLITE_ERROR, systemCode: 0, doing: "sealing the rows of \(error.table)")
        }
    }

    private func write(_ contents: VaultContents, _ note: StoreNote?, to path: String) throws(DatabaseFault) {
        do { try makePrivateFile(path) } catch {
            throw DatabaseFault(code: SQLITE_CANTOPEN, systemCode: error.code, doing: error.doing)
        }
        let database = try Database(path, .orNew)
        try database.trust()
        if let limit = configuration.pageLimit { try database.run("PRAGMA max_page_count = \(limit)") }
        try configuration.schema.migrate(database, from: 0)
        try replaceRows(contents, in: database)
        if let note { try database.run(note.writing) }
        // Only the database file is renamed, so the log must be empty.
        try database.checkpoint()
    }

    func fault(_ doing: String) -> DatabaseFault {
        DatabaseFault(code: SQLITE_CANTOPEN, systemCode: errno, doing: doing)
    }
}
