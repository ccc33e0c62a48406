// Tests files that another program may have prepared in the state directory. Every statement ends, only passd's tables
// are read, and the health reports the files.

import AccessEnabler
import CSQLite
import Glibc
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §5.3, §5.5: a prepared store") struct PlantedStoreTests {
    private let folder = TemporaryDirectory(inMemory: true)

    struct Plant: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let statements: [String]
        /// The number of remaining logins, of six.
        var logins = 6
    }

    private static let key = ProfileTable.keyColumns.joined(separator: ", ")
    private static let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"

    /// A view with endless rows instead of the table.
    private static func view(_ table: String, _ columns: [String], logins: Int = 6) -> Plant {
        let values = columns.map { "'\($0)' || i AS \($0)" }.joined(separator: ", ")
        return Plant(
            testDescription: "a view for \(table)",
            statements: [
                "DROP TABLE \(table)", "CREATE VIEW \(table) AS \(numbers) SELECT 0 AS rowid, \(values) FROM n",
            ],
            logins: logins)
    }

    private static func rows(_ table: String, _ columns: String, _ count: Int, _ values: String) -> Plant {
        Plant(
            testDescription: "\(count) rows of \(table)",
            statements: ["INSERT INTO \(table) (\(columns)) \(numbers) SELECT \(values) FROM n LIMIT \(count)"])
    }

    static let plants = [
        // Without the name of the key, the values can still be opened.
        view("about", ["name", "value"]), view("device", ["slot", "id", "proof"]),
        view("profile", ProfileTable.keyColumns + ProfileTable.columnNames, logins: 0),
        view("tombstone", TombstoneTable.keyColumns),
        Plant(testDescription: "a further view", statements: ["CREATE VIEW more AS \(numbers) SELECT i FROM n"]),
        Plant(testDescription: "a further table", statements: ["CREATE TABLE more (i)"]),
        Plant(
            testDescription: "a trigger",
            statements: ["CREATE TRIGGER t AFTER INSERT ON about BEGIN DELETE FROM profile; END"]),
        Plant(
            testDescription: "an index with an expression", statements: ["CREATE INDEX i ON profile(hex(requestor))"]),
        Plant(
            testDescription: "a generated column",
            statements: [
                "DROP TABLE tombstone",
                "CREATE TABLE tombstone (app, statement, origin, interface, requestor, provider AS (hex(zeroblob(1000))))",
            ]),
        Plant(
            testDescription: "more entries than passd makes",
            statements: (0..<200).map { "CREATE VIEW v\($0) AS SELECT 1" }),
        rows("tombstone", key, 100_000, "i, 's', 'o', 'v2', 'r', 'p'"),
        rows("about", "name, value", 100_000, "i, 'x'"),
        rows(
            "profile", key + ", issued_for, kind, issuer, not_before, not_after, attributes", 12_000,
            "i, 's', 'o', 'v2', 'r', 'p', 'p', 'k', 'i', 0, 1, x'01'"),
    ]

    @Test(arguments: plants) func `a prepared store is set aside quickly, and only passd's own tables are read`(
        _ plant: Plant
    ) throws {
        try fill(folder, Samples.changes + Samples.crowd(5))
        try edit(folder, plant.statements)
        let before = folder.read("passd.db")
        let started = processorTime()
        let store = try Store(configuration(folder))
        #expect(processorTime() - started < .seconds(8))
        #expect(store.codes == ["vault-damaged"], "\(store.health)")
        #expect(store.contents.profiles.count == plant.logins)
        #expect(store.health.isPersistent)
        try store.commit(Samples.queue(1))
        store.close()
        #expect(folder.read("passd.db.damaged-20261121T153000Z") == before)
        #expect(try Store(configuration(folder)).codes == ["vault-set-aside"])
    }

    @Test(arguments: [("passd.db", 6), ("passd.db-wal", 0), ("passd.db-journal", 0)])
    func `a file over the size limit is set aside`(_ name: String, _ logins: Int) throws {
        try fill(folder, Samples.changes + Samples.crowd(5))
        if !folder.names.contains(name) { folder.write([], to: name) }
        try #require(truncate(folder.path + "/" + name, 10 << 30) == 0)
        let store = try Store(configuration(folder))
        #expect(store.codes == ["vault-damaged"] && store.contents.profiles.count == logins, "\(store.health)")
        try store.commit(Samples.changes)
        #expect(folder.names.contains { $0.hasPrefix("passd.db.damaged-") })
    }

    @Test
    func `planted replacements, and planted files with the name of a store that was set aside, do not delay the start`()
        throws
    {
        try fill(folder, Samples.changes + Samples.crowd(5))
        let whole = folder.read("passd.db")
        try edit(folder, Self.view("tombstone", TombstoneTable.keyColumns).statements)
        let planted = folder.read("passd.db")
        folder.write(whole, to: "passd.db")
        for number in 10..<60 { folder.write(planted, to: "passd.db.unreadable-20200101T0000\(number)Z") }
        for name in ["replacement", "returning"] { folder.write(planted, to: "passd.db." + name) }
        let started = processorTime()
        let store = try Store(configuration(folder))
        #expect(processorTime() - started < .seconds(8))
        #expect(store.contents.profiles.count == 6 && store.codes == ["vault-set-aside"], "\(store.health)")
        let message = store.health.warnings.first?.message ?? ""
        #expect(message.contains(" stores set aside") && message.utf8.count < 2000, "\(message)")
    }

    @Test func `a statement is interrupted at its time limit, but only until the file is trusted`() throws {
        try fill(folder)
        let endless = Self.numbers + " SELECT count(*) FROM n"
        let long = "SELECT count(*) FROM (\(Self.numbers) SELECT i FROM n LIMIT 2000000)"
        let database = try Database(
            folder.path + "/passd.db", .existing, timeLimit: ProcessorTimeLimit(.milliseconds(50)))
        do throws(DatabaseFault) {
            _ = try database.value(endless)
            Issue.record("it ended")
        } catch {
            #expect(error.isInterruption && error.meaning == .damaged)
            #expect(error.explanation == "WITH RECURSIVE n: it takes too much time or memory")
        }
        try database.trust()
        #expect(try database.value(long)?.integer == 2_000_000)
    }

    @Test func `a store never grows beyond the size limit for reading`() throws {
        try fill(folder)
        let store = try Store(configuration(folder))
        let large = Secret(String(repeating: "x", count: 60_000))
        var fault: VaultFault?
        for index in 0..<1500 where fault == nil {
            var key = Samples.registration
            key.statement = "\(index)"
            var value = Samples.credentials
            value.clientSecret = large
            do throws(VaultFault) { try store.commit([.registration(key, value)]) } catch { fault = error }
        }
        #expect(fault?.kind == .full)
        store.close()
        var status = stat()
        #expect(stat(folder.path + "/passd.db", &status) == 0 && status.st_size <= StoreSize.maxBytes)
        #expect(try Store(configuration(folder)).contents.registrations.count > 400)
    }
}
