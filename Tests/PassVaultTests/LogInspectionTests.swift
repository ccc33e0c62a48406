// Tests the inspection of logs of any size: its result, its memory, and its time.

import AccessEnabler
import Glibc
import PassTestTools
import Testing

@testable import PassVault

@Suite("architecture §5.5: a large log") struct LogInspectionTests {
    private let folder = TemporaryDirectory(inMemory: true)

    /// A log of some megabytes, as if it had never been emptied.
    private func large() throws -> [UInt8] {
        let database = try Database(folder.path + "/large.db", .orNew)
        try database.trust()
        try database.run("PRAGMA wal_autocheckpoint = 0")
        try database.run("CREATE TABLE t (x BLOB)")
        for _ in 0..<50 { try database.run("INSERT INTO t VALUES (zeroblob(60000))") }
        database.abandon()
        return folder.read("large.db-wal")
    }

    @Test func `the result does not depend on where the pieces end`() throws {
        let log = try large()
        let frame = 24 + 4096
        let count = (log.count - 32) / frame
        #expect(log.count > 3 << 20 && LogInspection.inspect(log) == .whole)
        #expect(LogInspection.inspect(folder.path + "/large.db-wal") == .whole)
        let ends = (1...3).map { $0 * ((1 << 20) / frame) }
        for number in [0] + ends.flatMap({ [$0 - 1, $0, $0 + 1] }) {
            for offset in [10, 24 + 2000] {
                var bent = log
                bent[32 + number * frame + offset] ^= 4
                #expect(LogInspection.inspect(bent) == .damaged, "frame \(number) of \(count)")
            }
        }
        #expect(LogInspection.inspect(Array(log.dropLast(frame))) == .whole)
        #expect(LogInspection.inspect(Array(log.dropLast(100))) == .endsEarly)
        var last = log
        last[log.count - 50] ^= 1
        #expect(LogInspection.inspect(last) == .endsEarly)
    }

    /// The unit's memory limit is 256 MiB.
    @Test(arguments: [200 << 20, off_t(StoreSize.maxLogBytes) + 1, 10 << 30])
    func `the inspection of a large log uses little memory and does not delay the start`(size: off_t) throws {
        try fill(folder)
        let log = try large()
        folder.write(Array(log.prefix(32 + 3 * (24 + 4096))), to: "passd.db-wal")
        for name in ["large.db", "large.db-wal"] { folder.remove(name) }
        try #require(truncate(folder.path + "/passd.db-wal", size) == 0)
        let before = peak()
        let started = processorTime()
        #expect(
            LogInspection.inspect(folder.path + "/passd.db-wal")
                == (size > StoreSize.maxLogBytes ? .damaged : .endsEarly))
        #expect(processorTime() - started < .seconds(5))
        #expect(peak() - before < 200 << 10)
    }

    /// The peak of the process's memory, in KiB.
    private func peak() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}
