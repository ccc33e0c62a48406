// Examines a store that is in use: whether a row can be written and read back, and whether every row has its proper
// form. Contract: access-enabler.md §5.2.

import AccessEnabler
import PassJSON

struct StoreCheck {
    let database: Database
    let keyring: Keyring

    func passes() -> Bool {
        do throws(DatabaseFault) {
            guard try isOperable() else { return false }
            return try isValid()
        } catch { return false }
    }

    /// Whether the store works. Commits a row of our own, because a transaction that is rolled back would never reach the disk.
    /// Then reads the row from the file and removes it. The row is larger than a page, so that a full disk is noticed.
    private func isOperable() throws(DatabaseFault) -> Bool {
        guard database.isInPlace, let drawn = randomBytes(16) else { return false }
        let mark = SQLValue.text(String(repeating: drawn.hexadecimal, count: 512))
        try database.transaction { () throws(DatabaseFault) in
            try database.run(.about("examination", mark))
        }
        // Without this, the row and all others would be read from memory.
        try database.run("PRAGMA shrink_memory")
        let found = try database.value("SELECT value FROM about WHERE name = 'examination'")
        try database.transaction { () throws(DatabaseFault) in
            try database.run("DELETE FROM about WHERE name = 'examination'")
        }
        return found == mark
    }

    private func isValid() throws(DatabaseFault) -> Bool {
        try database.run("PRAGMA shrink_memory")
        guard try database.value("PRAGMA quick_check(1)")?.text == "ok" else { return false }
        let reading = StoreReading(database, keyring)
        return reading.problems.isEmpty && reading.faults.isEmpty
    }
}

extension VaultContents {
    /// The changes that end every login. The device, its key and the registrations are not logins and are kept. Each login
    /// leaves a tombstone, as after a logout, so that the service's copy of the login cannot restore it. Contract:
    /// open-questions.md OQ-13.
    var withoutLogins: [VaultChange] {
        selections.keys.map { .selection($0, nil) } + openLogins.keys.map { .openLogin($0, nil) }
            + profiles.keys.flatMap { [VaultChange.profile($0, nil), .tombstone($0, true)] }
            + lapsed.flatMap { [VaultChange.lapse($0, false), .tombstone($0, true)] }
    }
}
