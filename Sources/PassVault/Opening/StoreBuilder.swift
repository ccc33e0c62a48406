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
        _ contents: VaultContents, _ what: String, _ note: StoreNote? = nil
    ) throws(DatabaseFault) -> (Database, setAside: String?) {
        try draft(contents, note, named: directory.replacement)
        let setAside = try install(what)
        return (try open(), setAside)
    }

    /// A store that is complete when it has its name.
    func draft(_ contents: VaultContents, _ note: StoreNote?, named name: String) throws(DatabaseFault) {
        removeDraft()
        do throws(DatabaseFault) {
            try write(contents, note, to: directory.draft)
            guard rename(directory.draft, name) == 0 else { throw fault("naming the new store") }
        } catch {
            removeDraft()
            throw error
        }
        directory.sync()
    }

    /// Also the end of what a power cut interrupted: a replacement is complete, or it would not have its name.
    func install(_ what: String) throws(DatabaseFault) -> String? {
        guard access(directory.replacement, F_OK) == 0 else { return nil }
        let setAside = SetAside(directory: directory, now: configuration.now())
        let name = setAside.moveDatabase(what)
        guard rename(directory.replacement, directory.database) == 0 else {
            throw fault("putting the new store in place")
        }
        directory.sync()
        setAside.prune()
        return name
    }

    func removeDraft() {
        for suffix in ["", "-wal", "-journal"] { unlink(directory.draft + suffix) }
    }

    func create() throws(DatabaseFault) -> Database {
        try write(VaultContents(), nil, to: directory.database)
        directory.sync()
        return try open()
    }

    func open() throws(DatabaseFault) -> Database {
        let database = try Database(directory.database, .existing)
        try finish(database)
        return database
    }

    func finish(_ database: Database) throws(DatabaseFault) {
        chmod(directory.database, 0o600)
        try database.trust()
        if let limit = configuration.pageLimit { try database.run("PRAGMA max_page_count = \(limit)") }
    }

    /// All rows in place of those that the tables hold.
    func replaceRows(_ contents: VaultContents, in database: Database) throws(DatabaseFault) {
        let writes: [Write]
        do { writes = try RowWriter(keyring: keyring, limits: VaultLimits.none).replacement(contents) } catch {
            throw DatabaseFault(code: SQLITE_ERROR, systemCode: 0, doing: "sealing the rows of \(error.table)")
        }
        try database.transaction { () throws(DatabaseFault) in
            for write in writes { try database.run(write.sql, write.values) }
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
    }

    func fault(_ doing: String) -> DatabaseFault {
        DatabaseFault(code: SQLITE_CANTOPEN, systemCode: errno, doing: doing)
    }
}
