// Whether commits reach the disk, and the reason if they do not.

import AccessEnabler

enum Durability {
    case durable(Database)
    case memory(MemoryReason)
    case closed
}

struct MemoryReason {
    enum Kind { case readOnly, full, newer, noKey, unreachable, migration }

    var kind: Kind
    var warning: VaultHealth.Warning?

    /// Whether the reason may disappear while passd runs. False for a store of a newer version, because this process can never
    /// use it.
    var mayRecover: Bool { kind != .newer }

    /// The fault of a commit whose changes are kept only in memory.
    var fault: VaultFault {
        let kind: VaultFault.Kind =
            switch kind {
            case .readOnly: .readOnly
            case .full: .full
            case .newer, .noKey, .unreachable, .migration: .broken
            }
        return VaultFault(kind, warning?.message ?? "nothing is written to the disk: the key cannot be read")
    }

    init(_ kind: Kind, _ warning: VaultHealth.Warning?) {
        self.kind = kind
        self.warning = warning
    }

    private init(_ kind: Kind, code: String, reason: String, remedy: String) {
        self.init(kind, .memoryOnly(code, reason: reason, remedy: remedy))
    }

    init(_ fault: FileFault, _ directory: String) {
        let reason = fault.explanation
        self = fault.isFull ? .full(reason) : fault.isNotPlain ? .notPlain(reason) : .readOnly(reason, directory)
    }

    init(_ fault: DatabaseFault, _ directory: String) {
        let reason = fault.explanation
        self =
            switch fault.meaning {
            case .full: .full(reason)
            case .readOnly: .readOnly(reason, directory)
            case .faulty: .faulty(reason)
            case .busy, .unreachable, .damaged, .broken: .unreachable(reason, directory)
            }
    }

    static func newer(_ version: Int, _ copies: KeptCopies) -> Self {
        Self(.newer, .newer(version, copies.directory.database, copy: copies.newest))
    }

    static func readOnly(_ reason: String, _ directory: String) -> Self {
        Self(
            .readOnly, code: "vault-read-only", reason: reason,
            remedy:
                "Give \(directory) and the files in it to passd's user, and let it write there: chown, chmod u+rw, or a "
                + "mount that is not read-only. passd then uses the store again without a restart.")
    }

    static func notPlain(_ reason: String) -> Self {
        Self(
            .unreachable, code: "vault-unreachable", reason: reason,
            remedy:
                "Move the file or directory of this name away. passd then uses the store again without a restart."
        )
    }

    static func full(_ reason: String) -> Self {
        Self(
            .full, code: "vault-full", reason: reason,
            remedy: "Free space on the disk, and do not restart passd before that, because new logins would be lost. "
                + "passd then uses the store again without a restart.")
    }

    static func faulty(_ reason: String) -> Self {
        Self(
            .unreachable, code: "vault-disk-fault", reason: reason,
            remedy:
                "Do not restart passd or the box before the disk works again, because new logins would be lost. The "
                + "administrator of the box has to check the disk; nothing in the store was changed. When the disk works "
                + "again, passd uses the store again without a restart. If passd then does not use the store, the "
                + "administrator has to stop passd, move passd.db and passd.db-wal away, and start passd."
        )
    }

    static func unreachable(_ reason: String, _ directory: String) -> Self {
        Self(
            .unreachable, code: "vault-unreachable", reason: reason,
            remedy:
                "Find out which other program uses the files in \(directory), or which other user owns them. passd "
                + "then uses the store again without a restart.")
    }
}
