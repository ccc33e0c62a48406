// A backup of the store as a text: a line that identifies the backup, and all rows except open logins. The rows are sealed with
// the store's key. Only the device that made the backup can open it. storage-layouts.md.

import AccessEnabler
import PassJSON

/// A sealed backup, with a summary of its contents.
public struct StoreBackup: Sendable {
    public let text: String
    public let logins: Int
    public let apps: Int
}

/// The reason why a backup could not be made or restored. It contains no secret.
public struct BackupFault: Error, Hashable, Sendable {
    /// Whether the fault is in the backup or in the store.
    public enum Kind: Hashable, Sendable { case backup, store }

    public let kind: Kind
    public let explanation: String
    public let remedy: String

    static func store(_ explanation: String, remedy: String) -> Self {
        Self(kind: .store, explanation: explanation, remedy: remedy)
    }

    static func backup(_ explanation: String, remedy: String) -> Self {
        Self(kind: .backup, explanation: explanation, remedy: remedy)
    }

    static let noKey = store(
        "The store is not sealed, so there is no key to seal a backup with.",
        remedy: "Remove sealing = none from [storage] and restart passd, or copy the state directory; see "
            + "passd(8).")
    static let notDurable = store(
        "The store or its last changes are not on the disk.",
        remedy: "Run passd-cli doctor, follow its remedies, and try again.")
    static let noBackup = backup(
        "This is not a backup of passd.", remedy: "Give a file that passd-cli export has written.")
    static let damaged = backup(
        "The backup is damaged or incomplete.", remedy: "Use another copy of the backup, or an earlier backup.")
    static let newer = backup(
        "The backup is from a newer version of passd.", remedy: "Upgrade passd, and then import the backup.")
    static let otherKey = backup(
        "The backup is sealed with another key: the backup is from another device, or the key was replaced after "
            + "the backup was made.",
        remedy: "Use a backup that was made on this device with its present key.")
    static let otherDevice = backup(
        "The backup is from another device.",
        remedy: "Use a backup of this device. Logins cannot be moved to "
            + "another device."
    )
}

struct BackupCodec {
    let key: SealingKey?

    private static let version = 1
    private static let magic = "passd-backup "
    private static let place = SealedRowBinding(table: "backup", column: "contents", key: ["\(version)"])
    /// The tables of a backup. Open logins are left out, because after a restore their codes are no longer on a screen.
    private static let tables = relations.filter { $0.table != OpenLoginTable.table }
    private static let limits = JSONLimits(depth: 4, values: 1_000_000)

    func seal(_ contents: VaultContents) throws(BackupFault) -> StoreBackup {
        guard let key else { throw .noKey }
        guard contents.device != nil else { throw .notDurable }
        let envelope: [UInt8]
        do {
            var tables = JSONObject()
            for table in Self.tables { tables.append(table.table, .array(try Self.rows(table, contents))) }
            let text = String(decoding: JSONWriter.bytes(.object(tables)), as: UTF8.self)
            envelope = try Keyring(current: key).seal(text, at: Self.place)
        } catch {
            throw .store("The store cannot be sealed.", remedy: "Run passd-cli doctor.")
        }
        return StoreBackup(
            text: "\(Self.magic)\(Self.version)\n\(envelope.base64)\n",
            logins: contents.profiles.count, apps: Set(contents.registrations.keys.map(\.app)).count)
    }

    /// Returns the contents of a backup. Throws if the text is not a backup of this device.
    func open(_ text: String, on device: DeviceID?) throws(BackupFault) -> VaultContents {
        guard let key else { throw .noKey }
        let envelope = try Self.envelope(text)
        let json: JSONValue
        do throws(Keyring.Problem) {
            // Unsealed values are refused, because anyone could make them.
            let rows = try Keyring(current: key, plain: .never).open(envelope, at: Self.place)
            guard let value = try? JSONReader.read(Array(rows.utf8), limits: Self.limits) else {
                throw Keyring.Problem.damaged
            }
            json = value
        } catch {
            throw error == .otherKey ? .otherKey : .damaged
        }
        var contents = VaultContents()
        for table in Self.tables {
            do throws(RowProblem) { try Self.read(table, json, into: &contents) } catch { throw .damaged }
        }
        guard let device, contents.device == device else { throw .otherDevice }
        return contents
    }

