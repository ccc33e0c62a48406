// The store as it stands: what memory holds and where it is written down. Memory changes only after the disk did, so
// a commit that fails has not happened. Belongs to the storage queue.

import AccessEnabler
import Glibc

final class Store {
    private let opener: StoreOpener
    private var opened: OpenedStore
    /// The last commit did not get through; the next one that does clears it.
    private var lastFault: VaultFault?
    /// What memory has forgotten already and the disk has not.
    private var owed: [VaultChange] = []
    /// The check at the start ended all logins.
    private(set) var wasErased = false

    var contents: VaultContents { opened.contents }
    var takenBack: TakenBack? { opened.takenBack }

    init(_ configuration: VaultConfiguration) throws(VaultInUse) {
        opener = StoreOpener(configuration)
        opened = try opener.open()
        wasErased = honour(configuration.integrityCheck)
    }

    func commit(_ changes: [VaultChange]) throws(VaultFault) {
        var next = opened.contents
        for change in changes { next.apply(change) }
        if let table = opener.configuration.limits.exceeded(from: opened.contents, to: next) {
            throw VaultFault(.limit, "the store holds as many rows of \(table) as it takes")
        }
        let writes = try prepare(owed + changes)
        switch opened.standing {
        case .closed: throw VaultFault(.broken, "the store is closed")
        case .memory(let reason): if reason.mayRecover { reopen(keeping: next) }
        case .durable(let database):
            guard !writes.isEmpty else { break }
            try write(writes, to: database, next)
        }
        opened.contents = next
        owed = []
    }

    var health: VaultHealth {
        var warnings = opened.warnings
        var isPersistent = true
        if case .memory(let reason) = opened.standing {
            isPersistent = false
            warnings = [reason.warning].compactMap(\.self) + warnings
        }
        if let lastFault { warnings.insert(.commitFailed(lastFault), at: 0) }
        return VaultHealth(isPersistent: isPersistent, warnings: warnings)
    }

    /// Whether something can be written and read back, and every row still unseals and parses. What was found and
    /// mended while opening is another matter: see `honour`.
    func examine() -> Bool {
        guard case .durable(let database) = opened.standing else { return false }
        return StoreCheck(database: database, keyring: opened.keyring).passes()
    }

    /// Before anybody has loaded anything. Contract: access-enabler.md §5.2. True when the logins were erased.
    private func honour(_ check: VaultConfiguration.IntegrityCheck) -> Bool {
        switch check {
        case .none: return false
        case .all:
            let isWhole = !opened.warnings.contains { VaultHealth.Warning.lossCodes.contains($0.code) }
            guard !isWhole || !examine() else { return false }
        case .clear: break
        }
        let changes = opened.contents.withoutLogins
        opened.warnings.append(check == .clear ? .cleared : .checkFailed)
        do { try commit(changes) } catch {
            // They are gone for this process; the disk is told with the next change that gets through.
            for change in changes { opened.contents.apply(change) }
            owed = changes
        }
        return true
    }

    /// Brings the log into the database and lets go of both. What comes afterwards is refused.
    func close() {
        opened.standing = .closed
        opened.lock = nil
    }

    private func prepare(_ changes: [VaultChange]) throws(VaultFault) -> [Write] {
        let writer = RowWriter(keyring: opened.keyring, limits: opener.configuration.limits)
        var writes: [Write] = []
        do throws(RowProblem) {
            for change in changes { writes.append(try writer.write(change)) }
            if changes.contains(where: \.isLoginOrLogout) { writes.append(StoreNote.noLonger) }
        } catch {
            let field = "\(error.column) of a row of \(error.table)"
            switch error.kind {
            case .tooLarge: throw VaultFault(.limit, "\(field) is too large")
            default: throw VaultFault(.broken, "\(field) cannot be written down")
            }
        }
        return writes
    }

    private func write(_ writes: [Write], to database: Database, _ next: VaultContents) throws(VaultFault) {
        do throws(DatabaseFault) {
            guard database.isInPlace else { throw .removed }
            try database.transaction { () throws(DatabaseFault) in
                for write in writes { try database.run(write.sql, write.values) }
            }
            lastFault = nil
        } catch {
            guard error.meaning != .damaged else {
                database.abandon()
                return try mend(error, next)
            }
            let fault = VaultFault(error)
            lastFault = fault
            throw fault
        }
    }

    /// The file was damaged or taken away under our hands. Memory has everything, so a new one is made of it.
    private func mend(_ fault: DatabaseFault, _ next: VaultContents) throws(VaultFault) {
        opened.standing = .memory(.readOnly(fault.explanation, opener.directory.path))
        reopen(keeping: next)
        guard case .durable = opened.standing else {
            // Not this change, but all that was acknowledged before it, is kept for the next attempt.
            lastFault = VaultFault(fault)
            throw VaultFault(fault)
        }
        lastFault = nil
    }

    private func reopen(keeping memory: VaultContents) {
        let warnings = opened.warnings
        let before = opened.contents
        // The lock is ours already where there is one.
        guard var anew = try? opener.open(opened.lock, keeping: memory) else { return }
        anew.warnings = warnings + anew.warnings.filter { !warnings.contains($0) }
        if case .memory = anew.standing { anew.contents = before }
        opened = anew
    }
}

extension VaultChange {
    fileprivate var isLoginOrLogout: Bool {
        switch self {
        case .profile(_, _?), .tombstone(_, true): true
        default: false
        }
    }
}

extension VaultFault {
    init(_ fault: DatabaseFault) {
        let kind: Kind =
            switch fault.meaning {
            case .full: .full
            case .readOnly: .readOnly
            case .damaged, .unreachable, .busy, .broken: .broken
            }
        self.init(kind, fault.explanation)
    }
}
