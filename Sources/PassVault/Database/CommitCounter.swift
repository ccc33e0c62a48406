// Counts the transactions in the table `about`. When one is durable, the count is also written to the mark beside the
// store (`CommitMark`).

import AccessEnabler
import CSQLite
import PassJSON

final class CommitCounter {
    private let marker: CommitMarker
    private(set) var mark: CommitMark

    /// A store without a counter gets one, and a name of its own.
    init(_ database: Database) throws(DatabaseFault) {
        marker = CommitMarker(beside: database.path)
        if let mark = try Self.mark(in: database) {
            self.mark = mark
        } else {
            let name = (randomBytes(8) ?? []).hexadecimal
            mark = CommitMark(store: name, commits: 0)
            try database.transaction { () throws(DatabaseFault) in
                try Self.write("store", value: name, database: database)
                try Self.write("commits", value: "0", database: database)
            }
        }
        marker.write(mark)
    }

    func transaction(
        in database: Database, owing: Bool, _ body: () throws(DatabaseFault) -> Void
    ) throws(DatabaseFault) {
        let (next, isTooMany) = mark.commits.addingReportingOverflow(1)
        try database.transaction { () throws(DatabaseFault) in
            try body()
            if !isTooMany { try Self.write("commits", value: String(next), database: database) }
        }
        mark.owes = owing
        if !isTooMany { mark.commits = next }
        marker.write(mark)
    }

    /// Notes for the next start that changes are unwritten, if the mark can be written.
    func owe() {
        mark.owes = true
        marker.write(mark)
    }

    /// The mark inside the database; nil if it has no counter.
    static func mark(in database: Database) throws(DatabaseFault) -> CommitMark? {
        guard let name = try value("store", database), name.utf8.count == 16, name.utf8.allSatisfy(isDigit),
            let commits = try value("commits", database).flatMap({ Int64($0) }), commits >= 0
        else { return nil }
        return CommitMark(store: name, commits: commits)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }

    private static func value(_ name: String, _ database: Database) throws(DatabaseFault) -> String? {
        try database.value("SELECT value FROM about WHERE name = ?", [.text(name)])?.text
    }

    private static func write(_ name: String, value: String, database: Database) throws(DatabaseFault) {
        try database.run(
            "INSERT INTO about (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            [.text(name), .text(value)])
    }
}

extension Database {
    /// Runs a transaction, and counts it if the store is in its final place. `owing`: some earlier changes are still
    /// unwritten.
    func commit(owing: Bool = false, _ body: () throws(DatabaseFault) -> Void) throws(DatabaseFault) {
        guard let counter else { return try transaction(body) }
        try counter.transaction(in: self, owing: owing, body)
    }

    /// Moves the log into the database and empties it. If a log that was only copied were damaged later, it would put
    /// older pages over newer ones.
    func checkpoint() throws(DatabaseFault) {
        var isDone = false
        try query("PRAGMA wal_checkpoint(TRUNCATE)") { row in
            isDone = row.first?.integer == 0
            return false
        }
        if !isDone { throw DatabaseFault(code: SQLITE_BUSY, systemCode: 0, doing: "emptying the log") }
    }
}
