// The store's warnings for operators: what happened and what they can do. The codes are stable. No message contains a
// value from the store.

import AccessEnabler

extension VaultHealth.Warning {
    static func damaged(_ reason: String, setAside: String?, reading: StoreReading) -> Self {
        .init(
            code: "vault-damaged",
            message: "The store was damaged (\(reason)). \(kept(reading)) Whether there was more is not known. "
                + place(setAside),
            remedy: "Check the disk. Apps whose login is gone ask for it again.")
    }

    static func rowsUnreadable(_ reading: StoreReading, _ setAside: String?) -> Self {
        .init(
            code: "vault-rows-unreadable", message: "\(kept(reading)) \(place(setAside))",
            remedy: "Apps whose login is gone ask for it again.")
    }

    static func keyChanged(_ reading: StoreReading, _ setAside: String?) -> Self {
        .init(
            code: keyChangedCode,
            message: "The store was sealed under another key. \(kept(reading)) \(place(setAside))",
            remedy: "If the old credential or key file still exists, put it back and restart passd before anybody logs "
                + "in: then the logins are there again; `passd-setup seal --key-file` takes over from a key file. Otherwise "
                + "log in again.")
    }

    static let keyChangedCode = "vault-key-changed"

    static func newer(_ version: Int, _ path: String) -> Self {
        .init(
            code: "vault-newer-schema",
            message: "\(path) was written by a newer passd (schema \(version)). It was not touched; everything is "
                + "kept in memory only.",
            remedy: "Install that version again, or move the file away and log in anew.")
    }

    static func memoryOnly(_ code: String, reason: String, remedy: String) -> Self {
        .init(code: code, message: "Nothing is written to disk, logins end with passd: \(reason).", remedy: remedy)
    }

    static func migrationFailed(_ reason: String) -> Self {
        memoryOnly(
            "vault-migration-failed", reason: "the store could not be brought to this version's form (\(reason))",
            remedy:
                "Make room on the disk, or install the earlier version again. passd tries again by itself, every ten minutes."
        )
    }

    static func keyUnreadable(_ reason: String) -> Self {
        memoryOnly(
            "vault-key-unreadable", reason: reason, remedy: "Make the key readable for passd's user and restart passd.")
    }

    static func keyMalformed(_ setAside: String) -> Self {
        .init(
            code: "vault-key-malformed",
            message: "The key file held no key. It is now \(setAside), a new one was made.",
            remedy: "If there is a copy of the key file: stop passd, put it back, and start passd.")
    }

    static func keyExposed(_ path: String) -> Self {
        .init(
            code: "vault-key-exposed", message: "Others than passd's user could read \(path).",
            remedy: "Give it to passd's user with mode 0600. If someone may have copied it: `passd-cli logout`, stop "
                + "passd, remove the key file, and start passd.")
    }

    static func keyUnused(_ path: String) -> Self {
        .init(
            code: "vault-key-unused",
            message: "\(path) lies beside the sealing key and is not used: whoever can write there could have made it.",
            remedy:
                "If logins are missing that passd sealed with it, run `passd-setup seal --key-file` before anybody logs in. "
                + "Otherwise remove it.")
    }

    static func directoryExposed(_ path: String) -> Self {
        .init(
            code: "vault-directory-exposed", message: "Others than passd's user can look into \(path).",
            remedy: "Give it to passd's user with mode 0700.")
    }

    static func credentialUnusable(_ count: Int) -> Self {
        .init(
            code: "vault-credential-unusable",
            message: "The credential passd.sealing-key has \(count) bytes and is no key; the key file is used.",
            remedy: "Make one of at least \(SealingKey.leastSecretCount) random bytes, better 32.")
    }

    static let unsealed = Self(
        code: "vault-not-sealed", message: "Secrets are stored in the clear, as the configuration says.",
        remedy: "Set `sealing = credential` in [storage].")

    /// Codes of warnings that something in the store was lost.
    static let lossCodes: Set = ["vault-damaged", "vault-rows-unreadable", keyChangedCode, olderCode]

