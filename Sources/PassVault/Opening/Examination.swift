// What is found where the store should be, before anything is changed. Until the finding is made, neither the file
// nor its log is written to.

import AccessEnabler
import Glibc

enum Finding {
    case absent
    case sound(Database, Reading)
    /// An earlier version's, and sound.
    case older(Database, version: Int)
    case newer(version: Int)
    case damaged(String, Reading)
    /// It is there and cannot be had at the moment.
    case unreachable(DatabaseFault)
}

struct Examination {
    let schema: Schema
    let keyring: Keyring

    func examine(_ path: String) -> Finding {
        let hadLog = access(path + "-wal", F_OK) == 0
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
        let isLogDamaged = LogInspection.isDamaged(path + "-wal")
        let database: Database
        do { database = try Database(path, .existing) } catch {
            return error.meaning == .damaged ? .damaged(error.explanation, Reading()) : .unreachable(error)
        }
        do {
            let version = try database.value("PRAGMA user_version")?.integer ?? 0
            // Both places say so, or a bit has flipped.
            if version > Int64(schema.version), writtenVersion(database) == version {
                return .newer(version: Int(version))
            }
            let reason = try damage(database, version, isLogDamaged)
            if let reason { return .damaged(reason, salvage(database)) }
            if version < schema.version { return .older(database, version: Int(version)) }
            let reading = Reading(database, keyring)
            if let fault = reading.faults.first { return .damaged(fault.explanation, salvage(database)) }
            return .sound(database, reading)
        } catch {
            switch error.meaning {
            case .damaged, .broken: return .damaged(error.explanation, salvage(database))
            default: return .unreachable(error)
            }
        }
    }

    private func salvage(_ database: Database) -> Reading {
        database.forgive()
        return Reading(database, keyring)
    }

    private func damage(_ database: Database, _ version: Int64, _ isLogDamaged: Bool) throws(DatabaseFault) -> String? {
        guard try database.value("PRAGMA application_id")?.integer == Schema.applicationID else {
            return "it is another program's database"
        }
        guard version > 0, writtenVersion(database) == version else { return "its version is not what it says" }
        let answer = try database.value("PRAGMA integrity_check(1)")?.text
        guard answer == "ok" else { return "SQLite's integrity check found damage" }
        return isLogDamaged ? "its write-ahead log is damaged" : nil
    }

    private func writtenVersion(_ database: Database) -> Int64? {
        (try? database.value("SELECT value FROM about WHERE name = 'schema'")?.text).flatMap { Int64($0) }
    }

    /// A file of no length is what a power cut leaves of a store that was just begun.
    private func holdsSomething(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        if status.st_mode & S_IFMT != S_IFREG || status.st_size > 0 { return true }
        return stat(path + "-wal", &status) == 0 && status.st_size > 0
    }
}
