// Holds in memory all that the vault stores, and makes changes durable: a change applies in memory at once, and is on
// the disk when `commit` returns. If the vault fails, the engine goes on from memory, and the failed changes are
// written with a later commit, with the values that they have then. `Logins` changes the rows of logins through
// it, and `OpenLogins` those of open codes; nobody else does. architecture.md §5 item 5.

@EngineActor final class Memory {
    private(set) var contents: VaultContents
    /// Why the last commit failed, or nil if it did not.
    private(set) var fault: VaultFault?
    /// Rows whose current value is not on the disk yet.
    private var unsaved: Set<VaultRow> = []
    /// Rows whose change waits for the next commit of others, or for `delayAlarm`.
    private(set) var deferred: Set<VaultRow> = []
    /// Set only while a row is deferred.
    private var delayAlarm: (any EngineAlarm)?
    /// Rows that the vault refuses with their current value. They are offered again when they change, and from time to
    /// time with growing pauses.
    private var refused: Set<VaultRow> = []
    private var refusal: VaultFault?
    private var nextOffer: BootTime?
    private var offerPause = Memory.pause
    /// Serialises the writes, so that an older value never overwrites a newer one.
    private let writes = TurnQueue()
    /// The vault had no disk at the start, so it is not known what the disk holds.
    private var isIncomplete = false
    /// Logins that ended before it was known whether the disk holds them.
    private struct Ending {
        let isMeant: (ProfileKey) -> Bool
        let leavesTombstone: Bool
    }
    private var endings: [Ending] = []
    private static let mostEndings = 64
    private let vault: any TokenVault
    private let clock: any EngineClock
    private var retry: (any EngineAlarm)?
    /// Called with the reason when the vault begins to refuse changes, and with nil when it accepts everything again.
    var onChange: (VaultFault?) -> Void = { _ in }
    /// Called when a login or a selection has changed in memory.
    var onLoginChange: () -> Void = {}
    /// Called when the vault's disk has been read for the first time, after a start without it.
    var onDiscovery: () -> Void = {}
    private static let pause = Duration.seconds(30)
    private static let longestPause = Duration.seconds(15 * 60)
    /// The longest time that a deferred change waits for the next commit of others.
    private static let maxDelay = Duration.seconds(5)

    init(_ contents: VaultContents, vault: any TokenVault, clock: any EngineClock) {
        self.contents = contents
        self.vault = vault
        self.clock = clock
    }

    /// The number of changes that are in memory only.
    var unsavedCount: Int { unsaved.count + refused.count }

    /// Whether these changes are durable. While it is not known what the disk holds, they are not: an ended login may
    /// still be there.
    func hasSaved(_ changes: [VaultChange]) -> Bool {
        !isIncomplete && !changes.contains { unsaved.contains($0.row) || refused.contains($0.row) }
    }

    /// Notes the end of logins while the disk cannot be read. It is applied to the disk's logins once they are known.
    func endUnreadLogins(tellingService: Bool, _ isMeant: @escaping (ProfileKey) -> Bool) {
        guard isIncomplete else { return }
        endings.append(Ending(isMeant: isMeant, leavesTombstone: tellingService))
        // So that repeated logouts do not fill the memory, they are merged into one.
        if endings.count > Self.mostEndings {
            endings = [
                Ending(isMeant: { [endings] key in endings.contains { $0.isMeant(key) } }, leavesTombstone: true)
            ]
        }
    }

    /// Asks the vault for its disk from time to time, if it has started without one.
    func startAskingForDisk() async {
        guard await !vault.health().isPersistent else { return }
        isIncomplete = true
        tryAgainLater(forDisk: true)
    }

    func commit(_ changes: [VaultChange]) async {
        // While it is not known what the disk holds, even a change that changes nothing in memory may change the disk.
        let wanted = isIncomplete ? changes : changes.filter { !isKnown($0) }
        for change in wanted { contents.apply(change) }
        if wanted.contains(where: \.isAboutLogin) { onLoginChange() }
        unsaved.formUnion(wanted.map(\.row))
        refused.subtract(wanted.map(\.row))
        // A write of the same rows may still be under way. This call must not return before that is durable.
        if !unsaved.isEmpty || writes.isTaken { await save() }
    }

    /// As `commit`, but returns at once. The changes become durable with the next commit of others, or within `maxDelay`.
    /// While the vault is in trouble they are committed at once, so that it is known what it has.
    func commitLater(_ changes: [VaultChange]) async {
        guard fault == nil, unsaved.isEmpty, !isIncomplete else { return await commit(changes) }
        for change in changes where !isKnown(change) {
            contents.apply(change)
            deferred.insert(change.row)
        }
        guard !deferred.isEmpty, delayAlarm == nil else { return }
        delayAlarm = clock.alarm(at: clock.boot.advanced(by: Self.maxDelay)) { [weak self] in
            Task { @EngineActor [weak self] in await self?.saveDeferred() }
        }
    }

    private func saveDeferred() async {
        delayAlarm = nil
        guard !deferred.isEmpty else { return }
        unsaved.formUnion(deferred)
        await save()
    }

    /// Writes everything that is not durable yet, refused rows included.
    func flush() async {
        unsaved.formUnion(refused)
        unsaved.formUnion(deferred)
        refused = []
        if !unsaved.isEmpty || writes.isTaken { await save() }
    }

