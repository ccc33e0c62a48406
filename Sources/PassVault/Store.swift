// The open store: the contents of the disk, and the changes that the disk lacks. A change may fail because the disk is full or
// gone, or because a row exceeds a limit. Such a change stays in memory, and every later commit tries to write it. For this
// purpose, the engine's `Memory` makes a commit after a pause. Used on the storage queue only.

import AccessEnabler
import Glibc

final class Store {
    private let opener: StoreOpener
    private var limits = VaultLimits.none
    /// The opened store. It has the contents of the disk, but not the changes in `owed`.
    private var opened: OpenedStore
    /// The fault of the last commit if it failed. The next successful commit clears it.
    private var lastFault: VaultFault?
    /// The changes that the disk lacks, at most one for each row, in their order.
    private var owed: [VaultChange] = []
    /// The rows of `owed` that cannot be written although the disk works, with the reasons.
    private var refusals: [VaultRow: VaultFault] = [:]
    /// The earliest time of the next attempt to reopen the store. Until then, changes do not start another attempt, because an
    /// attempt may be slow.
    private var nextAttempt = ContinuousClock.now
    /// Whether the integrity check at the start ended all logins.
    private(set) var wasErased = false
    /// The salt of the device's identity, as it was at the start.
    let deviceSalt: [UInt8]
    /// Whether the disk is back, but has the store of another device. From then on, only logouts are written.
    private(set) var isOtherDevice = false
    /// The logins that the store has lost, by the integrity check or by damage.
    private(set) var lostLogins: Set<ProfileKey> = []

    /// The contents of the disk, with the changes that it lacks.
    var contents: VaultContents { opened.contents.applying(owed) }
    var restoredStore: RestoredStore? { opened.restoredStore }
    var recordSecret: [UInt8] { opened.keyring.current?.recordSecret ?? randomBytes(SealingKey.keyCount) ?? [] }

    init(_ configuration: VaultConfiguration) throws(VaultInUse) {
        opener = StoreOpener(configuration)
        opened = try opener.open()
        deviceSalt = opener.directory.deviceSalt(opened.salt)
        nextAttempt = .now + leastRest
        let stored = opened.contents.profiles.keys
        // The logins are erased before the limits apply, because the limits could refuse the record of a logout. Without this
        // record, the service would not learn of the logout.
        wasErased = honour(configuration.integrityCheck)
        limits = configuration.limits
        lostLogins = opened.lostLogins.union(stored).subtracting(contents.profiles.keys)
    }

    /// Accepts the changes, and writes them and everything else that the disk lacks. Throws if the disk lacks a change after
    /// that.
    func commit(_ changes: [VaultChange]) throws(VaultFault) {
        owed = (owed + (isOtherDevice ? changes.logouts : changes)).lastOfEachRow
        if case .closed = opened.durability {
            guard !owed.isEmpty else { return }
            throw VaultFault(.broken, "the store is closed", at: Set(owed.map(\.row)))
        }
        if case .memory = opened.durability {
            refusals = prepare(owed).refused
            recover()
        }
        if case .durable(let database) = opened.durability { write(to: database) }
        noteDebt()
        if let fault { throw fault }
    }

    /// Whether a later commit may write the missing changes. A refused row does not count: it can be written only after the row
    /// has changed or other rows have made room.
    private var mayRetry: Bool {
        switch opened.durability {
        case .closed: return false
        case .memory(let reason) where !reason.mayRecover: return false
        case .memory, .durable: return owed.contains { refusals[$0.row] == nil }
        }
    }

    /// The reason why the disk lacks changes; nil if it has all changes.
    private var fault: VaultFault? {
        var fault = lastFault
        if case .memory(let reason) = opened.durability { fault = reason.fault }
        if fault == nil, !refusals.isEmpty { fault = VaultFault(refusing: refusals) }
        fault?.rows = Set(owed.map(\.row))
        return fault
    }

    /// Checks whether the disk is back. If it is, merges its contents with the contents of memory and returns true.
    @discardableResult func recover() -> Bool {
        guard case .memory(let reason) = opened.durability, reason.mayRecover, .now >= nextAttempt else { return false }
        let started = ContinuousClock.now
        let hasLoginOrLogout = owed.contains { $0.isLoginOrLogout && refusals[$0.row] == nil }
        reopen()
        nextAttempt = .now + max(Self.rest(after: started.duration(to: .now)), leastRest)
        guard case .durable(let database) = opened.durability else { return false }
        // After a login or logout, the next start must neither restore a store that was set aside nor report again that changes
        // are missing.
        if hasLoginOrLogout, !isOtherDevice { try? database.run(StoreNote.noLonger) }
        return true
    }

    var health: VaultHealth {
        var warnings = opened.warnings
        var isPersistent = true
        if !refusals.isEmpty { warnings.insert(.refused(VaultFault(refusing: refusals)), at: 0) }
        if case .memory(let reason) = opened.durability {
            isPersistent = false
            warnings = [reason.warning].compactMap(\.self) + warnings
        }
        if let lastFault { warnings.insert(.commitFailed(lastFault), at: 0) }
        return VaultHealth(
            isPersistent: isPersistent, lacksChanges: mayRetry, isOtherDevice: isOtherDevice, warnings: warnings)
    }