    /// Codes of events, which are reported until the process ends. The other codes describe the present state.
    static let eventCodes = lossCodes.union([
        "vault-key-malformed", "vault-check-failed", "vault-cleared", goneCode, "vault-changes-lost",
    ])

    static let goneCode = "vault-gone"
    static let olderCode = "vault-older"

    /// The loss is noted in the store, and reported until somebody logs in or out or passd ends in good order.
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
            message: "\(path) is whole, and older than it was: "
                + (count == 1 ? "its last change is missing." : "its last \(count) changes are missing.")
                + " All that it holds is kept.",
            remedy:
                "If somebody put a copy back, that is all there was. Otherwise check the disk. Apps whose login is gone ask "
                + "for it again; look at `passd-cli tokens`, and log out once more what was logged out.")
    }

    static func gone(_ path: String) -> Self {
        .init(
            code: goneCode,
            message: "\(path) is gone, while other files of it are there: all logins that it held are lost.",
            remedy:
                "If there is a backup: stop passd, put passd.db back together with the other files of the directory, and "
                + "start passd. Otherwise apps ask for the login again.")
    }

    static let changesLost = Self(
        code: "vault-changes-lost",
        message:
            "When passd ended, its last changes could not be written. Logins may be missing, and logins that somebody "
            + "ended may be there again.",
        remedy: "Look at `passd-cli tokens`, and log out once more what was logged out.")

    static func refused(_ refusals: [VaultFault]) -> Self {
        let reasons = Set(refusals.map(\.explanation)).sorted()
        return .init(
            code: "vault-row-refused",
            message:
                "\(refusals.count == 1 ? "One row is" : "\(refusals.count) rows are") kept in memory only, and lost "
                + "when passd ends: " + reasons.prefix(4).joined(separator: "; ")
                + (reasons.count > 4 ? "; and others." : "."),
            remedy: "Everything else is stored. Tell whoever runs the service or the app.")
    }

    static let checkFailed = Self(
        code: "vault-check-failed",
        message: "The store did not pass its examination at the start, so all logins were ended, as the configuration "
            + "says.",
        remedy: "Check the disk. Log in again; `integrity-check = none` in [storage] keeps what can be read.")

    static let cleared = Self(
        code: "vault-cleared", message: "All logins were ended at the start, as the configuration says.",
        remedy: "Set `integrity-check = none` in [storage] to keep them.")

    static func setAside(_ stores: [AsideStore], _ directory: String) -> Self {
        let mayHoldLogins = stores.contains { $0.logins.map { $0 > 0 } ?? false }
        return .init(
            code: "vault-set-aside",
            message:
                "\(directory) holds \(stores.count == 1 ? "a store" : "\(stores.count) stores") set aside earlier: "
                + stores.map(\.description).joined(separator: ", ") + ".",
            remedy: mayHoldLogins
                ? "Removing one ends the logins in it for good. To use one instead of the present store, with its key in "
                    + "place: stop passd, move passd.db and passd.db-wal away, rename the one to passd.db and its -wal, if "
                    + "there is one, to passd.db-wal, and start passd."
                : "Remove them when nobody needs them any more.")
    }

    static func commitFailed(_ fault: VaultFault) -> Self {
        .init(
            code: fault.kind == .full ? "vault-full" : "vault-write-failed",
            message: "The last change could not be stored: \(fault.explanation).",
            remedy: fault.kind == .full ? "Make room on the disk that holds the store." : "Check the disk.")
    }

    private static func kept(_ reading: StoreReading) -> String {
        let tables = Dictionary(grouping: reading.problems, by: \.table).map { "\($0): \($1.count)" }.sorted()
        var lost =
            tables.isEmpty
            ? "All rows that were found are kept."
            : "Rows that could not be read: "
                + tables.joined(separator: ", ") + "; the others are kept."
        if reading.problems.contains(where: { $0.kind == .unsealed }) {
            lost += " Some were in the clear, which passd does not write and does not accept."
        }
        return lost
    }

    private static func place(_ setAside: String?) -> String {
        setAside.map { "The old file is now \($0)." } ?? "The old file could not be set aside."
    }
}
