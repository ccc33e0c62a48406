// Holds all contents of the vault in memory, and passes every change to the vault. A change takes effect in memory at once, and
// is on the disk when `commit` returns. If the disk fails, the vault keeps the change and `Memory` retries later. Only `Logins`
// may change the rows of logins, and only `OpenLogins` may change the rows of open codes. architecture.md §5 item 5.

@EngineActor final class Memory {
    private(set) var contents: VaultContents
    /// The reason why some changes are not on the disk; nil if all changes are on the disk.
    private(set) var fault: VaultFault?
    /// The changes that were not passed to the vault yet.
    private(set) var waiting: [VaultChange] = []
    /// Whether the vault must commit now. Otherwise the changes wait for the next commit, or for `delayAlarm`.
    private var isDue = false
    /// The alarm for waiting changes that are not due; nil at other times.
    private var delayAlarm: (any EngineAlarm)?
    /// Serialises the commits, so that an older value never overwrites a newer one.
    private let writes = TurnQueue()
    /// Whether the contents of the disk are still unknown, because the vault had no disk at the start.
    private var isIncomplete = false
    /// A logout that happened while the contents of the disk were unknown. `isMeant` tells which logins it ends.
    private struct Ending {
        let isMeant: (ProfileKey) -> Bool
        let leavesTombstone: Bool
    }
    private var endings: [Ending] = []
    private static let maxEndings = 64
    private let vault: any TokenVault
    private let clock: any EngineClock
    private var retry: (any EngineAlarm)?
    /// Whether the disk may lack changes of another part of the daemon. The next commit of `Memory` also writes such changes.
    private var mayLackMore = false
    /// Called with the reason when changes are missing on the disk. Later called with nil when no change is missing.
    var onChange: (VaultFault?) -> Void = { _ in }
    /// Called when a login or a selection has changed in memory.
    var onLoginChange: () -> Void = {}
    /// Called with the found logins when the vault's disk has been read for the first time, after a start without the disk.
    var onDiscovery: ([ProfileKey]) -> Void = { _ in }
    private static let retryPause = Duration.seconds(30)
    /// The max wait of a change that is not due.
    private static let maxDelay = Duration.seconds(5)

    init(_ contents: VaultContents, vault: any TokenVault, clock: any EngineClock) {
        self.contents = contents
        self.vault = vault
        self.clock = clock
    }

    var unsavedCount: Int { fault?.rows.count ?? 0 }

    /// Whether these committed changes are durable. While the contents of the disk are unknown, no change counts as durable:
    /// the disk may still have an ended login.
    func hasSaved(_ changes: [VaultChange]) -> Bool {
        !isIncomplete && !changes.contains { fault?.rows.contains($0.row) == true }
    }

    /// Notes the end of logins while the disk cannot be read. The logins on the disk end as soon as they are loaded.
    func endUnreadLogins(tellingService: Bool, _ isMeant: @escaping (ProfileKey) -> Bool) {
        guard isIncomplete else { return }
        endings.append(Ending(isMeant: isMeant, leavesTombstone: tellingService))
        // Repeated logouts are merged into one, so that the list stays bounded.
        if endings.count > Self.maxEndings {
            endings = [
                Ending(isMeant: { [endings] key in endings.contains { $0.isMeant(key) } }, leavesTombstone: true)
            ]
        }
    }

    /// If the vault started without a disk or could not write all changes, retries from time to time.
    func startAskingForDisk() async {
        let health = await vault.health()
        isIncomplete = !health.isPersistent
        mayLackMore = health.lacksChanges
        tryAgainLater()
    }

    /// Handles a failed commit, possibly of another part of the daemon. `Memory` makes a commit later, because the other part
    /// may never commit again.
    func noteFault(_ fault: VaultFault) {
        mayLackMore = fault.kind != .limit || mayLackMore
        if retry == nil { tryAgainLater() }
    }

    func commit(_ changes: [VaultChange]) async {
        if apply(changes) || isInTrouble { isDue = true }
        // If a commit is in progress, it may have the same rows, so this call must not return before that commit is durable.
        if isDue || writes.isTaken { await write() }
    }