    /// Whether a row can be written and read back, and every row can still be unsealed and parsed. Damage that was repaired
    /// when the store was opened does not matter here; `honour` checks for it.
    func examine() -> Bool {
        guard case .durable(let database) = opened.durability else { return false }
        return StoreCheck(database: database, keyring: opened.keyring).passes()
    }

    /// Acts on `integrity-check` before the first `load`. Returns true if the logins were erased. Contract:
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
        // If this fails, the logins are gone for this process; a later attempt removes them from the disk.
        try? commit(changes)
        opener.configuration.copies.remove()
        return true
    }

    /// Copies the log into the database and closes both files. Later commits are refused.
    func close() {
        if case .durable(let database) = opened.durability, opened.warnings.contains(where: \.tellsLoss) {
            try? database.run(StoreNote.lossIsTold)
        }
        opened.durability = .closed
        opened.lock = nil
    }

    // MARK: Decisions

    /// The place of the decisions, for sealing. Nil while the store is only in memory, or if it is another device's.
    private var decisionPlace: SealedRowBinding? {
        guard case .durable(let database) = opened.durability, !isOtherDevice, let counter = database.counter else {
            return nil
        }
        return SealedRowBinding(table: "decisions", column: "text", key: [counter.mark.store])
    }

    /// The decisions of the last process. Nil if their file is missing or incomplete, or belongs to another store.
    func decisions() -> String? {
        let envelope = (try? PlainFile.read(opener.directory.decisions, flags: O_NOFOLLOW)) ?? nil
        guard let envelope, let decisionPlace else { return nil }
        return try? opened.keyring.open(envelope, at: decisionPlace)
    }

    var hasDecisions: Bool { access(opener.directory.decisions, F_OK) == 0 }

    /// Replaces the file of decisions, or removes it if `text` is nil. The new file is not synced, because a play must not wait
    /// for the disk. If writing fails, the former file stays.
    func keepDecisions(_ text: String?) {
        guard let decisionPlace else { return }
        guard let text else { return opener.directory.removeDecisions() }
        guard let envelope = try? opened.keyring.seal(text, at: decisionPlace) else { return }
        try? opener.directory.replace(opener.directory.decisions, with: envelope, syncs: false)
    }

    func syncDecisions() {
        if opener.directory.syncFile(opener.directory.decisions) { opener.directory.sync() }
    }

    // MARK: Backup

    func backUp() throws(BackupFault) -> StoreBackup {
        guard case .durable = opened.durability, lastFault == nil else { throw .notDurable }
        return try BackupCodec(key: opened.keyring.current).seal(opened.contents)
    }

    /// Replaces all rows with the rows of a backup. Then closes the store, because the engine has loaded the former rows.
    /// Returns the new contents. If it throws, nothing has changed.
    func restore(_ text: String) throws(BackupFault) -> VaultContents {
        guard case .durable(let database) = opened.durability, database.isInPlace else { throw .notDurable }
        let backup = try BackupCodec(key: opened.keyring.current).open(text, on: contents.device)
        let changes = (owed + contents.changes(to: backup)).lastOfEachRow
        let (writes, refused) = prepare(changes)
        guard refused.isEmpty else { throw Self.notWritten(VaultFault(refusing: refused).explanation) }
        do throws(DatabaseFault) { try run(writes, in: database) } catch { throw Self.notWritten(error.explanation) }
        opener.directory.removeDecisions()
        try? database.checkpoint()
        remember(changes)
        removeCopies(after: changes)
        close()
        return contents
    }

    private static func notWritten(_ reason: String) -> BackupFault {
        .store("The backup could not be written: \(reason).", remedy: BackupFault.notDurable.remedy)
    }

    // MARK: Writing

    /// Turns the changes into statements, and finds the rows that cannot be written. Removals come first, because they make
    /// room on a full disk.
    private func prepare(_ changes: [VaultChange]) -> (writes: [Write], refused: [VaultRow: VaultFault]) {
        let writer = RowWriter(keyring: opened.keyring, limits: limits)
        var writes: [(row: VaultRow, write: Write)] = []
        var refused: [VaultRow: VaultFault] = [:]
        let rows = changes.map { ($0.row, TableChange($0)) }
        for (row, change) in rows.filter(\.1.isRemoval) + rows.filter({ !$0.1.isRemoval }) {
            do throws(RowProblem) { writes.append((row, try change.write(writer))) } catch {
                refused[row] = VaultFault(error, limits)
            }
        }
        let rest = changes.filter { refused[$0.row] == nil }
        for (row, table) in limits.surplus(of: rest, to: opened.contents) {
            refused[row] = VaultFault(.limit, "the store has reached its limit of rows of \(table)")
        }
        return (writes.filter { refused[$0.row] == nil }.map(\.write), refused)
    }

    private func run(_ writes: [Write], in database: Database) throws(DatabaseFault) {
        try database.commit { () throws(DatabaseFault) in
            for write in writes { try database.run(write) }
        }
    }

    /// Writes everything that the disk lacks, except refused rows.
    private func write(to database: Database) {
        var (writes, refused) = prepare(owed)
        refusals = refused
        let changes = owed.filter { refused[$0.row] == nil }
        guard !changes.isEmpty else {
            lastFault = nil
            return
        }
        if changes.contains(where: \.isLoginOrLogout) { writes.append(StoreNote.noLonger) }
        do throws(DatabaseFault) {
            guard database.isInPlace else { throw .removed }
            // The decisions only explain earlier answers. They are removed before the commit, so that a power cut in between
            // loses nothing else.
            if changes.contains(where: \.endsLogin) { opener.directory.removeDecisions() }
            try run(writes, in: database)
            // SQLite's log is copied into the database and emptied now, because so far only the log has this logout. If the log
            // were damaged, the ended login would return.
            if changes.contains(where: \.endsLogin) { try database.checkpointAfterCommit() }
            remember(changes)
            removeCopies(after: changes)
            lastFault = nil
        } catch {
            switch error.meaning {
            case .damaged, .faulty, .unreachable:
                database.abandon()
                opened.durability = .memory(MemoryReason(error, opener.directory.path))
                // The file was damaged or removed while it was open. Memory has all contents, so a new file is made
                // from it.
                if error.meaning == .damaged { reopen() }
            case .full, .readOnly, .busy, .broken:
                lastFault = VaultFault(error)
                database.counter?.owe()
            }
        }
    }

    /// Removes changes that are now on the disk from `owed`.
    private func remember(_ changes: [VaultChange]) {
        for change in changes { opened.contents.apply(change) }
        let rows = Set(changes.map(\.row))
        owed.removeAll { rows.contains($0.row) }
    }

    /// Removes the copies that are too old. If a change ends a login, removes all copies, because a copy may contain this
    /// login.
    private func removeCopies(after changes: [VaultChange]) {
        let copies = opener.configuration.copies
        if changes.contains(where: \.endsLogin) { copies.remove() } else { copies.removeOld() }
    }

    /// Records in the mark that changes are missing, so that the next start can report them. The record is needed if this
    /// process ends before the disk is back. The store of a newer version is not touched.
    private func noteDebt() {
        guard case .memory(let reason) = opened.durability, reason.kind != .newer, owed.count > refusals.count else {
            return
        }
        let path = opener.directory.database
        guard var mark = CommitMark.read(beside: path), !mark.owes else { return }
        mark.owes = true
        CommitMarker(beside: path).write(mark)
    }

    private var leastRest: Duration {
        guard case .memory(let reason) = opened.durability, reason.kind == .migration else { return .zero }
        return opener.configuration.migrationRest
    }

    private static func rest(after effort: Duration) -> Duration { effort < .seconds(1) ? .zero : effort * 10 }

    /// Reopens the store. This writes everything that the disk lacks, except refused rows.
    private func reopen() {
        let before = opened
        let changes = owed.filter { refusals[$0.row] == nil }
        let memory = KeptMemory(
            contents: before.contents.applying(changes), changes: changes, isComplete: before.isComplete,
            salt: before.salt, deviceSalt: deviceSalt)
        if changes.contains(where: \.endsLogin) { opener.directory.removeDecisions() }
        // Fails only if the lock file could not be opened before, and another process has the lock now.
        guard var reopened = try? opener.open(before.lock, keeping: memory) else { return }
        let told = before.warnings.filter { VaultHealth.Warning.eventCodes.contains($0.code) }
        reopened.warnings = told + reopened.warnings.filter { !told.contains($0) }
        reopened.restoredStore = before.restoredStore
        if case .durable(let database) = reopened.durability {
            do throws(DatabaseFault) {
                if changes.contains(where: \.endsLogin) { try database.checkpointAfterCommit() }
                owed.removeAll { refusals[$0.row] == nil }
                removeCopies(after: changes)
                lastFault = nil
            } catch {
                // The changes stay in `owed`. The next commit writes them again.
                lastFault = VaultFault(error)
            }
            if reopened.isOtherDevice {
                isOtherDevice = true
                (owed, refusals) = (owed.logouts, [:])
            }
        } else {
            reopened.contents = before.contents
            reopened.isComplete = before.isComplete
        }
        opened = reopened
    }
}

extension VaultContents {
    fileprivate func applying(_ changes: [VaultChange]) -> VaultContents {
        var contents = self
        for change in changes { contents.apply(change) }
        return contents
    }
}

extension [VaultChange] {
    fileprivate var lastOfEachRow: [VaultChange] {
        var rows: Set<VaultRow> = []
        return reversed().filter { rows.insert($0.row).inserted }.reversed()
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
