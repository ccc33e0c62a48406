// What the engine remembers, and the order in which it becomes durable: a change is made in memory at once, and is on
// the disk when `commit` returns. A vault that takes nothing at the moment costs durability and not the viewer's
// evening: what it did not take is handed to it again with the next change, as it stands then. architecture.md §5 item
// 5.

@EngineActor final class Memory {
    private(set) var contents: VaultContents
    /// Why the last commit failed; nil if it succeeded.
    private(set) var fault: VaultFault?
    private var unsaved: Set<VaultRow> = []
    /// Rows that the vault refuses with their current content. They are offered again when they change, and also after
    /// growing pauses.
    private var refused: Set<VaultRow> = []
    private var refusal: VaultFault?
    private var nextOffer: BootTime?
    private var offerPause = Memory.pause
    /// One write at a time: an older value never comes after a newer one.
    private let writes = TurnQueue()
    /// The vault had no disk at the start: what the disk holds is not known yet.
    private var isIncomplete = false
    /// An end of logins that happened before the disk could be read, and may apply to logins on it.
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
    /// Called when the vault's disk has become readable, and `contents` includes what it holds.
    var onDiscovery: () -> Void = {}
    private static let pause = Duration.seconds(30)
    private static let longestPause = Duration.seconds(15 * 60)

    init(_ contents: VaultContents, vault: any TokenVault, clock: any EngineClock) {
        self.contents = contents
        self.vault = vault
        self.clock = clock
    }

    /// How many changes exist only in memory.
    var unsavedCount: Int { unsaved.count + refused.count }

    /// Whether these changes are durable. Never true while the disk's contents are unknown, because ended logins may
    /// still be on it.
    func hasSaved(_ changes: [VaultChange]) -> Bool {
        !isIncomplete && !changes.contains { unsaved.contains($0.row) || refused.contains($0.row) }
    }

    /// Notes an end of logins while the disk cannot be read. It is applied to the disk's logins once they are known.
    func endUnreadLogins(tellingService: Bool, _ isMeant: @escaping (ProfileKey) -> Bool) {
        guard isIncomplete else { return }
        endings.append(Ending(isMeant: isMeant, leavesTombstone: tellingService))
        // Too many ends are merged into one, so that repeated logouts take no more memory.
        if endings.count > Self.mostEndings {
            endings = [
                Ending(isMeant: { [endings] key in endings.contains { $0.isMeant(key) } }, leavesTombstone: true)
            ]
        }
    }

    /// If the vault has started without its disk, asks it for the disk from time to time.
    func startAskingForDisk() async {
        guard await !vault.health().isPersistent else { return }
        isIncomplete = true
        tryAgainLater(forDisk: true)
    }

    func commit(_ changes: [VaultChange]) async {
        // While the disk's contents are unknown, even a change that repeats the memory has to be written: the disk may
        // say otherwise.
        let wanted = isIncomplete ? changes : changes.filter { !isKnown($0) }
        for change in wanted { contents.apply(change) }
        unsaved.formUnion(wanted.map(\.row))
        refused.subtract(wanted.map(\.row))
        // A write of the same value may still be under way; the caller must not go on before it is durable.
        if !unsaved.isEmpty || writes.isTaken { await save() }
    }

    /// Offers everything that is not durable to the vault once more.
    func flush() async {
        unsaved.formUnion(refused)
        refused = []
        if !unsaved.isEmpty || writes.isTaken { await save() }
    }

    private func save() async {
        await writes.awaitTurn()
        defer { writes.passTurnOn() }
        // The write before this one may have included these changes.
        guard !unsaved.isEmpty else { return }
        var obstacle = await write(takeUnsavedRows())
        if await learnFromDisk(), !unsaved.isEmpty { obstacle = await write(takeUnsavedRows()) ?? obstacle }
        settle(obstacle)
    }

    private func takeUnsavedRows() -> Set<VaultRow> {
        defer { unsaved = [] }
        return unsaved
    }

    /// Writes the rows, and returns the fault if the disk is the reason why rows are not durable. A row that the vault
    /// refuses does not keep the others from being written.
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
                // A row that has changed meanwhile was not refused with its current content.
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

    /// Schedules the next attempt. A missing disk may return at any time and is asked for often. A refused row is
    /// offered seldom, because it has the same size each time.
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

    /// When the disk has become readable, adopts its contents, except where memory is newer.
    @discardableResult private func learnFromDisk() async -> Bool {
        guard isIncomplete, await vault.health().isPersistent else { return false }
        let found = await vault.load()
        isIncomplete = false
        defer { endings = [] }
        // The disk belongs to another device: the next start ends its logins.
        guard found.device == contents.device else { return false }
        var united = found
        for row in unsaved.union(refused) { united.apply(currentChange(of: row)) }
        // Logins that were made since then are in memory and stay.
        for key in found.profiles.keys where contents.profiles[key] == nil {
            let meant = endings.filter { $0.isMeant(key) }
            guard !meant.isEmpty else { continue }
            let hasTombstone = meant.contains { $0.leavesTombstone }
            for change in [VaultChange.profile(key, nil)] + (hasTombstone ? [.tombstone(key, true)] : []) {
                united.apply(change)
                unsaved.insert(change.row)
            }
        }
        contents = united
        onDiscovery()
        return true
    }

    /// Whether the change only repeats what is remembered.
    private func isKnown(_ change: VaultChange) -> Bool {
        switch change {
        case .device(let device): contents.device == device
        case .deviceKey, .registration: false
        case .selection(let key, let value): contents.selections[key] == value
        case .profile(let key, let value): contents.profiles[key] == value
        case .openLogin(let key, let value): contents.openLogins[key] == value
        case .tombstone(let key, let isSet): contents.tombstones.contains(key) == isSet
        }
    }

    /// The change that writes the row's current content.
    private func currentChange(of row: VaultRow) -> VaultChange {
        switch row {
        case .device: .device(contents.device ?? DeviceID(rawValue: ""))
        case .deviceKey: .deviceKey(contents.deviceKey ?? Secret(""))
        case .registration(let key): .registration(key, contents.registrations[key])
        case .selection(let key): .selection(key, contents.selections[key])
        case .profile(let key): .profile(key, contents.profiles[key])
        case .openLogin(let key): .openLogin(key, contents.openLogins[key])
        case .tombstone(let key): .tombstone(key, contents.tombstones.contains(key))
        }
    }
}
