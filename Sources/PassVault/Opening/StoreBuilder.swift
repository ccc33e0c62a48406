// Writes a whole store beside the old one and puts it in its place. One of the two is complete at any moment, and the
// old one is set aside and not overwritten. Architecture §5.5.

import AccessEnabler
import CSQLite
import Glibc

struct StoreBuilder {
    let configuration: VaultConfiguration
    let directory: StateDirectory
    let keyring: Keyring

    /// Creates a new database with these contents in place of the present one, and returns under which name that was
    /// set aside.
    func rebuild(
        _ contents: VaultContents, what: String, note: StoreNote? = nil
    ) throws(DatabaseFault) -> (Database, setAside: String?) {
        try draft(contents, note, named: directory.replacement)
        let setAside = try install(what)
        return (try open(), setAside)
    }

    /// Writes a store that gets this name when it is complete.
    func draft(_ contents: VaultContents, _ note: StoreNote?, named name: String) throws(DatabaseFault) {
        emptyDraft()
        do throws(DatabaseFault) {
            try write(contents, note, to: directory.draft)
            guard rename(directory.draft, name) == 0 else { throw fault("naming the new store") }
        } catch {
            emptyDraft()
            throw error
        }
        directory.sync()
    }

    /// Completes a replacement that a power cut interrupted. One that only waits for a key is dropped while the store
    /// that it was to replace is in place: the key may be back, and otherwise another replacement is made.
    func finish(_ what: String) throws(DatabaseFault) -> String? {
        guard access(directory.database, F_OK) == 0,
            try isWhole(directory.replacement, where: StoreNote.waitsEmpty)
        else { return try install(what) }
        unlink(directory.replacement)
        directory.sync()
        return nil
    }

    /// Puts the replacement in place; by its name it is complete. Returns under which name the old store was set aside.
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

    /// Whether the path names an intact store of ours for which `holds` returns true. Anything else with that name is
    /// set aside.
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
                for suffix in ["-wal", "-journal"] { unlink(path + suffix) }
                return answer
            case .unreachable(let fault, _): throw fault
            case .absent, .newer, .damaged: break
            }
        }
        let setAside = SetAside(directory: directory, now: configuration.now())
        guard setAside.move(path, as: "damaged") != nil else { throw fault("setting \(path) aside") }
        setAside.prune()
        return false
    }

    var hasDraft: Bool { access(directory.draft, F_OK) == 0 }

    func removeDraft() {
        for suffix in ["", "-wal", "-journal"] { unlink(directory.draft + suffix) }
    }

    /// Empties the draft. Its file stays, because it shows that a first start was interrupted.
    private func emptyDraft() {
        for suffix in ["-wal", "-journal"] { unlink(directory.draft + suffix) }
        truncate(directory.draft, 0)
    }

    /// Creates the first store; a crash leaves a whole store or none. `isGone`: there was a store before, and its loss
    /// is reported.
    func create(_ contents: VaultContents, isGone: Bool) throws(DatabaseFault) -> Database {
        // The mark tells this case from an interrupted first start, which has a draft and no mark.
        if isGone { CommitMarker(beside: directory.database).write(.ofLostStore) }
        // The log of the lost store would be replayed into the new one.
        if ["-wal", "-journal"].contains(where: { access(directory.database + $0, F_OK) == 0 }) {
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
        // The note must be written before the counter overwrites the mark that it is based on.
        if let note { try? database.run(note.writing.sql, note.writing.values) }
        if let limit = configuration.pageLimit { try database.run("PRAGMA max_page_count = \(limit)") }
        // After a crash the log may contain changes that were never synced. They must not be read or counted while a
        // power cut could still remove them. If the database has no room for them, they are at least synced in the log.
        try? database.checkpoint()
        // On a full disk this fails, and the next start does it.
        database.counter = try? CommitCounter(database)
    }

    /// Replaces all rows of all tables.
    func replaceRows(_ contents: VaultContents, in database: Database) throws(DatabaseFault) {
        let writes = try replacement(contents)
        try database.commit { () throws(DatabaseFault) in
            for write in writes { try database.run(write.sql, write.values) }
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
        if let note { try database.run(note.writing.sql, note.writing.values) }
        // Only the database file is renamed, so the log must be empty.
        try database.checkpoint()
    }

    func fault(_ doing: String) -> DatabaseFault {
        DatabaseFault(code: SQLITE_CANTOPEN, systemCode: errno, doing: doing)
    }
}
