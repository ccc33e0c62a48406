// The warnings of the store. Each describes a problem and gives a remedy. The codes are stable. No message contains a value
// from the store.

import AccessEnabler

extension VaultHealth.Warning {
    static func damaged(_ reason: String, setAside: String?, reading: StoreReading) -> Self {
        .init(
            code: "vault-damaged",
            message:
                "The store was damaged (\(reason)). \(kept(reading)) passd cannot know whether the store had more rows. "
                + place(setAside),
            remedy: "Check the disk. Apps that lost their login ask the viewer to sign in again.")
    }

    static func rowsUnreadable(_ reading: StoreReading, _ setAside: String?) -> Self {
        .init(
            code: "vault-rows-unreadable", message: "\(kept(reading)) \(place(setAside))",
            remedy: "Apps that lost their login ask the viewer to sign in again.")
    }

    static func keyChanged(_ reading: StoreReading, _ setAside: String?) -> Self {
        .init(
            code: keyChangedCode,
            message: "The store was sealed with a different key. \(kept(reading)) \(place(setAside))",
            remedy:
                "If the old credential or key file still exists, put it back and restart passd before any viewer "
                + "signs in; then the logins are back. (`passd-setup seal --key-file` uses an existing key file.) "
                + "Otherwise sign in again.")
    }

    static let keyChangedCode = "vault-key-changed"

    static func newer(_ version: Int, _ path: String, copy: String?) -> Self {
        .init(
            code: "vault-newer-schema",
            message:
                "\(path) was written by a newer passd (schema \(version)), and this version cannot use it. passd has not "
                + "changed the file, and keeps everything in memory only."
                + (copy.map { " \($0) is a copy from before the upgrade, which this version can use." } ?? ""),
            remedy: "Install the newer version again. Or stop passd, move \(path) and \(path)-wal away, "
                + (copy.map { "rename \($0) to \(path), and start passd." } ?? "start passd, and sign in again."))
    }

    static func memoryOnly(_ code: String, reason: String, remedy: String) -> Self {
        .init(
            code: code, message: "Nothing is written to the disk, and logins are lost when passd ends: \(reason).",
            remedy: remedy)
    }

    static func migrationFailed(_ reason: String) -> Self {
        memoryOnly(
            "vault-migration-failed", reason: "the store could not be converted for this version (\(reason))",
            remedy:
                "Free space on the disk, or install the earlier version again. passd tries again every ten minutes."
        )
    }

    static func keyUnreadable(_ reason: String) -> Self {
        memoryOnly(
            "vault-key-unreadable", reason: reason, remedy: "Make the file readable for passd's user and restart passd."
        )
    }

    static func saltMissing(_ path: String) -> Self {
        .init(
            code: saltMissingCode,
            message: "\(path) was missing or damaged, so passd made a new one. The box is a new device.",
            remedy: "If there is a copy of the file, stop passd, put it back, and start passd before anybody signs in; "
                + "then the logins are back. Otherwise sign in again.")
    }

    static func keyMalformed(_ setAside: String) -> Self {
        .init(
            code: "vault-key-malformed",
            message: "The key file did not contain a key. passd has renamed it to \(setAside), and made a new one.",
            remedy: "If there is a copy of the key file: stop passd, put it back, and start passd.")
    }

    static func keyExposed(_ path: String) -> Self {
        .init(
            code: "vault-key-exposed", message: "Users other than passd's could read \(path).",
            remedy: "Give the file to passd's user with mode 0600. If someone may have copied the file: `passd-cli "
                + "logout --all`, stop passd, remove the key file, and start passd.")
    }

    static func keyUnused(_ path: String) -> Self {
        .init(
            code: "vault-key-unused",
            message: "There is a sealing key, so passd does not use \(path): any program that can write to the "
                + "directory could have made it.",
            remedy:
                "If logins that passd sealed with the file are missing, run `passd-setup seal --key-file` before "
                + "any viewer signs in. Otherwise remove the file.")
    }

    static func directoryExposed(_ path: String) -> Self {
        .init(
            code: "vault-directory-exposed", message: "Users other than passd's can read \(path).",
            remedy: "Give the directory to passd's user with mode 0700.")
    }

    static func credentialUnusable(_ count: Int) -> Self {
        .init(
            code: "vault-credential-unusable",
            message: "The credential passd.sealing-key has \(count) bytes, which is not a key. passd uses the key "
                + "file instead.",
            remedy: "Make a key of at least \(SealingKey.leastSecretCount) random bytes, preferably 32.")
    }

