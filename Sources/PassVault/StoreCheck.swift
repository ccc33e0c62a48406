// The examination of a store that is in use: does it take and give back, and has everything in it its proper form?
// Contract: access-enabler.md §5.2.

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

    /// A row of our own is committed, read from the file and removed: what is rolled back never reaches the disk. It is
    /// larger than a page, so that a full disk shows.
    private func isOperable() throws(DatabaseFault) -> Bool {
        guard database.isInPlace, let drawn = randomBytes(16) else { return false }
        let mark = SQLValue.text(String(repeating: drawn.hexadecimal, count: 512))
        try database.transaction { () throws(DatabaseFault) in
            try database.run(
                """
                INSERT INTO about (name, value) VALUES ('examination', ?) \
                ON CONFLICT DO UPDATE SET value = excluded.value
                """, [mark])
        }
        // Without this it would be read from memory, and so would the rows.
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
    /// The changes that end every login. Neither the device, its key, nor what the service registered is a login; and a login
    /// that the service still has is kept from coming back by the same note that a logout leaves. Contract:
    /// open-questions.md OQ-13.
    var withoutLogins: [VaultChange] {
        selections.keys.map { .selection($0, nil) } + openLogins.keys.map { .openLogin($0, nil) }
            + profiles.keys.flatMap { [VaultChange.profile($0, nil), .tombstone($0, true)] }
    }
}
