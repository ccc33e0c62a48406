// Whether commits reach the disk, and if not, why.

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

    /// Whether the cause may disappear while passd runs. A newer store remains newer.
    var mayRecover: Bool { kind != .newer }

    /// The fault that answers a change which is kept in memory only.
    var fault: VaultFault {
        let kind: VaultFault.Kind =
            switch kind {
            case .readOnly: .readOnly
            case .full: .full
            case .newer, .noKey, .unreachable, .migration: .broken
            }
        return VaultFault(kind, warning?.message ?? "nothing is written to disk: the key cannot be read")
    }

    init(_ kind: Kind, _ warning: VaultHealth.Warning?) {
        self.kind = kind
        self.warning = warning
    }

    init(_ fault: FileFault, _ directory: String) {
        self =
            fault.isFull
            ? .full(fault.explanation)
            : fault.isNotPlain ? .notPlain(fault.explanation) : .readOnly(fault.explanation, directory)
    }

    init(_ fault: DatabaseFault, _ directory: String) {
        switch fault.meaning {
        case .full: self = .full(fault.explanation)
        case .readOnly: self = .readOnly(fault.explanation, directory)
        case .faulty: self = .faulty(fault.explanation)
        case .busy, .unreachable, .damaged, .broken: self = .unreachable(fault.explanation, directory)
        }
    }

    static func readOnly(_ reason: String, _ directory: String) -> Self {
        Self(
            .readOnly,
            .memoryOnly(
                "vault-read-only", reason: reason,
                remedy:
                    "Give \(directory) and the files in it to passd's user, and let it write there: chown, chmod u+rw, or a "
                    + "mount that is not read-only. passd then goes on with the store by itself."))
    }

    static func notPlain(_ reason: String) -> Self {
        Self(
            .unreachable,
            .memoryOnly(
                "vault-unreachable", reason: reason,
                remedy:
                    "Somebody put something else in its place: move it away. passd then goes on with the store by itself."
            ))
    }

    static func full(_ reason: String) -> Self {
        Self(
            .full,
            .memoryOnly(
                "vault-full", reason: reason,
                remedy: "Make room on the disk. passd then goes on with the store by itself."))
    }

    static func faulty(_ reason: String) -> Self {
        Self(
            .unreachable,
            .memoryOnly(
                "vault-disk-fault", reason: reason,
                remedy:
                    "Check the disk; nothing in the store was changed. When the disk works again, passd goes on with the store "
                    + "by itself. If it never will: stop passd, move passd.db and passd.db-wal away, and start passd."))
    }

    static func unreachable(_ reason: String, _ directory: String) -> Self {
        Self(
            .unreachable,
            .memoryOnly(
                "vault-unreachable", reason: reason,
                remedy:
                    "See who else uses or owns the files in \(directory). passd then goes on with the store by itself.")
        )
    }
}
