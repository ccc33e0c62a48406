// Counts the commits of the store, in the table `about`. When a commit is durable, also writes the count to a small file beside
// the store, the `CommitMark`. Owned by the `Database` whose commits it counts; used on the storage queue only.

import AccessEnabler
import CSQLite
import PassJSON

final class CommitCounter {
    private let marker: CommitMarker
    private(set) var mark: CommitMark

    /// Reads the count. A store without a count gets a random name and the count zero.
    init(_ database: Database) throws(DatabaseFault) {
        marker = CommitMarker(beside: database.path)
        if let mark = try Self.mark(in: database) {
            self.mark = mark
        } else {
            let name = (randomBytes(8) ?? []).hexadecimal
            mark = CommitMark(store: name, commits: 0)
            try database.transaction { () throws(DatabaseFault) in
                try database.run(.about("store", .text(name)))
                try database.run(.about("commits", .text("0")))
            }
        }
        marker.write(mark)
    }

    func transaction(in database: Database, _ body: () throws(DatabaseFault) -> Void) throws(DatabaseFault) {
        let (next, isTooMany) = mark.commits.addingReportingOverflow(1)
        try database.transaction { () throws(DatabaseFault) in
            try body()
            if !isTooMany { try database.run(.about("commits", .text(String(next)))) }
        }
        mark.owes = false
        if !isTooMany { mark.commits = next }
        marker.write(mark)
    }

    /// Records in the mark that a change could not be written. The next start reads the mark. Does nothing if the mark is not
    /// writable.
    func owe() {
        mark.owes = true
        marker.write(mark)
    }

    /// The count in the database itself; nil if there is none.
    static func mark(in database: Database) throws(DatabaseFault) -> CommitMark? {
        guard let name = try database.about("store"), name.utf8.count == 16, name.utf8.allSatisfy(isDigit),
            let commits = try database.about("commits").flatMap({ Int64($0) }), commits >= 0
        else { return nil }
        return CommitMark(store: name, commits: commits)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
}

extension Database {
    /// Runs `body` in a transaction, and counts the transaction if the store has a counter.
    func commit(_ body: () throws(DatabaseFault) -> Void) throws(DatabaseFault) {
        guard let counter else { return try transaction(body) }
        try counter.transaction(in: self, body)
    }

    /// Copies SQLite's log into the database and empties the log. If the log stayed and were damaged later, SQLite could replay
    /// a part of it, and overwrite newer pages with older pages.
    func checkpoint() throws(DatabaseFault) {
        var isDone = false
        try query("PRAGMA wal_checkpoint(TRUNCATE)") { row in
            isDone = row.first?.integer == 0
            return false
        }
        if !isDone { throw DatabaseFault(code: SQLITE_BUSY, systemCode: 0, doing: "emptying the log") }
    }

    /// Does the same as `checkpoint`, but directly after a commit, when the log is already on the disk and needs no sync. A log
    /// that cannot be emptied is not an error. Throws only if, after a fault of the disk, the copied pages or later commits are
    /// perhaps not on the disk.
    func checkpointAfterCommit() throws(DatabaseFault) {
        let code = emptySyncedLog()
        if code != SQLITE_OK { throw DatabaseFault(code: code, systemCode: 0, doing: "emptying the log") }
    }
}
