// What the engine remembers, and the order in which it becomes durable: a change is made in memory at once, and is on
// the disk when `commit` returns. A vault that takes nothing at the moment costs durability and not the viewer's
// evening: what it did not take is handed to it again with the next change, as it stands then. architecture.md §5 item 5.

@EngineActor final class Memory {
    private(set) var contents: VaultContents
    /// Why the last commit failed; nil while all is well.
    private(set) var fault: VaultFault?
    private var unsaved: Set<VaultRow> = []
    /// What the vault refuses as it stands. It is offered again when it changes, and now and then, with growing pauses.
    private var refused: Set<VaultRow> = []
    private var refusal: VaultFault?
    private var nextOffer: BootTime?
    private var offerPause = Memory.pause
    /// One write at a time: an older value never comes after a newer one.
    private let writes = TurnQueue()
    /// The vault had no disk at the start: what the disk holds is not known yet.
    private var isIncomplete = false
    /// Logins that ended while it was not known whether the disk holds them.
    private struct Ending {
        let isMeant: (ProfileKey) -> Bool
        let leavesTombstone: Bool
    }
    private var endings: [Ending] = []
    private static let mostEndings = 64
    private let vault: any TokenVault
    private let clock: any EngineClock
    private var retry: (any EngineAlarm)?
    /// Called when the vault begins to refuse changes, with the reason, and when it takes everything again, with nil.
    var onChange: (VaultFault?) -> Void = { _ in }
    /// Called when the vault's disk has been read at last, and what it holds is known.
    var onDiscovery: () -> Void = {}
    private static let pause = Duration.seconds(30)
    private static let longestPause = Duration.seconds(15 * 60)

    init(_ contents: VaultContents, vault: any TokenVault, clock: any EngineClock) {
        self.contents = contents
        self.vault = vault
        self.clock = clock
    }

    /// How many changes exist in memory alone.
    var unsavedCount: Int { unsaved.count + refused.count }

    /// Whether these changes are durable. While it is not known what the disk holds, what ended may still be there.
    func hasSaved(_ changes: [VaultChange]) -> Bool {
        !isIncomplete && !changes.contains { unsaved.contains($0.row) || refused.contains($0.row) }
    }

    /// Logins that were ended while the disk could not be read: they end there, too, when it can.
    func endUnreadLogins(tellingService: Bool, _ isMeant: @escaping (ProfileKey) -> Bool) {
        guard isIncomplete else { return }
        endings.append(Ending(isMeant: isMeant, leavesTombstone: tellingService))
        // Whoever logs out again and again ends no more than everything.
        if endings.count > Self.mostEndings {
            endings = [
                Ending(isMeant: { [endings] key in endings.contains { $0.isMeant(key) } }, leavesTombstone: true)
            ]
        }
    }

    /// A vault that starts without its disk is asked for it from time to time.
    func startAskingForDisk() async {
        guard await !vault.health().isPersistent else { return }
        isIncomplete = true
        tryAgainLater(forDisk: true)
    }

    func commit(_ changes: [VaultChange]) async {
        // What ended here must not come back with what the disk holds.
        let wanted = isIncomplete ? changes : changes.filter { !isKnown($0) }
        for change in wanted { contents.apply(change) }
        unsaved.formUnion(wanted.map(\.row))
        refused.subtract(wanted.map(\.row))
        // Somebody else's write of the same may still be under way: nobody is told before it is durable.
        if !unsaved.isEmpty || writes.isTaken { await save() }
    }

    /// Everything that is not durable yet, once more.
    func flush() async {
        unsaved.formUnion(refused)
        refused = []
        if !unsaved.isEmpty || writes.isTaken { await save() }
    }

    private func save() async {
        await writes.awaitTurn()
        defer { writes.passTurnOn() }
        // The write before this one may have taken everything along.
        guard !unsaved.isEmpty else { return }
        var obstacle = await write(takeUnsavedRows())
        if await learnFromDisk(), !unsaved.isEmpty { obstacle = await write(takeUnsavedRows()) ?? obstacle }
        settle(obstacle)
    }

    private func takeUnsavedRows() -> Set<VaultRow> {
        defer { unsaved = [] }
        return unsaved
    }

    /// Writes the rows, and says why the rest is not durable, if the disk is the reason. A row that the vault does not
    /// take keeps no other row from being written.
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
                // A row that has changed meanwhile has not been refused as it stands now.
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

    /// The disk may be there again any time, and is asked for often. A refused row has the same size each time, and
    /// there is seldom room for it later.
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

    /// When the disk is there at last: takes over all that it holds, except where memory has something newer.
    @discardableResult private func learnFromDisk() async -> Bool {
        guard isIncomplete, await vault.health().isPersistent else { return false }
        let found = await vault.load()
        isIncomplete = false
        defer { endings = [] }
        // The logins of another device are for the next start to end.
        guard found.device == contents.device else { return false }
        var united = found
        for row in unsaved.union(refused) { united.apply(currentChange(of: row)) }
        // Whoever logged in since is in memory.
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

    /// Whether the change says only what is remembered already.
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

    /// What the row holds now.
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
