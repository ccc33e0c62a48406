// Writes a whole store beside the old one and puts it in its place. At every moment one of the two is complete, and
// what the old one held is set aside, not overwritten. Architecture §5.5.

import AccessEnabler
import CSQLite
import Glibc

struct StoreBuilder {
    let configuration: VaultConfiguration
    let directory: StateDirectory
    let keyring: Keyring

    /// A new database with these contents, in the place of whatever was there. Tells where that went.
    func rebuild(
        _ contents: VaultContents, what: String, note: StoreNote? = nil
    ) throws(DatabaseFault) -> (Database, setAside: String?) {
        try draft(contents, note, named: directory.replacement)
        let setAside = try install(what)
        return (try open(), setAside)
    }

    /// A store that is complete when it has its name.
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

    /// What a power cut interrupted. A replacement that only waits for a key goes again while the store that it was to
    /// replace is in its place: the key may be back, and without it another one is made.
    func finish(_ what: String) throws(DatabaseFault) -> String? {
        guard access(directory.database, F_OK) == 0,
            try isWhole(directory.replacement, where: StoreNote.waitsEmpty)
        else { return try install(what) }
        unlink(directory.replacement)
        directory.sync()
        return nil
    }

    /// A replacement is complete, or it would not have its name.
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

    /// Whether a store of ours has the name and may take the place of the present one. What else has it is set aside.
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

    /// It keeps its name: by that, the first start knows itself again.
    private func emptyDraft() {
        for suffix in ["-wal", "-journal"] { unlink(directory.draft + suffix) }
        truncate(directory.draft, 0)
    }

    /// A kill leaves a whole store or none. `isGone`: there was one, which is said until somebody has had time to read it.
    func create(_ contents: VaultContents, isGone: Bool) throws(DatabaseFault) -> Database {
        // A draft without a mark is a first start.
        if isGone { CommitMarker(beside: directory.database).write(.ofLostStore) }
        // The log of a store that is gone would be played back into the new one.
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
        // Before the counter forgets what it stands for.
        if let note { try? database.run(note.writing.sql, note.writing.values) }
        if let limit = configuration.pageLimit { try database.run("PRAGMA max_page_count = \(limit)") }
        // A kill leaves changes in the log that were never synced. Nobody is to see them, and no mark is to count them,
        // while a power cut can still take them away. Where the database has no room, they are at least synced in the log.
        try? database.checkpoint()
        // On a full disk it is the next start's.
        database.counter = try? CommitCounter(database)
    }

    /// All rows in place of those that the tables hold.
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
        // Only the database itself gets the new name.
        try database.checkpoint()
    }

    func fault(_ doing: String) -> DatabaseFault {
        DatabaseFault(code: SQLITE_CANTOPEN, systemCode: errno, doing: doing)
    }
}