    private static func envelope(_ text: String) throws(BackupFault) -> [UInt8] {
        var text = text[...]
        guard text.hasPrefix(magic) else { throw .noBackup }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        let lines = text.dropFirst(magic.count).split(
            separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard let written = lines.first.flatMap({ Int($0) }), written > 0, "\(written)" == lines[0] else {
            throw .damaged
        }
        guard written <= version else { throw .newer }
        // Several Base64 texts can decode to the same bytes. Only the one that passd writes is accepted.
        guard lines.count == 2, let bytes = Base64.decoded(lines[1].utf8), bytes.base64 == lines[1] else {
            throw .damaged
        }
        return bytes
    }

    private static func rows<R: Relation>(_: R.Type, _ contents: VaultContents) throws(RowProblem) -> [JSONValue] {
        var rows: [JSONValue] = []
        for (key, value) in R.all(in: contents) {
            var row = R.texts(of: key).map { JSONValue.string($0) }
            for field in try R.fields(of: value) {
                switch field {
                case .null: row.append(.null)
                case .integer(let number): row.append(.int(number))
                case .text(let text): row.append(.string(text))
                case .blob: throw RowProblem(.unknown, table: R.table)
                }
            }
            rows.append(.array(row))
        }
        return rows
    }

    private static func read<R: Relation>(
        _: R.Type, _ json: JSONValue, into contents: inout VaultContents
    ) throws(RowProblem) {
        let unknown = RowProblem(.unknown, table: R.table)
        // A backup of another version may lack tables and columns, or have more columns at the end.
        guard let rows = (json[R.table] ?? .array([])).array else { throw unknown }
        for row in rows {
            let values = row.array ?? []
            let texts = values.prefix(R.keyColumns.count).compactMap(\.string)
            guard texts.count == R.keyColumns.count else { throw unknown }
            var fields: [SQLValue] = []
            for value in values.dropFirst(texts.count).prefix(R.columns.count) {
                if value.isNull {
                    fields.append(.null)
                } else if let number = value.int64 {
                    fields.append(.integer(number))
                } else if let text = value.string {
                    fields.append(.text(text))
                } else {
                    throw unknown
                }
            }
            R.put(R.key(texts), try R.value(fields), in: &contents)
        }
    }
}

extension VaultContents {
    /// Returns the changes that turn these contents into the contents of the backup. A logout that the service does not know of
    /// yet is kept, with the credentials to report it. It is not kept if the backup contains the login that it ended.
    func changes(to backup: VaultContents) -> [VaultChange] {
        let owed = tombstones.filter { backup.profiles[$0] == nil }
        let needed = Set(owed.map(\.registration))
        var changes: [VaultChange] = []
        changes += registrations.keys.filter { backup.registrations[$0] == nil && !needed.contains($0) }
            .map { .registration($0, nil) }
        changes += selections.keys.filter { backup.selections[$0] == nil }.map { .selection($0, nil) }
        changes += profiles.keys.filter { backup.profiles[$0] == nil }.map { .profile($0, nil) }
        changes += openLogins.keys.map { .openLogin($0, nil) }
        changes += tombstones.subtracting(owed).subtracting(backup.tombstones).map { .tombstone($0, false) }
        changes += lapsed.subtracting(backup.lapsed).map { .lapse($0, false) }
        changes += backup.deviceKey.map { [.deviceKey($0)] } ?? []
        changes += backup.registrations.map { .registration($0.key, $0.value) }
        changes += backup.selections.map { .selection($0.key, $0.value) }
        changes += backup.profiles.map { .profile($0.key, $0.value) }
        changes += backup.tombstones.map { .tombstone($0, true) } + backup.lapsed.map { .lapse($0, true) }
        return changes
    }
}
