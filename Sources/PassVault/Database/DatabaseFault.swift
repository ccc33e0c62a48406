// An error of SQLite, with its meaning for the store.

import CSQLite
import Glibc

struct DatabaseFault: Error, Hashable {
    /// The meaning of a fault. Only `damaged` is about the contents of the file. `faulty` means that the disk cannot read
    /// or write at the moment.
    enum Meaning { case damaged, full, readOnly, faulty, unreachable, busy, broken }

    /// SQLite's extended result code, such as SQLITE_IOERR_FSYNC.
    var code: Int32
    /// The system's errno; 0 if there was none.
    var systemCode: Int32
    /// The failed operation, for messages; it never contains a value.
    var doing: String

    var meaning: Meaning {
        switch code & 0xff {
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        // Both codes show that passd did not write the file. passd writes no row that is too large, and no file that takes
        // longer to read than `ProcessorTimeLimit` allows.
        case SQLITE_INTERRUPT, SQLITE_TOOBIG: .damaged
        case SQLITE_FULL: .full
        case SQLITE_READONLY: .readOnly
        case _ where systemCode == ENOSPC || systemCode == EDQUOT: .full
        case _ where systemCode == EROFS: .readOnly
        case SQLITE_IOERR: .faulty
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH, SQLITE_NOMEM, SQLITE_PROTOCOL: .unreachable
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        default: .broken
        }
    }

    static let removed = Self(code: SQLITE_CORRUPT, systemCode: 0, doing: "the file was removed")

    static func tooManyRows(_ table: String) -> Self {
        Self(code: SQLITE_CORRUPT, systemCode: 0, doing: "\(table) has more rows than passd writes")
    }

    var isInterruption: Bool { code & 0xff == SQLITE_INTERRUPT }

    var explanation: String {
        if isInterruption { return "\(doing): it takes too much time or memory" }
        let reason = sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown"
        let system = systemCode == 0 ? "" : ", \(systemMessage(systemCode))"
        return "\(doing): \(reason) (SQLite \(code)\(system))"
    }
}

/// Uses `strerror`, which is safe here: glibc has one buffer for each thread.
func systemMessage(_ code: Int32) -> String { strerror(code).map { String(cString: $0) } ?? "errno \(code)" }
