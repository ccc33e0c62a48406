// The open store: its contents in memory, and where they are written. While the disk works, memory changes only after
// the disk did, so a commit that fails has not happened. Without a disk, memory goes on alone, and its changes are
// written once the disk is back. Owned by `Vault`; used on the storage queue only.

import AccessEnabler
import Glibc

final class Store {
    private let opener: StoreOpener
    private var opened: OpenedStore
    /// The fault of the last commit if it was not written; the next commit that is written clears it.
    private var lastFault: VaultFault?
    /// Changes that memory holds and the disk does not.
    private var owed: [VaultRow: VaultChange] = [:]
    private var refusals: [VaultRow: VaultFault] = [:]
    private static let mostRefusals = 64
    /// Rows of changes that were refused by the disk and are not in memory either.
    private var untaken: Set<VaultRow> = []
    /// The earliest time of the next attempt: a disk that is slow to fail is not tried with every change.
    private var nextAttempt = ContinuousClock.now
    /// Whether the integrity check at the start ended all logins.
    private(set) var wasErased = false
    /// The logins that were in the store and are not any more, by that check or because they were damaged.
    private(set) var lostLogins: Set<ProfileKey> = []

    var contents: VaultContents { opened.contents }
    var restoredStore: RestoredStore? { opened.restoredStore }
    var recordSecret: [UInt8] { opened.keyring.current?.recordSecret ?? randomBytes(SealingKey.keyCount) ?? [] }

    init(_ configuration: VaultConfiguration) throws(VaultInUse) {
        opener = StoreOpener(configuration)
        opened = try opener.open()
        nextAttempt = .now + leastRest
        let stored = opened.contents.profiles.keys
        wasErased = honour(configuration.integrityCheck)
        lostLogins = opened.lostLogins.union(stored).subtracting(contents.profiles.keys)
    }

    func commit(_ changes: [VaultChange]) throws(VaultFault) {
        if case .closed = opened.durability { throw VaultFault(.broken, "the store is closed") }
        recover()
        let writes = try prepare(changes)
        guard case .durable(let database) = opened.durability else { throw keepInMemory(changes) }
        if !writes.isEmpty { try write(writes, of: changes, to: database) }
        remember(changes)
        owed = [:]
        for change in changes { refusals[change.row] = nil }
    }

    /// Tries whether the disk is back, and if so unites what it holds with what memory kept meanwhile.
    @discardableResult func recover() -> Bool {
        guard case .memory(let reason) = opened.durability, reason.mayRecover, .now >= nextAttempt else { return false }
        let started = ContinuousClock.now
        reopen()
        nextAttempt = .now + max(Self.rest(after: started.duration(to: .now)), leastRest)
        guard case .durable = opened.durability else { return false }
        lastFault = nil
        return true
    }

    var health: VaultHealth {
        var warnings = opened.warnings
        var isPersistent = true
        if !refusals.isEmpty { warnings.insert(.refused(Array(refusals.values)), at: 0) }
        if case .memory(let reason) = opened.durability {
            isPersistent = false
            warnings = [reason.warning].compactMap(\.self) + warnings
        }
        if let lastFault { warnings.insert(.commitFailed(lastFault), at: 0) }
        return VaultHealth(isPersistent: isPersistent, warnings: warnings)
    }

    /// Whether a row can be written and read back, and every row still unseals and parses. Damage that was found and
    /// mended while opening does not count here, but in `honour`.
    func examine() -> Bool {
        guard case .durable(let database) = opened.durability else { return false }
        return StoreCheck(database: database, keyring: opened.keyring).passes()
    }

