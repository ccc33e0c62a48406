// Examines the store's file before any change. The examination does not write to the file or to its log.

import AccessEnabler
import CSQLite
import Glibc
import PassJSON

enum Finding {
    case absent
    /// The store can be used. `missing` is the number of newest changes that the store has lost, usually 0.
    case sound(Database, StoreReading, missing: Int64)
    /// A sound store of an earlier schema.
    case older(Database, version: Int)
    case newer(version: Int)
    case damaged(String, StoreReading)
    /// The store exists but cannot be used at the moment; `StoreReading` holds its readable rows.
    case unreachable(DatabaseFault, StoreReading)
}

struct Examination {
    let schema: StoreSchema
    let keyring: Keyring

    /// Examines the store. Damage is examined twice, because a short failure of the disk may look like damage.
    func examine(_ path: String) -> Finding {
        var isLasting = false
        let finding = examineOnce(path, &isLasting)
        if case .damaged = finding, !isLasting { return examineOnce(path, &isLasting) }
        return finding
    }

    /// Examines the store once. `isLasting` is set if the disk is not the cause of the finding.
    private func examineOnce(_ path: String, _ isLasting: inout Bool) -> Finding {
        let hadLog = access(path + "-wal", F_OK) == 0
        guard hadLog || errno == ENOENT || errno == ENOTDIR else {
            // The store is not opened, because SQLite would treat the log as missing and lose its changes.
            let fault = DatabaseFault(code: SQLITE_CANTOPEN, systemCode: errno, doing: "looking for the log")
            return .unreachable(fault, StoreReading())
        }
        let finding = look(path, &isLasting)
        switch finding {
        case .sound, .older: break
        // SQLite creates a log even when it only reads. This log is removed, because an unused store must stay unchanged.
        case .absent, .newer, .damaged, .unreachable: if !hadLog { unlink(path + "-wal") }
        }
        return finding
    }

    private func look(_ path: String, _ isLasting: inout Bool) -> Finding {
        guard holdsSomething(path) else { return .absent }
        if let problem = StoreSize.problem(ofLogsOf: path) {
            isLasting = true
            return .damaged(problem, StoreReading())
        }
        let log = LogInspection.inspect(path + "-wal")
        let database: Database
        let timeLimit = ProcessorTimeLimit(ProcessorTimeLimit.schema)
        do { database = try Database(path, .existing, timeLimit: timeLimit) } catch {
            return error.meaning == .damaged
                ? .damaged(error.explanation, StoreReading()) : .unreachable(error, StoreReading())
        }
        let inspection = SchemaInspection(database, schema)
        guard !inspection.isInterrupted else {
            isLasting = true
            return .damaged("it has too many tables", StoreReading())
        }
        timeLimit.renew(ProcessorTimeLimit.examination)
        func lost(_ reason: String, _ fault: DatabaseFault? = nil) -> Finding {
            isLasting = isLasting || fault?.isInterruption == true
            timeLimit.renew(ProcessorTimeLimit.salvage)
            return self.lost(database, reason: reason, fault: fault)
        }
        do throws(DatabaseFault) {
            let version = try database.value("PRAGMA user_version")?.integer ?? 0
            // The version is in two places. A newer version counts only if both places agree, because a bit may have flipped.
            if version > Int64(schema.version), inspection.ownTables.contains("about"),
                try writtenVersion(database) == version
            {
                guard try StoreSchema.needs(of: database, version: version) <= schema.version,
                    inspection.fits(version: Int(version))
                else { return .newer(version: Int(version)) }
            }
            if let reason = try damage(database, inspection, version: version, log: log, isLasting: &isLasting) {
                return lost(reason)
            }
            if version < schema.version { return .older(database, version: Int(version)) }
            let missing = try lack(database, path)
            if missing > 0, log != .whole { return lost(Self.isMissing(missing)) }
            let reading = StoreReading(database, keyring)
            return reading.faults.first.map { lost($0.explanation, $0) } ?? .sound(database, reading, missing: missing)
        } catch { return lost(error.explanation, error) }
    }

