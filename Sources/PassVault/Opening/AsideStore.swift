// A store that was set aside, and its contents. The inspection is quick and changes nothing. A damaged store is not read,
// because its readable rows are already in the present store.

import AccessEnabler
import Glibc

struct AsideStore {
    let name: String
    /// The number of logins; nil if it is unknown.
    private(set) var logins: Int?
    /// The contents, if every row can be read with the present keys.
    private(set) var contents: VaultContents?
    /// The name of the store's last sealing key.
    private(set) var keyName: String?

    private var isDamaged: Bool { name.hasPrefix("passd.db.damaged-") }

    /// All inspected stores share `timeLimit`.
    init(
        _ name: String, in directory: StateDirectory, schema: StoreSchema, keyring: Keyring,
        timeLimit: ProcessorTimeLimit
    ) {
        self.name = name
        let path = directory.path + "/" + name
        // SQLite creates a log even when it only reads. Such a log is removed afterwards.
        let hadLog = access(path + "-wal", F_OK) == 0 || errno != ENOENT
        defer { if !hadLog { unlink(path + "-wal") } }
        guard !isDamaged, (try? PlainFile.check(path)) != nil,
            let (reading, keyName) = Self.read(path, schema: schema, keyring: keyring, timeLimit: timeLimit)
        else { return }
        self.keyName = keyName
        logins = reading.contents.profiles.count + reading.problems.count { $0.table == ProfileTable.table }
        if reading.problems.isEmpty { contents = reading.contents }
    }

    private static func read(
        _ path: String, schema: StoreSchema, keyring: Keyring, timeLimit: ProcessorTimeLimit
    ) -> (StoreReading, keyName: String?)? {
        guard StoreSize.problem(of: path) == nil, StoreSize.problem(ofLogsOf: path) == nil,
            LogInspection.inspect(path + "-wal") != .damaged
        else { return nil }
        do throws(DatabaseFault) {
            let database = try Database(path, .existing, timeLimit: timeLimit)
            let version = try database.value("PRAGMA user_version")?.integer ?? 0
            guard version > 0, SchemaInspection(database, schema).fits(version: Int(version)),
                try StoreSchema.needs(of: database, version: version) <= schema.version,
                try database.value("PRAGMA application_id")?.integer == StoreSchema.applicationID,
                try database.value("PRAGMA integrity_check(1)")?.text == "ok"
            else { return nil }
            let reading = StoreReading(database, keyring)
            // A store of an older schema may lack tables, so faults are expected.
            guard version < schema.version || reading.faults.isEmpty else { return nil }
            return (reading, try database.about("key"))
        } catch { return nil }
    }

    var description: String {
        guard let logins else { return "\(name) (\(isDamaged ? "damaged" : "not readable"))" }
        let count = logins == 1 ? "1 login" : logins == 0 ? "no logins" : "\(logins) logins"
        return "\(name) (\(count)\(contents == nil ? ", not readable with the present key" : ""))"
    }
}