    /// Acts on `integrity-check` before anybody has loaded anything. Returns true if the logins were erased. Contract:
    /// access-enabler.md §5.2.
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
            // The logins are gone for this process; the next successful commit removes them from the disk.
            keep(changes)
        }
        return true
    }

    /// Copies the log into the database and closes both. Later commits are refused.
    func close() {
        if case .durable(let database) = opened.durability, opened.warnings.contains(where: \.tellsLoss) {
            try? database.run(StoreNote.lossIsTold.sql)
        }
        opened.durability = .closed
        opened.lock = nil
    }

    // MARK: Backup

    func backUp() throws(BackupFault) -> StoreBackup {
        guard case .durable = opened.durability, lastFault == nil, untaken.isEmpty else { throw .notDurable }
        return try BackupCodec(key: opened.keyring.current).seal(contents)
    }

    /// Replaces all rows by those of a backup, and closes the store, because whoever has loaded it knows former rows.
    /// If it throws, nothing has changed. Returns what is stored now.
    func restore(_ text: String) throws(BackupFault) -> VaultContents {
        guard case .durable(let database) = opened.durability, database.isInPlace else { throw .notDurable }
        let backup = try BackupCodec(key: opened.keyring.current).open(text, on: contents.device)
        let changes = contents.changes(to: backup)
        let formerRefusals = refusals
        do {
            let writes = try prepare(changes)
            try database.commit { () throws(DatabaseFault) in
                for write in writes { try database.run(write.sql, write.values) }
            }
        } catch {
            // What was refused is in the backup alone.
            refusals = formerRefusals
            let reason = (error as? VaultFault)?.explanation ?? (error as? DatabaseFault)?.explanation ?? ""
            throw .store("The backup could not be written: \(reason).", remedy: BackupFault.notDurable.remedy)
        }
        try? database.checkpoint()
        remember(changes)
        close()
        return contents
    }

    // MARK: Refusals

    /// Turns the changes, and those that the disk lacks, into statements. Only `changes` are held against the limit of
    /// rows, since the others have passed it already.
    private func prepare(_ changes: [VaultChange]) throws(VaultFault) -> [Write] {
        let limits = opener.configuration.limits
        let writer = RowWriter(keyring: opened.keyring, limits: limits)
        var writes: [Write] = []
        var refused: [VaultRow: VaultFault] = [:]
        for change in Array(owed.values) + changes {
            do throws(RowProblem) { writes.append(try writer.write(change)) } catch {
                let fault = VaultFault(error, limits)
                guard fault.kind == .limit else {
                    refuse(change.row, fault)
                    throw fault
                }
                refused[change.row] = fault
            }
        }
        let rest = changes.filter { refused[$0.row] == nil }
        for (row, table) in limits.surplus(of: rest, to: opened.contents) {
            refused[row] = VaultFault(.limit, "the store has reached its limit of rows of \(table)")
        }
        guard refused.isEmpty else {
            for (row, fault) in refused { refuse(row, fault) }
            throw VaultFault(refusing: refused)
        }
        if changes.contains(where: \.isLoginOrLogout) { writes.append(StoreNote.noLonger) }
        return writes
    }

    private func refuse(_ row: VaultRow, _ fault: VaultFault) {
        if refusals.count < Self.mostRefusals || refusals[row] != nil { refusals[row] = fault }
    }

    // MARK: Writing

    private func write(_ writes: [Write], of changes: [VaultChange], to database: Database) throws(VaultFault) {
        let left = untaken.subtracting(changes.map(\.row))
        do throws(DatabaseFault) {
            guard database.isInPlace else { throw .removed }
            try database.commit(owing: !left.isEmpty) { () throws(DatabaseFault) in
                for write in writes { try database.run(write.sql, write.values) }
            }
            lastFault = nil
            untaken = left
            // Emptying the log now means that damage to it cannot bring a login back that has ended.
            if changes.contains(where: \.endsLogin) { try database.checkpointAfterCommit() }
        } catch {
            switch error.meaning {
            case .damaged: try mend(error, changes: changes, database: database)
            case .faulty, .unreachable:
                database.abandon()
                opened.durability = .memory(MemoryReason(error, opener.directory.path))
                throw keepInMemory(changes)
            case .full, .readOnly, .busy, .broken:
                let fault = VaultFault(error)
                lastFault = fault
                untaken.formUnion(changes.map(\.row))
                database.counter?.owe()
                throw fault
            }
        }
    }

    /// The file was damaged or removed while it was open. Memory has everything, so a new one is made from it.
    private func mend(_ fault: DatabaseFault, changes: [VaultChange], database: Database) throws(VaultFault) {
        database.abandon()
        opened.durability = .memory(MemoryReason(fault, opener.directory.path))
        keep(changes)
        reopen()
        guard case .durable = opened.durability else { throw keepInMemory(changes) }
        lastFault = nil
    }

    private func keepInMemory(_ changes: [VaultChange]) -> VaultFault {
        keep(changes)
        guard case .memory(let reason) = opened.durability else { return VaultFault(.broken, "the store is closed") }
        return reason.fault
    }

    private func keep(_ changes: [VaultChange]) {
        remember(changes)
        for change in changes { owed[change.row] = change }
        untaken.subtract(changes.map(\.row))
        if !owed.isEmpty { noteDebt() }
    }

    /// Notes for the next start that changes are missing, in case this process ends before the disk is back. A newer
    /// store is not touched.
    private func noteDebt() {
        guard case .memory(let reason) = opened.durability, reason.kind != .newer else { return }
        let path = opener.directory.database
        guard var mark = CommitMark.read(beside: path), !mark.owes else { return }
        mark.owes = true
        CommitMarker(beside: path).write(mark)
    }

    private func remember(_ changes: [VaultChange]) { for change in changes { opened.contents.apply(change) } }

    private var leastRest: Duration {
        guard case .memory(let reason) = opened.durability, reason.kind == .migration else { return .zero }
        return opener.configuration.migrationRest
    }

    private static func rest(after effort: Duration) -> Duration { effort < .seconds(1) ? .zero : effort * 10 }

    private func reopen() {
        let before = opened
        let memory = KeptMemory(
            contents: before.contents, changes: Array(owed.values), isComplete: before.isComplete)
        // The lock is held already, unless the lock file could not be opened.
        guard var anew = try? opener.open(before.lock, keeping: memory) else { return }
        let told = before.warnings.filter { VaultHealth.Warning.eventCodes.contains($0.code) }
        anew.warnings = told + anew.warnings.filter { !told.contains($0) }
        anew.restoredStore = before.restoredStore
        if case .durable(let database) = anew.durability {
            owed = [:]
            if !untaken.isEmpty { database.counter?.owe() }
        } else {
            anew.contents = before.contents
            anew.isComplete = before.isComplete
        }
        opened = anew
    }
}

extension VaultChange {
    fileprivate var isLoginOrLogout: Bool {
        switch self {
        case .profile, .tombstone(_, true): true
        default: false
        }
    }

    fileprivate var endsLogin: Bool {
        switch self {
        case .profile(_, nil), .tombstone(_, true): true
        default: false
        }
    }
}
