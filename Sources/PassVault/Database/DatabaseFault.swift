// An error from SQLite, with what it means for the store.

import CSQLite
import Glibc

struct DatabaseFault: Error, Hashable {
    /// Only `damaged` says something about the contents of the file. `faulty` means that the disk does not read or
    /// write at the moment.
    enum Meaning { case damaged, full, readOnly, faulty, unreachable, busy, broken }

    /// The extended code, e.g. SQLITE_IOERR_FSYNC.
    var code: Int32
    /// The `errno` of the failed system call, or 0.
    var systemCode: Int32
    /// What was being done. It contains no values.
    var doing: String

    var meaning: Meaning {
        switch code & 0xff {
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        case SQLITE_FULL: .full
        case SQLITE_READONLY: .readOnly
        case _ where systemCode == ENOSPC || systemCode == EDQUOT: .full
        case _ where systemCode == EROFS: .readOnly
        case SQLITE_IOERR: .faulty
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH, SQLITE_NOMEM, SQLITE_PROTOCOL, SQLITE_INTERRUPT: .unreachable
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        default: .broken
        }
    }

    static let removed = Self(code: SQLITE_CORRUPT, systemCode: 0, doing: "the file was taken away")

    var explanation: String {
        let reason = sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown"
        let system = systemCode == 0 ? "" : ", \(systemMessage(systemCode))"
        return "\(doing): \(reason) (SQLite \(code)\(system))"
    }
}

/// `strerror` is safe here: glibc has a buffer for each thread.
func systemMessage(_ code: Int32) -> String { strerror(code).map { String(cString: $0) } ?? "errno \(code)" }
