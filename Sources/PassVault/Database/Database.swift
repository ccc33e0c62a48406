// The store's one SQLite connection. The connection locks the file exclusively. A transaction is durable when it returns. Every
// error is a `DatabaseFault`. Used on the storage queue only. architecture.md §3, §4.

import CSQLite
import Glibc

final class Database {
    enum Access { case existing, orNew }

    let path: String
    private let handle: OpaquePointer
    private var statements: [String: SQLStatement] = [:]
    private var identity: FileIdentity?
    /// Counts the commits; nil until `StoreBuilder.finish` sets it.
    var counter: CommitCounter?
    private var isClosed = false
    private var timeLimit: ProcessorTimeLimit?
    /// The max size of a row or value for SQLite. A row of passd has at most twelve fields of at most 64 KiB each.
    private static let longestRow: Int32 = 4 << 20

    /// Opens the file without writing. Before `trust` is called, closing the file does not write either, so that a damaged or
    /// newer file and its log stay unchanged. Until `trust` is called, `timeLimit` limits the processor time and memory of
    /// SQLite.
    init(_ path: String, _ access: Access, timeLimit: ProcessorTimeLimit? = nil) throws(DatabaseFault) {
        self.path = path
        self.timeLimit = timeLimit
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
        bound()
        sqlite3_busy_timeout(handle, 2000)
        // An exclusive connection keeps the log's index in memory and makes no `-shm` file.
        try run("PRAGMA locking_mode = EXCLUSIVE")
    }

    deinit { close() }

    /// Closes the file at once, even if other references to this object remain.
    private func close() {
        guard !isClosed else { return }
        isClosed = true
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// Makes SQLite read as much as possible of a damaged file.
    func forgive() { _ = pass_sqlite_forgive_file(handle) }

    private func bound() {
        let context = timeLimit.map { Unmanaged.passUnretained($0).toOpaque() }
        pass_sqlite_bound(
            handle, Self.longestRow, context == nil ? 0 : ProcessorTimeLimit.interval,
            { context in
                guard let context else { return 0 }
                return Unmanaged<ProcessorTimeLimit>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
            }, context)
    }

    /// Allows writing: from now on, closing copies the log into the file.
    func trust() throws(DatabaseFault) {
        timeLimit = nil
        bound()
        // The file must not grow beyond the size that the next start reads.
        try run("PRAGMA max_page_count = \(StoreSize.maxPages)")
        for pragma in ["synchronous = FULL", "secure_delete = ON", "foreign_keys = ON"] { try run("PRAGMA \(pragma)") }
        _ = pass_sqlite_keep_log_on_close(handle, 0)
        let mode = try value("PRAGMA journal_mode = WAL")?.text
        guard mode == "wal" else { throw fault(SQLITE_READONLY, "PRAGMA journal_mode") }
        try run("PRAGMA wal_autocheckpoint = 250")
        identity = FileIdentity(of: path)
    }

    /// Closes the file and leaves the log unchanged. Call this before another file gets the name of this file, because closing
    /// later would remove the log of the new file.
    func abandon() {
        _ = pass_sqlite_keep_log_on_close(handle, 1)
        close()
    }

    /// Whether the path still leads to the open file. The check is needed, because SQLite would keep writing to a removed file.
    /// If the path cannot be examined, only the error ENOENT means that the file is gone.
    var isInPlace: Bool { FileIdentity(of: path).map { $0 == identity } ?? (errno != ENOENT) }

    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    func run(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseFault) {
        try query(sql, values) { _ in false }
    }

    /// Returns the first field of the first row; nil if there is no row.
    func value(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseFault) -> SQLValue? {
        var found: SQLValue?
        try query(sql, values) { row in
            found = row.first
            return false
        }
        return found
    }

    /// Returns the value with this name in the table `about`; nil if there is none.
    func about(_ name: String) throws(DatabaseFault) -> String? {
        try value("SELECT value FROM about WHERE name = ?", [.text(name)])?.text
    }

    func query(_ sql: String, _ values: [SQLValue] = [], each: ([SQLValue]) -> Bool) throws(DatabaseFault) {
        let code = try statement(sql).run(values, each: each)
        guard code == SQLITE_DONE else { throw fault(code, sql) }
    }

    /// Runs `body` in one transaction: all of it or nothing, and durable when it returns.
    func transaction(_ body: () throws(DatabaseFault) -> Void) throws(DatabaseFault) {
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            // After some faults, SQLite has already rolled back by itself.
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    func emptySyncedLog() -> Int32 { isClosed ? SQLITE_MISUSE : pass_sqlite_empty_synced_log(handle) }

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

    /// Describes the statement by its first words, which never contain a value.
    private func fault(_ code: Int32, _ sql: String) -> DatabaseFault {
        let words = sql.split(whereSeparator: { " (\n=".contains($0) }).prefix(3).joined(separator: " ")
        let system = code & 0xff == SQLITE_IOERR || code & 0xff == SQLITE_FULL || code & 0xff == SQLITE_CANTOPEN
        return DatabaseFault(code: code, systemCode: system ? sqlite3_system_errno(handle) : 0, doing: words)
    }
}

/// Distinguishes a file from another file with the same name.
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
