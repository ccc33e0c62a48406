// What the store has to tell people: what happened, and what they can do. The codes are stable. No message holds a
// value out of the store.

import AccessEnabler

extension VaultHealth.Warning {
    static func damaged(_ reason: String, setAside: String?, reading: StoreReading) -> Self {
        .init(
            code: "vault-damaged",
            message: "The store was damaged (\(reason)). \(kept(reading)) There may have been more. "
                + place(setAside),
            remedy: "Check the disk. Apps whose login was lost ask for it again.")
    }

    static func rowsUnreadable(_ reading: StoreReading, _ setAside: String?) -> Self {
        .init(
            code: "vault-rows-unreadable", message: "\(kept(reading)) \(place(setAside))",
            remedy: "Apps whose login was lost ask for it again.")
    }

    static func keyChanged(_ reading: StoreReading, _ setAside: String?) -> Self {
        .init(
            code: keyChangedCode,
            message: "The store was sealed with a different key. \(kept(reading)) \(place(setAside))",
            remedy: "If you have the old credential or key file, restore it and restart passd before anybody logs in; "
                + "the logins are then back. To use a key file although there is a credential, run `passd-setup seal "
                + "--key-file` instead of the restart. Otherwise log in again.")
    }

    static let keyChangedCode = "vault-key-changed"

    static func newer(_ version: Int, _ path: String) -> Self {
        .init(
            code: "vault-newer-schema",
            message: "\(path) was written by a newer passd (schema \(version)). It was not changed, and "
                + "everything is kept in memory only.",
            remedy: "Install that version again, or move the file away and log in again.")
    }

    static func memoryOnly(_ code: String, reason: String, remedy: String) -> Self {
        .init(
            code: code, message: "Nothing is written to disk, and logins are lost when passd ends: \(reason).",
            remedy: remedy)
    }

    static func migrationFailed(_ reason: String) -> Self {
        memoryOnly(
            "vault-migration-failed",
            reason: "the store could not be converted to the format of this version (\(reason))",
            remedy:
                "Free up disk space, or install the earlier version again. passd tries again every ten minutes.")
    }

    static func keyUnreadable(_ reason: String) -> Self {
        memoryOnly(
            "vault-key-unreadable", reason: reason, remedy: "Make the key readable for passd's user and restart passd.")
    }

    static func keyMalformed(_ setAside: String) -> Self {
        .init(
            code: "vault-key-malformed",
            message: "The key file did not contain a key. It is now \(setAside), and a new one was created.",
            remedy: "If you have a backup of the key file, stop passd, restore the file, and start passd.")
    }

    static func keyExposed(_ path: String) -> Self {
        .init(
            code: "vault-key-exposed", message: "Users other than passd's could read \(path).",
            remedy: "Make passd's user its owner and set its mode to 0600. If someone may have copied it, run "
                + "`passd-cli logout`, stop passd, remove the key file, and start passd.")
    }

    static func keyUnused(_ path: String) -> Self {
        .init(
            code: "vault-key-unused",
            message: "\(path) is ignored because there is a sealing key; anyone who can write there may have made it.",
            remedy:
                "If logins that were sealed with it are missing, run `passd-setup seal --key-file` before anybody logs "
                + "in. Otherwise remove it.")
    }

    static func directoryExposed(_ path: String) -> Self {
        .init(
            code: "vault-directory-exposed", message: "Users other than passd's have access to \(path).",
            remedy: "Make passd's user its owner and set its mode to 0700.")
    }

    static func credentialUnusable(_ count: Int) -> Self {
        .init(
            code: "vault-credential-unusable",
            message: "The credential passd.sealing-key has only \(count) bytes; the key file is used instead.",
            remedy: "Create one of at least \(SealingKey.leastSecretCount) random bytes, preferably 32.")
    }

    static let unsealed = Self(
        code: "vault-not-sealed", message: "Secrets are stored unencrypted, as configured.",
        remedy: "Set `sealing = credential` in [storage].")

    /// Something that was in the store is not any more.
    static let lossCodes: Set = ["vault-damaged", "vault-rows-unreadable", keyChangedCode, olderCode]

    /// What happened once and stays told; the others tell how things are.
    static let eventCodes = lossCodes.union([
        "vault-key-malformed", "vault-check-failed", "vault-cleared", goneCode, "vault-changes-lost",
    ])