    /// The finding for a store that cannot be used. The store counts as damaged only if the disk was readable.
    private func lost(_ database: Database, reason: String, fault: DatabaseFault?) -> Finding {
        database.forgive()
        let tables = SchemaInspection(database, schema).ownTables
        let reading = StoreReading(database, keyring, tables: tables)
        if let obstacle = ([fault].compactMap(\.self) + reading.faults).first(where: \.isObstacle) {
            return .unreachable(obstacle, reading)
        }
        return .damaged(reason, reading)
    }

    private func damage(
        _ database: Database, _ inspection: SchemaInspection, version: Int64, log: LogInspection.Finding,
        isLasting: inout Bool
    ) throws(DatabaseFault) -> String? {
        if let problem = StoreSize.problem(of: database.path) {
            isLasting = true
            return problem
        }
        guard try database.value("PRAGMA application_id")?.integer == StoreSchema.applicationID else {
            return "it is the database of another program"
        }
        guard version > 0 else { return "its version number is inconsistent" }
        guard inspection.fits(version: Int(version)) else {
            return "its tables differ from the tables that passd makes"
        }
        guard try writtenVersion(database) == version else { return "its version number is inconsistent" }
        for table in inspection.ownTables.sorted() {
            let rows = "SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT \(StoreReading.maxRows + 1))"
            if try database.value(rows)?.integer ?? 0 > StoreReading.maxRows {
                isLasting = true
                return DatabaseFault.tooManyRows(table).doing
            }
        }
        let answer = try database.value("PRAGMA integrity_check(1)")?.text
        guard answer == "ok" else {
            if let fault = Self.readFault(in: answer ?? "") { throw fault }
            return "SQLite's integrity check found damage"
        }
        return log == .damaged ? "its write-ahead log is damaged" : nil
    }

    /// Returns how many commits the store lacks, according to its mark. If commits are missing although the log is intact to
    /// its end, an older copy was restored or the log was removed. If the log is not intact, damage to the log is the reason.
    private func lack(_ database: Database, _ path: String) throws(DatabaseFault) -> Int64 {
        guard let mark = CommitMark.read(beside: path), let own = try CommitCounter.mark(in: database),
            own.store == mark.store, own.commits < mark.commits
        else { return 0 }
        return mark.commits - own.commits
    }

    private static func isMissing(_ count: Int64) -> String {
        count == 1 ? "its last change is missing" : "its last \(count) changes are missing"
    }

    /// The fault of the disk in an answer of the integrity check; nil if there is none. The check lists unreadable pages in the
    /// same way as pages with wrong contents.
    private static func readFault(in answer: String) -> DatabaseFault? {
        guard let mark = answer.place(of: "error code="),
            let code = Int32(answer[mark.upperBound...].prefix { $0.isNumber })
        else { return nil }
        let fault = DatabaseFault(code: code, systemCode: 0, doing: "PRAGMA integrity_check")
        return fault.isObstacle ? fault : nil
    }

    private func writtenVersion(_ database: Database) throws(DatabaseFault) -> Int64? {
        do throws(DatabaseFault) {
            return try database.about("schema").flatMap { Int64($0) }
        } catch {
            if error.isObstacle { throw error }
            return nil
        }
    }

    /// Whether the file contains something. A power cut during the creation of a store leaves an empty file. Also true if the
    /// disk does not answer, because there may be a store.
    private func holdsSomething(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno != ENOENT }
        if status.st_mode & S_IFMT != S_IFREG || status.st_size > 0 { return true }
        return stat(path + "-wal", &status) == 0 && status.st_size > 0
    }
}

extension DatabaseFault {
    /// Whether the fault is unrelated to the contents of the file.
    fileprivate var isObstacle: Bool { meaning != .damaged && meaning != .broken }
}