    private func save() async {
        await writes.awaitTurn()
        defer { writes.passTurnOn() }
        // The previous write may have included these rows.
        guard !unsaved.isEmpty else { return }
        var obstacle = await write(takeUnsavedRows())
        if await learnFromDisk(), !unsaved.isEmpty { obstacle = await write(takeUnsavedRows()) ?? obstacle }
        settle(obstacle)
    }

    private func takeUnsavedRows() -> Set<VaultRow> {
        defer { (unsaved, deferred) = ([], []) }
        delayAlarm?.cancel()
        delayAlarm = nil
        return unsaved.union(deferred)
    }

    /// Writes the rows, and returns the fault if the disk is the reason for a failure. A row that the vault refuses
    /// does not keep other rows from being written.
    private func write(_ rows: Set<VaultRow>) async -> VaultFault? {
        var rows = rows
        while !rows.isEmpty {
            do {
                try await vault.commit(rows.map(currentChange))
                refused.subtract(rows)
                return nil
            } catch {
                guard error.kind == .limit else {
                    unsaved.formUnion(rows)
                    return error
                }
                let named = error.rows.intersection(rows)
                let surplus = named.isEmpty ? rows : named
                rows.subtract(surplus)
                // A row that has changed meanwhile has not been refused with its current value.
                refused.formUnion(surplus.subtracting(unsaved))
                refusal = error
            }
        }
        return nil
    }

    private func settle(_ obstacle: VaultFault?) {
        let before = fault
        if refused.isEmpty {
            refusal = nil
            nextOffer = nil
            offerPause = Self.pause
        }
        fault = obstacle ?? refusal
        if before?.kind != fault?.kind { onChange(fault) }
        tryAgainLater(forDisk: obstacle != nil)
    }

    /// Sets the alarm for the next attempt. A failed disk may be back any time and is asked for often. A refused row is
    /// seldom accepted later, so the pauses grow.
    private func tryAgainLater(forDisk: Bool) {
        retry?.cancel()
        retry = nil
        if nextOffer == nil, !refused.isEmpty { nextOffer = clock.boot.advanced(by: offerPause) }
        let next = forDisk || isIncomplete ? clock.boot.advanced(by: Self.pause) : nextOffer
        retry = next.map {
            clock.alarm(at: $0) { [weak self] in Task { @EngineActor [weak self] in await self?.recover() } }
        }
    }

    private func recover() async {
        retry = nil
        await writes.awaitTurn()
        let wasIncomplete = isIncomplete
        if await vault.recover() { await learnFromDisk() }
        writes.passTurnOn()
        if wasIncomplete, !isIncomplete, fault == nil { onChange(nil) }
        if let due = nextOffer, due <= clock.boot {
            unsaved.formUnion(refused)
            refused = []
            offerPause = min(offerPause * 2, Self.longestPause)
            nextOffer = clock.boot.advanced(by: offerPause)
        }
        if !unsaved.isEmpty || writes.isTaken { await save() }
        if retry == nil { tryAgainLater(forDisk: !unsaved.isEmpty) }
    }

    /// Reads the disk once it is there, and takes over what it holds, except where memory has something newer.
    @discardableResult private func learnFromDisk() async -> Bool {
        guard isIncomplete, await vault.health().isPersistent else { return false }
        let found = await vault.load()
        isIncomplete = false
        defer { endings = [] }
        // The disk belongs to another device. The next start removes its logins.
        guard found.device == contents.device else { return false }
        var united = found
        for row in unsaved.union(refused) { united.apply(currentChange(of: row)) }
        // A login that was made since then is in memory, and is not ended.
        for key in found.profiles.keys where contents.profiles[key] == nil {
            let meant = endings.filter { $0.isMeant(key) }
            guard !meant.isEmpty else { continue }
            let hasTombstone = meant.contains { $0.leavesTombstone }
            for change in [VaultChange.profile(key, nil)] + (hasTombstone ? [.tombstone(key, true)] : []) {
                united.apply(change)
                unsaved.insert(change.row)
            }
        }
        for key in found.lapsed where contents.profiles[key] == nil {
            guard endings.contains(where: { $0.leavesTombstone && $0.isMeant(key) }) else { continue }
            for change in [VaultChange.lapse(key, false), .tombstone(key, true)] {
                united.apply(change)
                unsaved.insert(change.row)
            }
        }
        contents = united
        onDiscovery()
        return true
    }

    /// Whether memory has this value already.
    private func isKnown(_ change: VaultChange) -> Bool {
        switch change {
        case .device(let device): contents.device == device
        case .deviceKey, .registration: false
        case .selection(let key, let value): contents.selections[key] == value
        case .profile(let key, let value): contents.profiles[key] == value
        case .openLogin(let key, let value): contents.openLogins[key] == value
        case .tombstone(let key, let isSet): contents.tombstones.contains(key) == isSet
        case .lapse(let key, let isSet): contents.lapsed.contains(key) == isSet
        }
    }

    /// A change that gives the row its current value.
    private func currentChange(of row: VaultRow) -> VaultChange {
        switch row {
        case .device: .device(contents.device ?? DeviceID(rawValue: ""))
        case .deviceKey: .deviceKey(contents.deviceKey ?? Secret(""))
        case .registration(let key): .registration(key, contents.registrations[key])
        case .selection(let key): .selection(key, contents.selections[key])
        case .profile(let key): .profile(key, contents.profiles[key])
        case .openLogin(let key): .openLogin(key, contents.openLogins[key])
        case .tombstone(let key): .tombstone(key, contents.tombstones.contains(key))
        case .lapse(let key): .lapse(key, contents.lapsed.contains(key))
        }
    }
}