    static let goneCode = "vault-gone"
    static let olderCode = "vault-older"

    /// It stands in the store until somebody has had the time to read it.
    var tellsLoss: Bool { code == Self.goneCode || code == Self.olderCode }

    static func lacking(_ loss: StoreNote.Loss, _ path: String) -> Self {
        switch loss {
        case .everything: gone(path)
        case .changes(let count): older(count, path)
        }
    }

    private static func older(_ count: Int64, _ path: String) -> Self {
        .init(
            code: olderCode,
            message: "\(path) is intact but older than expected: "
                + (count == 1 ? "its last change is missing." : "its last \(count) changes are missing.")
                + " Everything in it is kept.",
            remedy:
                "This is normal if somebody restored a backup. Otherwise check the disk. Apps whose login was lost ask "
                + "for it again. Look at `passd-cli tokens`, and repeat the logouts that were lost.")
    }

    static func gone(_ path: String) -> Self {
        .init(
            code: goneCode,
            message: "\(path) is missing, although other files of the store exist: all its logins are lost.",
            remedy:
                "If you have a backup, stop passd, restore passd.db together with the other files of the directory, "
                + "and start passd. Otherwise apps ask for the login again.")
    }

    static let changesLost = Self(
        code: "vault-changes-lost",
        message:
            "When passd last ended, its last changes could not be written. Logins may be missing, and logins that were "
            + "ended may be back.",
        remedy: "Look at `passd-cli tokens`, and repeat the logouts that were lost.")

    static func refused(_ refusals: [VaultFault]) -> Self {
        let reasons = Set(refusals.map(\.explanation)).sorted()
        return .init(
            code: "vault-row-refused",
            message:
                "\(refusals.count == 1 ? "One row is" : "\(refusals.count) rows are") kept in memory only, and will be "
                + "lost when passd ends: " + reasons.prefix(4).joined(separator: "; ")
                + (reasons.count > 4 ? "; and others." : "."),
            remedy: "Everything else is stored. Report this to the operator of the service or the maker of the app.")
    }

    static let checkFailed = Self(
        code: "vault-check-failed",
        message: "The store failed its check at startup, so all logins were deleted, as configured.",
        remedy: "Check the disk and log in again. With `integrity-check = none` in [storage], passd keeps what it can "
            + "read.")

    static let cleared = Self(
        code: "vault-cleared", message: "All logins were deleted at startup, as configured.",
        remedy: "To keep them, set `integrity-check = none` in [storage].")

    static func setAside(_ stores: [AsideStore], _ directory: String) -> Self {
        let mayHoldLogins = stores.contains { $0.logins.map { $0 > 0 } ?? false }
        return .init(
            code: "vault-set-aside",
            message:
                "\(directory) holds \(stores.count == 1 ? "a store" : "\(stores.count) stores") set aside earlier: "
                + stores.map(\.description).joined(separator: ", ") + ".",
            remedy: mayHoldLogins
                ? "Removing one deletes its logins for good. To use one instead of the current store, make sure that "
                    + "its key is in place, stop passd, move passd.db and passd.db-wal away, rename the file to "
                    + "passd.db and its -wal file, if any, to passd.db-wal, and start passd."
                : "Remove them when nobody needs them any more.")
    }

    static func commitFailed(_ fault: VaultFault) -> Self {
        .init(
            code: fault.kind == .full ? "vault-full" : "vault-write-failed",
            message: "The last change could not be stored: \(fault.explanation).",
            remedy: fault.kind == .full ? "Free up space on the disk that holds the store." : "Check the disk.")
    }

    private static func kept(_ reading: StoreReading) -> String {
        let tables = Dictionary(grouping: reading.problems, by: \.table).map { "\($0): \($1.count)" }.sorted()
        var lost =
            tables.isEmpty
            ? "All rows that were found are kept."
            : "Rows that could not be read: "
                + tables.joined(separator: ", ") + "; the others are kept."
        if reading.problems.contains(where: { $0.kind == .unsealed }) {
            lost += " Some were in the clear; passd does not accept such rows."
        }
        return lost
    }

    private static func place(_ setAside: String?) -> String {
        setAside.map { "The old file is now \($0)." } ?? "The old file could not be set aside."
    }
}
