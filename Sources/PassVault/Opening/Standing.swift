// Whether what is committed reaches the disk, and if not, why not.

import AccessEnabler

enum Standing {
    case durable(Database)
    case memory(MemoryReason)
    case closed
}

struct MemoryReason {
    enum Kind { case readOnly, full, newer, noKey, unreachable, migration }

    var kind: Kind
    var warning: VaultHealth.Warning?

    /// Whether all that the disk holds is in memory, so that the disk may be brought to what memory holds as soon as
    /// it can be written.
    var mayRecover: Bool { kind == .readOnly || kind == .full }

    init(_ kind: Kind, _ warning: VaultHealth.Warning?) {
        self.kind = kind
        self.warning = warning
    }

    init(_ fault: FileFault, _ directory: String) {
        self = fault.isFull ? .full(fault.explanation) : .readOnly(fault.explanation, directory)
    }

    init(_ fault: DatabaseFault, _ directory: String) {
        switch fault.meaning {
        case .full: self = .full(fault.explanation)
        case .readOnly: self = .readOnly(fault.explanation, directory)
        case .busy, .unreachable, .damaged, .broken: self = .unreachable(fault.explanation, directory)
        }
    }

    static func readOnly(_ reason: String, _ directory: String) -> Self {
        Self(
            .readOnly,
            .memoryOnly(
                "vault-read-only", reason, "Let passd's user write to \(directory); then the next change is kept."))
    }

    static func full(_ reason: String) -> Self {
        Self(.full, .memoryOnly("vault-full", reason, "Make room on the disk; then the next change is kept."))
    }

    static func unreachable(_ reason: String, _ directory: String) -> Self {
        Self(
            .unreachable,
            .memoryOnly(
                "vault-unreachable", reason,
                "See who else uses or owns the files in \(directory), and restart passd."))
    }
}