    /// Does the same as `commit`, but returns at once. The changes become durable with the next commit, or within
    /// `maxDelay`. While the disk fails, this method commits at once, so that the vault knows all missing changes.
    func commitLater(_ changes: [VaultChange]) async {
        guard fault == nil, !isIncomplete else { return await commit(changes) }
        guard apply(changes), !isDue, delayAlarm == nil else { return }
        delayAlarm = clock.alarm(
            at: clock.boot.advanced(by: Self.maxDelay), starting: { [weak self] in await self?.flush() })
    }

    /// Writes everything that is not durable yet, if the disk allows.
    func flush() async {
        isDue = true
        await write()
    }

    /// Applies the changes in memory, and queues them for a commit. Returns whether any of them is new.
    private func apply(_ changes: [VaultChange]) -> Bool {
        // If the contents of the disk are unknown, a change without an effect in memory may change the disk.
        let news = isIncomplete ? changes : changes.filter { !isKnown($0) }
        for change in news { contents.apply(change) }
        if news.contains(where: \.isAboutLogin) { onLoginChange() }
        waiting += news
        return !news.isEmpty
    }

    private func write() async {
        await writes.awaitTurn()
        defer { writes.passTurnOn() }
        // Does nothing if the previous commit has included these changes.
        while isDue {
            let changes = waiting
            (waiting, isDue, mayLackMore) = ([], false, false)
            delayAlarm?.cancel()
            delayAlarm = nil
            let former = fault
            do throws(VaultFault) {
                try await vault.commit(changes)
                fault = nil
            } catch { fault = error }
            await learnFromDisk()
            if former?.kind != fault?.kind { onChange(fault) }
            tryAgainLater()
        }
    }

    /// Whether the disk is the reason for the fault, so that a retry may help. A retry does not help a row that exceeds a
    /// limit. Such a row is written only when a later commit removes other rows or changes the row itself.
    private var isInTrouble: Bool { fault.map { $0.kind != .limit } ?? false }

    /// Sets the alarm for the next attempt, if the disk was not read yet or may lack changes.
    private func tryAgainLater() {
        retry?.cancel()
        retry = nil
        guard isIncomplete || isInTrouble || mayLackMore else { return }
        retry = clock.alarm(
            at: clock.boot.advanced(by: Self.retryPause), starting: { [weak self] in await self?.flush() })
    }

    /// Loads the contents of the disk as soon as the disk is available. The vault has already merged the contents with the
    /// changes that it could not write. If the disk is from another device, nothing is loaded, but logouts still apply to the
    /// disk.
    private func learnFromDisk() async {
        guard isIncomplete else { return }
        let health = await vault.health()
        guard health.isPersistent else { return }
        let found = await vault.load()
        // A login that is already in memory was made after these logouts, so it stays.
        let known = health.isOtherDevice ? [] : Set(contents.profiles.keys)
        var ends: [VaultChange] = []
        for key in found.profiles.keys where !known.contains(key) {
            let meant = endings.filter { $0.isMeant(key) }
            if !meant.isEmpty { ends.append(.profile(key, nil)) }
            if meant.contains(where: { $0.leavesTombstone || health.isOtherDevice }) {
                ends.append(.tombstone(key, true))
            }
        }
        for key in found.lapsed where !known.contains(key) {
            guard endings.contains(where: { $0.leavesTombstone && $0.isMeant(key) }) else { continue }
            ends += [.lapse(key, false), .tombstone(key, true)]
        }
        endings = []
        guard !health.isOtherDevice else {
            waiting += ends
            isDue = isDue || !ends.isEmpty
            return
        }
        isIncomplete = false
        contents = found
        for change in waiting { contents.apply(change) }
        if apply(ends) { isDue = true }
        onDiscovery(
            contents.profiles.keys.filter { !known.contains($0) }
                .sorted { ($0.requestor, $0.provider) < ($1.requestor, $1.provider) })
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
}
