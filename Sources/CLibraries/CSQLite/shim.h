// SQLite for Swift, with functions in place of macros and variadic functions, which Swift does not import.
#pragma once
#include <sqlite3.h>

static inline int pass_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

static inline int pass_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                      : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Sets whether SQLite leaves the write-ahead log as it is when the database is closed.
static inline int pass_sqlite_keep_log_on_close(sqlite3 *database, int keep) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}

// Protects against a malicious database file. After this call, SQL in the file's schema can call no function with side effects,
// and SQL statements cannot damage the file's own structures.
static inline int pass_sqlite_distrust_file(sqlite3 *database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    return code != SQLITE_OK ? code : sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

// Lets SQLite read a file that is shorter than its header says, to save the remaining data.
static inline int pass_sqlite_forgive_file(sqlite3 *database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 0, (int *)0);
    return code != SQLITE_OK ? code : sqlite3_db_config(database, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, (int *)0);
}

// Limits a connection. `asks` is called after each `interval` instructions; if it returns a value other than zero, the
// running statement ends with SQLITE_INTERRUPT. Values of more than `longest` bytes are refused.
static inline void pass_sqlite_bound(sqlite3 *database, int longest, int interval, int (*asks)(void *), void *context) {
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, longest);
    sqlite3_progress_handler(database, interval, asks, context);
}

// Copies an already synced log into the database and truncates the log. SQLite's checkpoint syncs both the log and the
// database, or neither. Here it syncs neither, because the log is synced already. This function itself then syncs the database,
// before the log can be overwritten. The pragmas are not prepared beforehand, because they take effect when they are compiled.
// Returns an I/O error only if the database or later commits may not be on the disk. A log that cannot be copied stays as it
// is, and counts as success.
static inline int pass_sqlite_empty_synced_log(sqlite3 *database) {
    sqlite3_file *file = 0;
    int copied = sqlite3_exec(database, "PRAGMA synchronous = OFF", 0, 0, 0);
    if (copied == SQLITE_OK) copied = sqlite3_wal_checkpoint_v2(database, "main", SQLITE_CHECKPOINT_PASSIVE, 0, 0);
    if (sqlite3_exec(database, "PRAGMA synchronous = FULL", 0, 0, 0) != SQLITE_OK) return SQLITE_IOERR;
    if (copied != SQLITE_OK) return SQLITE_OK;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return SQLITE_IOERR;
    int code = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
    // This checkpoint only truncates the log, because nothing is left to copy or to sync.
    if (code == SQLITE_OK) sqlite3_wal_checkpoint_v2(database, "main", SQLITE_CHECKPOINT_TRUNCATE, 0, 0);
    return code;
}
