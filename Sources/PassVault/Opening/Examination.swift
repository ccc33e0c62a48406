// What is found where the store should be, before anything is changed. Until the finding is made, neither the file
// nor its log is written to.

import AccessEnabler
import CSQLite
import Glibc

enum Finding {
    case absent
    /// That many of its newest changes are missing.
    case sound(Database, StoreReading, missing: Int64)
    /// An earlier version's, and sound.
    case older(Database, version: Int)
    case newer(version: Int)
    case damaged(String, StoreReading)
    /// It is there and cannot be had at the moment; this much of it was read all the same.
    case unreachable(DatabaseFault, StoreReading)
}

struct Examination {
    let schema: StoreSchema
    let keyring: Keyring

    /// A disk that fails for a moment may look like damage; damage looks like that twice.
    func examine(_ path: String) -> Finding {
        let finding = examineOnce(path)
        if case .damaged = finding { return examineOnce(path) }
        return finding
    }

    private func examineOnce(_ path: String) -> Finding {
        let hadLog = access(path + "-wal", F_OK) == 0
        guard hadLog || errno == ENOENT || errno == ENOTDIR else {
            // SQLite would take it for absent, and what is in it for lost.
            let fault = DatabaseFault(code: SQLITE_CANTOPEN, systemCode: errno, doing: "looking for the log")
            return .unreachable(fault, StoreReading())
        }
        let finding = look(path)
        switch finding {
        case .sound, .older: break
        // SQLite makes a log for reading, too; what is not taken on stays as it was found.
        case .absent, .newer, .damaged, .unreachable: if !hadLog { unlink(path + "-wal") }
        }
        return finding
    }

    private func look(_ path: String) -> Finding {
        guard holdsSomething(path) else { return .absent }
        let log = LogInspection.inspect(path + "-wal")
        let database: Database
        do { database = try Database(path, .existing) } catch {
            return error.meaning == .damaged
                ? .damaged(error.explanation, StoreReading()) : .unreachable(error, StoreReading())
        }
        do throws(DatabaseFault) {
            let version = try database.value("PRAGMA user_version")?.integer ?? 0
            // Both places say so, or a bit has flipped.
            if version > Int64(schema.version), try writtenVersion(database) == version {
                return .newer(version: Int(version))
            }
            if let reason = try damage(database, version: version, log: log) { return lost(database, reason: reason) }
            // A store of an earlier schema did not count: a copy of before an upgrade lacks nothing.
            if version < schema.version { return .older(database, version: Int(version)) }
            let missing = try lack(database, path)
            if missing > 0, log != .whole { return lost(database, reason: Self.isMissing(missing)) }
            let reading = StoreReading(database, keyring)
            return reading.faults.first.map { lost(database, reason: $0.explanation, fault: $0) }
                ?? .sound(database, reading, missing: missing)
        } catch { return lost(database, reason: error.explanation, fault: error) }
    }

    /// Damaged only if the disk reads what it holds.
    private func lost(_ database: Database, reason: String, fault: DatabaseFault? = nil) -> Finding {
        database.forgive()
        let reading = StoreReading(database, keyring)
        if let obstacle = ([fault].compactMap(\.self) + reading.faults).first(where: \.isObstacle) {
            return .unreachable(obstacle, reading)
        }
        return .damaged(reason, reading)
    }

    private func damage(
        _ database: Database, version: Int64, log: LogInspection.Finding
    ) throws(DatabaseFault) -> String? {
        guard try database.value("PRAGMA application_id")?.integer == StoreSchema.applicationID else {
            return "it is the database of another program"
        }
        guard version > 0, try writtenVersion(database) == version else { return "its version number is inconsistent" }
        let answer = try database.value("PRAGMA integrity_check(1)")?.text
        guard answer == "ok" else {
            if let fault = Self.readFault(in: answer ?? "") { throw fault }
            return "SQLite's integrity check found damage"
        }
        return log == .damaged ? "its write-ahead log is damaged" : nil
    }

    /// By how many changes it is older than it was. With a log that is right to its end, somebody has put a copy back, or the
    /// log is gone; with another one, the log was damaged.
    private func lack(_ database: Database, _ path: String) throws(DatabaseFault) -> Int64 {
        guard let mark = CommitMark.read(beside: path), let own = try CommitCounter.mark(in: database),
            own.store == mark.store, own.commits < mark.commits
        else { return 0 }
        return mark.commits - own.commits
    }

    private static func isMissing(_ count: Int64) -> String {
        count == 1 ? "its last change is missing" : "its last \(count) changes are missing"
    }

    /// The check names a page that the disk did not give as it names one that holds nonsense.
    private static func readFault(in answer: String) -> DatabaseFault? {
        guard let mark = answer.firstRange(of: "error code="),
            let code = Int32(answer[mark.upperBound...].prefix { $0.isNumber })
        else { return nil }
        let fault = DatabaseFault(code: code, systemCode: 0, doing: "PRAGMA integrity_check")
        return fault.isObstacle ? fault : nil
    }

    private func writtenVersion(_ database: Database) throws(DatabaseFault) -> Int64? {
        do throws(DatabaseFault) {
            return try database.value("SELECT value FROM about WHERE name = 'schema'")?.text.flatMap { Int64($0) }
        } catch {
            if error.isObstacle { throw error }
            return nil
        }
    }

    /// A file of no length is what a power cut leaves of a store that was just begun. Where the disk does not tell, there may
    /// be a store.
    private func holdsSomething(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno != ENOENT }
        if status.st_mode & S_IFMT != S_IFREG || status.st_size > 0 { return true }
        return stat(path + "-wal", &status) == 0 && status.st_size > 0
    }
}

extension DatabaseFault {
    /// Says nothing about what the file holds.
    fileprivate var isObstacle: Bool { meaning != .damaged && meaning != .broken }
}
