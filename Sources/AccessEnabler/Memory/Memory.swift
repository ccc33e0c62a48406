// What the engine knows, and the order of things: a change is made here at once and durable when `commit` returns.
// A vault that takes nothing at the moment costs durability and not the viewer's evening: what it did not take is
// handed to it again with the next change, as it stands then. Architecture §5 item 5.

@EngineActor final class Memory {
    private enum Place: Hashable {
        case device
        case selection(RequestorID)
        case profile(ProfileKey)
        case openLogin(LoginKey)
        case tombstone(ProfileKey)
    }

    private(set) var contents: VaultContents
    /// Why the last commit failed; nil while all is well.
    private(set) var fault: VaultFault?
    private var unsaved: Set<Place> = []
    /// One write at a time: an older value never comes after a newer one.
    private let writes = Turns()
    private let vault: any TokenVault
    private let clock: any EngineClock
    private var retry: (any EngineAlarm)?
    /// The vault begins to refuse, or takes everything again.
    var onChange: (VaultFault?) -> Void = { _ in }
    private static let pause = Duration.seconds(30)

    init(_ contents: VaultContents, _ vault: any TokenVault, _ clock: any EngineClock) {
        self.contents = contents
        self.vault = vault
        self.clock = clock
    }

    /// How many changes exist in memory alone.
    var unsavedCount: Int { unsaved.count }

    func commit(_ changes: [VaultChange]) async {
        let wanted = changes.filter { !isKnown($0) }
        for change in wanted { contents.apply(change) }
        unsaved.formUnion(wanted.compactMap(Self.place))
        // Somebody else's write of the same may still be under way: nobody is told before it is durable.
        guard !unsaved.isEmpty || writes.areTaken else { return }
        await writes.enter()
        defer { writes.passOn() }
        let places = unsaved
        // Whoever wrote before took it along.
        guard !places.isEmpty else { return }
        unsaved = []
        do {
            try await vault.commit(places.map(change))
            settle(nil)
        } catch {
            unsaved.formUnion(places)
            settle(error)
        }
    }

    /// Everything that is not durable yet, once more.
    func flush() async { await commit([]) }

    private func settle(_ outcome: VaultFault?) {
        let before = fault
        fault = outcome
        if before?.kind != outcome?.kind { onChange(outcome) }
        retry?.cancel()
        retry = nil
        guard outcome != nil else { return }
        retry = clock.alarm(at: clock.boot.advanced(by: Self.pause)) { [weak self] in
            Task { @EngineActor [weak self] in await self?.flush() }
        }
    }

    /// Whether it says what is remembered already.
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

    private static func place(_ change: VaultChange) -> Place? {
        switch change {
        case .device: .device
        // The key is the daemon's own to commit, registrations are the backend's.
        case .deviceKey, .registration: nil
        case .selection(let key, _): .selection(key)
        case .profile(let key, _): .profile(key)
        case .openLogin(let key, _): .openLogin(key)
        case .tombstone(let key, _): .tombstone(key)
        }
    }

    /// What the place holds now.
    private func change(_ place: Place) -> VaultChange {
        switch place {
        case .device: .device(contents.device ?? DeviceID(rawValue: ""))
        case .selection(let key): .selection(key, contents.selections[key])
        case .profile(let key): .profile(key, contents.profiles[key])
        case .openLogin(let key): .openLogin(key, contents.openLogins[key])
        case .tombstone(let key): .tombstone(key, contents.tombstones.contains(key))
        }
    }
}
