// A SQLite connection as the store uses it: it has the file to itself, transactions are durable on return, and every
// fault is typed. It is used on the storage queue only. Architecture §4.

import CSQLite
import Glibc

final class Database {
    enum Access { case existing, orNew }

    let path: String
    private let handle: OpaquePointer
    private var statements: [String: SQLStatement] = [:]
    private var identity: FileIdentity?
    /// Counts the commits; nil until the store is in its final place.
    var counter: CommitCounter?
    private var isClosed = false

    /// Opening writes nothing. Until `trust` is called, closing does not touch the file or its log either, so that a
    /// damaged or newer store stays as it was found.
    init(_ path: String, _ access: Access) throws(DatabaseFault) {
        self.path = path
        var handle: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
            | (access == .orNew ? SQLITE_OPEN_CREATE : 0)
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let systemCode = sqlite3_system_errno(handle)
            sqlite3_close_v2(handle)
            throw DatabaseFault(code: code, systemCode: systemCode, doing: "opening the store")
        }
        self.handle = handle
        _ = pass_sqlite_keep_log_on_close(handle, 1)
        _ = pass_sqlite_distrust_file(handle)
        sqlite3_busy_timeout(handle, 2000)
        // In exclusive mode the index of the log is kept in memory, so there is no third file.
        try run("PRAGMA locking_mode = EXCLUSIVE")
    }

    deinit { close() }

    /// Closes the file at once, even if this object is still referenced.
    private func close() {
        guard !isClosed else { return }
        isClosed = true
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// Lets reads continue past damage, to recover what is left of a damaged file.
    func forgive() { _ = pass_sqlite_forgive_file(handle) }

    /// Takes the file into use: from now on it may be written, and closing moves the log into it.
    func trust() throws(DatabaseFault) {
        for pragma in ["synchronous = FULL", "secure_delete = ON", "foreign_keys = ON"] { try run("PRAGMA \(pragma)") }
        _ = pass_sqlite_keep_log_on_close(handle, 0)
        let mode = try value("PRAGMA journal_mode = WAL")?.text
        guard mode == "wal" else { throw fault(SQLITE_READONLY, "PRAGMA journal_mode") }
        try run("PRAGMA wal_autocheckpoint = 250")
        identity = FileIdentity(of: path)
    }

    /// Closes the file without touching its log. Needed before another file takes its name, because closing later would
    /// remove the new file's log.
    func abandon() {
        _ = pass_sqlite_keep_log_on_close(handle, 1)
        close()
    }

    /// Whether the path still names this file; SQLite would go on writing into a removed one. If the disk cannot tell,
    /// the file is assumed to be in place.
    var isInPlace: Bool { FileIdentity(of: path).map { $0 == identity } ?? (errno != ENOENT) }

    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    func run(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseFault) {
        try query(sql, values) { _ in false }
    }

    /// The first field of the first row.
    func value(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseFault) -> SQLValue? {
        var found: SQLValue?
        try query(sql, values) { row in
            found = row.first
            return false
        }
        return found
    }

    func query(_ sql: String, _ values: [SQLValue] = [], each: ([SQLValue]) -> Bool) throws(DatabaseFault) {
        let code = try statement(sql).run(values, each: each)
        guard code == SQLITE_DONE else { throw fault(code, sql) }
    }

    /// Runs all of `body` or nothing. The result is durable on return.
    func transaction(_ body: () throws(DatabaseFault) -> Void) throws(DatabaseFault) {
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            // After some faults SQLite has already rolled back.
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    private func statement(_ sql: String) throws(DatabaseFault) -> SQLStatement {
        guard !isClosed else { throw DatabaseFault(code: SQLITE_MISUSE, systemCode: 0, doing: "using a closed store") }
        if let known = statements[sql] { return known }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw fault(code, sql) }
        let statement = SQLStatement(prepared)
        statements[sql] = statement
        return statement
    }

    /// Names the statement by its first words, which contain no values.
    private func fault(_ code: Int32, _ sql: String) -> DatabaseFault {
        let words = sql.split(whereSeparator: { " (\n=".contains($0) }).prefix(3).joined(separator: " ")
        let system = code & 0xff == SQLITE_IOERR || code & 0xff == SQLITE_FULL || code & 0xff == SQLITE_CANTOPEN
        return DatabaseFault(code: code, systemCode: system ? sqlite3_system_errno(handle) : 0, doing: words)
    }
}

/// Distinguishes a file from another one of the same name.
private struct FileIdentity: Equatable {
    let device: dev_t
    let inode: ino_t

    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
    }
}