    static let unsealed = Self(
        code: "vault-not-sealed", message: "Secrets are stored unencrypted, as configured.",
        remedy: "Set `sealing = credential` in [storage].")

    /// The codes of warnings about lost contents of the store.
    static let lossCodes: Set = ["vault-damaged", "vault-rows-unreadable", keyChangedCode, olderCode]

    /// The codes of warnings about events. These warnings stay until passd ends; other warnings describe the present state.
    static let eventCodes = lossCodes.union([
        "vault-key-malformed", saltMissingCode, "vault-check-failed", "vault-cleared", goneCode, "vault-changes-lost",
    ])

    static let saltMissingCode = "vault-salt-missing"
    static let goneCode = "vault-gone"
    static let olderCode = "vault-older"

    /// Whether the store itself keeps the warning for some time, so that an operator can read it.
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
            message: "\(path) is intact, but its contents are from an earlier time: "
                + (count == 1 ? "its last change is missing." : "its last \(count) changes are missing.")
                + " Everything in it is kept.",
            remedy:
                "If an operator has restored a copy, that is the reason. Otherwise check the disk. Apps that lost "
                + "their login ask the viewer to sign in again. Check `passd-cli tokens`, and repeat logouts that "
                + "are missing."
        )
    }

    static func gone(_ path: String) -> Self {
        .init(
            code: goneCode,
            message: "\(path) is missing, although the other files of the store exist: all logins are lost.",
            remedy:
                "If there is a backup: stop passd, restore passd.db together with the other files of the directory, and "
                + "start passd. Otherwise apps ask the viewer to sign in again.")
    }

    static let changesLost = Self(
        code: "vault-changes-lost",
        message:
            "When passd ended, it could not write its last changes. Logins may be missing, and logins that had "
            + "ended may be back.",
        remedy: "Check `passd-cli tokens`, and repeat logouts that are missing.")

    static func refused(_ fault: VaultFault) -> Self {
        .init(
            code: "vault-row-refused",
            message:
                "\(fault.rows.count == 1 ? "One row is" : "\(fault.rows.count) rows are") kept in memory only, and will be "
                + "lost when passd ends: \(fault.explanation).",
            remedy: "Everything else is stored. Report this warning to the operator of the service or the maker of "
                + "the app.")
    }

    static let checkFailed = Self(
        code: "vault-check-failed",
        message: "The store was found damaged at the start, so all logins were ended, as the configuration "
            + "says.",
        remedy: "Check the disk, and sign in again. `integrity-check = none` in [storage] keeps what can be read.")

    static let cleared = Self(
        code: "vault-cleared", message: "All logins were deleted at startup, as configured.",
        remedy: "To keep them, set `integrity-check = none` in [storage].")

    static func setAside(_ stores: [AsideStore], _ directory: String) -> Self {
        let mayHoldLogins = stores.contains { $0.logins.map { $0 > 0 } ?? false }
        return .init(
            code: "vault-set-aside",
            message:
                "\(directory) contains \(stores.count == 1 ? "a store" : "\(stores.count) stores") set aside earlier: "
                + stores.map(\.description).joined(separator: ", ") + ".",
            remedy: mayHoldLogins
                ? "If you remove such a store, its logins are deleted. To use such a store instead of the present "
                    + "store: stop passd, make sure that the key of the old store is in place, move passd.db and "
                    + "passd.db-wal away, rename the "
                    + "old store to passd.db and its -wal file, if there is one, to passd.db-wal, and start passd."
                : "Remove these files when you no longer need them.")
    }

    static func commitFailed(_ fault: VaultFault) -> Self {
        .init(
            code: fault.kind == .full ? "vault-full" : "vault-write-failed",
            message: "The last change could not be stored: \(fault.explanation).",
            remedy: fault.kind == .full ? "Free space on the disk that holds the store." : "Check the disk.")
    }

    private static func kept(_ reading: StoreReading) -> String {
        let tables = Dictionary(grouping: reading.problems, by: \.table).map { "\($0): \($1.count)" }.sorted()
        var lost =
            tables.isEmpty
            ? "All rows that were found were kept."
            : "These rows could not be read: "
                + tables.joined(separator: ", ") + "; the others were kept."
        if reading.problems.contains(where: { $0.kind == .unsealed }) {
            lost += " Some were not sealed; passd never writes such rows, and does not accept them."
        }
        return lost
    }

    private static func place(_ setAside: String?) -> String {
        setAside.map { "The old file is now \($0)." } ?? "The old file could not be set aside."
    }
}
