// Translates faults of the database and of rows into `VaultFault`, which the engine knows.

import AccessEnabler

extension VaultFault {
    /// The fault for rows that cannot be written although the disk works. The fault is `.broken` if sealing has failed, because
    /// the next attempt may succeed then.
    init(refusing faults: [VaultRow: VaultFault]) {
        let reasons = Set(faults.values.map(\.explanation)).sorted()
        self.init(
            faults.values.contains { $0.kind == .broken } ? .broken : .limit,
            reasons.prefix(4).joined(separator: "; ") + (reasons.count > 4 ? "; and others" : ""),
            at: Set(faults.keys))
    }

    init(_ fault: DatabaseFault) {
        let kind: Kind =
            switch fault.meaning {
            case .full: .full
            case .readOnly: .readOnly
            case .damaged, .faulty, .unreachable, .busy, .broken: .broken
            }
        self.init(kind, fault.explanation)
    }

    init(_ problem: RowProblem, _ limits: VaultLimits) {
        let field = "\(problem.column) of a row of \(problem.table)"
        switch problem.kind {
        case .tooLarge: self.init(.limit, "\(field) is too large (more than \(limits.valueBytes) bytes)")
        case .unknown: self.init(.limit, "\(field) cannot be stored (nested too deep, or not a number)")
        case .unsealable, .unsealed, .damaged: self.init(.broken, "\(field) cannot be sealed")
        }
    }
}
