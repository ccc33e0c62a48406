// SQLite for Swift. Functions for macros that Swift does not import, and for calls with variable arguments.
#pragma once
#include <sqlite3.h>

static inline int pass_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

static inline int pass_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                      : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Whether closing leaves the write-ahead log as it is.
static inline int pass_sqlite_keep_log_on_close(sqlite3 *database, int keep) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}

// A maliciously prepared file can neither run its own functions nor change its own schema.
static inline int pass_sqlite_distrust_file(sqlite3 *database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    return code != SQLITE_OK ? code : sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

// Reads on where the file is shorter than it says: for saving what is left of it.
static inline int pass_sqlite_forgive_file(sqlite3 *database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 0, (int *)0);
    return code != SQLITE_OK ? code : sqlite3_db_config(database, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, (int *)0);
}

// Lets `asks` end a running statement with SQLITE_INTERRUPT, by something other than zero. It is called after each `interval`
// instructions. Values of more than `longest` bytes are refused.
static inline void pass_sqlite_bound(sqlite3 *database, int longest, int interval, int (*asks)(void *), void *context) {
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, longest);
    sqlite3_progress_handler(database, interval, asks, context);
}

// Copies the log into the database and truncates it, for a log that is synced already. SQLite syncs log and database in a
// checkpoint, or neither, so this syncs the database itself, before anything can overwrite the log. The pragmas are not
// prepared beforehand, because they take effect when they are compiled. Returns an error of input or output, and only if
// the database may not be on the disk, or commits would no longer be synced; a log that cannot be copied stays as it is.
static inline int pass_sqlite_empty_synced_log(sqlite3 *database) {
    sqlite3_file *file = 0;
    int copied = sqlite3_exec(database, "PRAGMA synchronous = OFF", 0, 0, 0);
    if (copied == SQLITE_OK) copied = sqlite3_wal_checkpoint_v2(database, "main", SQLITE_CHECKPOINT_PASSIVE, 0, 0);
    if (sqlite3_exec(database, "PRAGMA synchronous = FULL", 0, 0, 0) != SQLITE_OK) return SQLITE_IOERR;
    if (copied != SQLITE_OK) return SQLITE_OK;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return SQLITE_IOERR;
    int code = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
    // Nothing is left to copy or to sync, only to truncate.
    if (code == SQLITE_OK) sqlite3_wal_checkpoint_v2(database, "main", SQLITE_CHECKPOINT_TRUNCATE, 0, 0);
    return code;
}
