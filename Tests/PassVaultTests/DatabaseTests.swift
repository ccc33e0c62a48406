// Tests the layer over SQLite. Values are read as they were written, and errors name the failed statement.

import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §4: SQLite, write-ahead log, durable when a commit returns") struct DatabaseTests {
    private let folder = TemporaryDirectory(inMemory: true)

    @Test func `every kind of value is read as it was written`() throws {
        let database = try opened()
        let values: [SQLValue] = [
            .null, .integer(.min), .integer(.max), .text(""), .text("Zürich \u{0} \u{1F511}"), .blob([]),
            .blob([0, 255, 0]),
        ]
        for (index, value) in values.enumerated() {
            try database.run("INSERT INTO t VALUES (?, ?)", [.integer(Int64(index)), value])
        }
        var found: [SQLValue] = []
        try database.query("SELECT v FROM t ORDER BY k") { row in
            found += row
            return true
        }
        #expect(found == values)
    }

    @Test func `the settings for the log and for durability are in force`() throws {
        let database = try opened()
        #expect(try database.value("PRAGMA journal_mode")?.text == "wal")
        #expect(try database.value("PRAGMA synchronous")?.integer == 2)
        #expect(try database.value("PRAGMA secure_delete")?.integer == 1)
        #expect(try database.value("PRAGMA foreign_keys")?.integer == 1)
    }

    @Test func `a failed transaction changes nothing, and the next transaction succeeds`() throws {
        let database = try opened()
        #expect(throws: DatabaseFault.self) {
            try database.transaction { () throws(DatabaseFault) in
                try database.run("INSERT INTO t VALUES (1, 'a')")
                try database.run("INSERT INTO t VALUES (1, 'b')")
            }
        }
        #expect(try database.value("SELECT count(*) FROM t") == .integer(0))
        try database.transaction { () throws(DatabaseFault) in try database.run("INSERT INTO t VALUES (1, 'c')") }
        #expect(try database.value("SELECT v FROM t") == .text("c"))
    }

    @Test func `an error names the statement but not its values`() throws {
        let database = try opened()
        try database.run("INSERT INTO t VALUES (?, ?)", [.integer(1), .text("hunter2")])
        let fault = #expect(throws: DatabaseFault.self) {
            try database.run("INSERT INTO t VALUES (?, ?)", [.integer(1), .text("hunter2")])
        }
        #expect(fault?.explanation.hasPrefix("INSERT INTO t: ") == true)
        #expect(fault?.explanation.contains("hunter2") == false)
        #expect(fault?.meaning == .broken)
    }

    @Test func `a missing file and a file of another kind have errors of their own`() throws {
        let absent = #expect(throws: DatabaseFault.self) { try Database(folder.path + "/absent", .existing) }
        #expect(absent?.meaning == .unreachable)
        folder.write(Array(repeating: 0x41, count: 4096), to: "other")
        let other = #expect(throws: DatabaseFault.self) {
            try Database(folder.path + "/other", .existing).value("PRAGMA user_version")
        }
        #expect(other?.meaning == .damaged)
    }

    @Test func `bytes that are not UTF-8 are not read as text`() throws {
        let database = try opened()
        try database.run("INSERT INTO t VALUES (1, CAST(x'61ff' AS TEXT))")
        #expect(try database.value("SELECT v FROM t") == .blob([0x61, 0xff]))
    }

    private func opened() throws -> Database {
        let database = try Database(folder.path + "/db", .orNew)
        try database.trust()
        try database.run("CREATE TABLE t (k INTEGER PRIMARY KEY, v)")
        return database
    }
}
