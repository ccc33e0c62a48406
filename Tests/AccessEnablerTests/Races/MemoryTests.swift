// Tests changes that the vault cannot write. The engine keeps them, and a full or lost disk is retried until it accepts
// them. If the disk was lost at the start, its contents are loaded once it is back.

import PassTestKit
import Synchronization
import Testing

@testable import AccessEnabler

@Suite("architecture §5 item 5: changes that are not written yet") @EngineActor struct MemoryTests {
    private let clock = VirtualClock()
    private let vault = ParticularVault()

    private func memory() async -> Memory {
        let memory = Memory(await vault.load(), vault: vault, clock: clock)
        await memory.startAskingForDisk()
        return memory
    }

    private static func selection(_ name: String) -> VaultChange {
        .selection(
            RequestorID(rawValue: name),
            Selection(
                provider: Provider(id: ProviderID(rawValue: "P"), displayName: name, logoURL: ""), canAuthenticate: true
            ))
    }

    private static func place(_ name: String) -> ProfileKey {
        ProfileKey(
            registration: RegistrationKey(
                app: AppID(rawValue: name), statement: "s", origin: "https://service.test", interface: "v2"),
            requestor: RequestorID(rawValue: name), provider: ProviderID(rawValue: "P"))
    }

    @Test func `a deferrable change is written with the next change, or at the end`() async {
        let keys = ["A", "B"].map(Self.place)
        var contents = VaultContents()
        contents.tombstones = Set(keys)
        let vault = FakeVault(contents)
        let memory = Memory(contents, vault: vault, clock: clock)
        await memory.commitLater([.tombstone(keys[0], false)])
        #expect(memory.contents.tombstones == [keys[1]] && memory.unsavedCount == 0)
        #expect(vault.attempts.elements == [])
        await memory.commit([Self.selection("NEWS24")])
        #expect(vault.commits.elements == [2] && vault.contents.tombstones == [keys[1]])
        await memory.commitLater([.tombstone(keys[1], false)])
        await memory.flush()
        #expect(vault.commits.elements == [2, 1] && vault.contents.tombstones.isEmpty)
    }

    @Test
    func `a deferrable change is on the disk within five seconds, with one alarm during the wait and none afterwards`()
        async throws
    {
        let keys = ["A", "B"].map(Self.place)
        var contents = VaultContents()
        contents.tombstones = Set(keys)
        let vault = FakeVault(contents)
        let memory = Memory(contents, vault: vault, clock: clock)
        await memory.commitLater([.tombstone(keys[0], false)])
        clock.advance(by: .seconds(3))
        await memory.commitLater([.tombstone(keys[1], false)])
        #expect(clock.alarmCount == 1 && vault.attempts.elements == [])
        clock.advance(by: .seconds(2))
        try await vault.commits.wait { $0 == [2] }
        #expect(vault.contents.tombstones.isEmpty && memory.waiting.isEmpty && clock.alarmCount == 0)
        // Another commit writes the change earlier, and then no alarm is left.
        await memory.commitLater([Self.selection("SUMMIT")])
        #expect(clock.alarmCount == 1)
        await memory.commit([Self.selection("NEWS24")])
        #expect(vault.commits.elements == [2, 2] && clock.alarmCount == 0)
    }

    @Test func `while the vault has a fault, a deferrable change is not deferred`() async {
        let vault = FakeVault()
        let memory = Memory(VaultContents(), vault: vault, clock: clock)
        vault.breakDown(VaultFault(.full, "full"))
        await memory.commit([Self.selection("NEWS24")])
        vault.breakDown(nil)
        await memory.commitLater([Self.selection("SUMMIT")])
        #expect(vault.commits.elements == [2] && memory.fault == nil)
    }

    @Test(arguments: [["bad 7"], ["bad 0", "bad 1", "bad 19"], (0..<20).map { "bad \($0)" }])
    func `a row that the vault refuses does not affect other rows`(bad: [String]) async {
        let memory = await memory()
        let names = (0..<20).map { bad.contains("bad \($0)") ? "bad \($0)" : "good \($0)" }
        await memory.commit(names.map(Self.selection))
        #expect(Set(vault.contents.selections.keys.map(\.rawValue)) == Set(names.filter { $0.hasPrefix("good") }))
        #expect(memory.contents.selections.count == 20 && memory.unsavedCount == bad.count)
        #expect(memory.fault?.kind == .limit)
        #expect(vault.attempts.elements == [20])
        // Later commits are not affected.
        await memory.commit([Self.selection("good one more")])
        #expect(vault.attempts.elements == [20, 1])
        #expect(vault.contents.selections[RequestorID(rawValue: "good one more")] != nil)
        #expect(memory.fault?.kind == .limit)
    }

    @Test func `a refused row can be written after a change, and the fault ends`() async {
        let memory = await memory()
        var heard: [VaultFault.Kind?] = []
        memory.onChange = { heard.append($0?.kind) }
        await memory.commit([Self.selection("bad"), Self.selection("good")])
        await memory.commit([.selection(RequestorID(rawValue: "bad"), nil)])
        #expect(memory.unsavedCount == 0 && memory.fault == nil)
        #expect(heard == [.limit, nil])
    }

    @Test func `thousands of refused rows are passed to the vault once, and written when there is room`()
        async throws
    {
        let memory = await memory()
        await memory.commit((0..<3_000).map { Self.selection("bad \($0)") } + [Self.selection("good")])
        #expect(vault.attempts.elements == [3_001] && memory.unsavedCount == 3_000)
        for _ in 0..<120 { await pass() }
        #expect(vault.attempts.elements == [3_001])
        vault.become { $0.isParticular = false }
        await memory.commit([Self.selection("another good one")])
        #expect(memory.fault == nil && memory.unsavedCount == 0 && vault.contents.selections.count == 3_002)
        for _ in 0..<60 { await pass() }
        #expect(vault.attempts.elements == [3_001, 1])
    }

    @Test func `changes that another part of the daemon could not write are counted and retried`() async throws {
        let memory = await memory()
        vault.become { $0.fault = VaultFault(.full, "no room") }
        await #expect(throws: VaultFault.self) { try await vault.commit([Self.selection("registrar's")]) }
        await memory.commit([Self.selection("a")])
        #expect(memory.unsavedCount == 2)
        vault.become { $0.fault = nil }
        try await wait { memory.fault == nil }
        #expect(vault.contents.selections.count == 2 && memory.unsavedCount == 0)
    }

    @Test(arguments: [true, false]) func `changes of another part of the daemon alone are retried, too`(
        atStart: Bool
    ) async throws {
        var retried = await memory()
        vault.become { $0.fault = VaultFault(.full, "no room") }
        let fault = await #expect(throws: VaultFault.self) { try await vault.commit([Self.selection("registrar's")]) }
        if atStart { retried = await memory() } else { retried.noteFault(try #require(fault)) }
        #expect(clock.alarmCount == 1)
        try await wait { vault.attempts.elements.count == 3 }
        #expect(retried.unsavedCount == 1)
        vault.become { $0.fault = nil }
        try await wait { retried.fault == nil }
        #expect(vault.contents.selections.count == 1 && clock.alarmCount == 0)
    }

    @Test func `a row beyond a limit from another part of the daemon is not retried`() async {
        let memory = await memory()
        memory.noteFault(VaultFault(.limit, "too large"))
        #expect(clock.alarmCount == 0)
    }

    @Test func `the reported fault is the current one`() async {
        let memory = await memory()
        await memory.commit([Self.selection("bad")])
        vault.become { $0.fault = VaultFault(.full, "no room") }
        await memory.commit([Self.selection("good")])
        #expect(memory.fault?.kind == .full)
        vault.become { $0.fault = nil }
        await memory.commit([Self.selection("another good one")])
        #expect(memory.fault?.kind == .limit && memory.unsavedCount == 1)
    }

    @Test func `changes that do not fit on the disk are kept, and written when there is room`() async throws {
        let memory = await memory()
        vault.become { $0.fault = VaultFault(.full, "no room") }
        await memory.commit([Self.selection("a"), Self.selection("b")])
        #expect(vault.attempts.elements == [2] && memory.unsavedCount == 2)
        vault.become { $0.fault = nil }
        try await wait { memory.fault == nil }
        #expect(vault.contents.selections.count == 2 && memory.unsavedCount == 0)
    }

    @Test func `a disk that is missing at the start is retried, and its contents are loaded once it is back`()
        async throws
    {
        vault.become {
            $0.isPersistent = false
            $0.hidden = [Self.selection("old"), Self.selection("changed")]
            $0.fault = VaultFault(.readOnly, "not there")
        }
        let memory = await memory()
        var discoveries = 0
        memory.onDiscovery = { _ in discoveries += 1 }
        await memory.commit([Self.selection("new"), .selection(RequestorID(rawValue: "changed"), nil)])
        try await wait { vault.attempts.elements.contains(0) }
        #expect(discoveries == 0)
        vault.become {
            $0.isPersistent = true
            $0.fault = nil
        }
        try await wait { memory.fault == nil }
        let known = Set(memory.contents.selections.keys.map(\.rawValue))
        #expect(known == ["old", "new"] && discoveries == 1)
        #expect(Set(vault.contents.selections.keys.map(\.rawValue)) == known)
    }

    @Test func `the retry does not depend on a new change, and stops once the disk is back`() async throws {
        vault.become {
            $0.isPersistent = false
            $0.hidden = [Self.selection("old")]
        }
        let memory = await memory()
        try await wait { vault.attempts.elements == [0, 0, 0] }
        vault.become { $0.isPersistent = true }
        try await wait { memory.contents.selections.count == 1 }
        let count = vault.attempts.elements.count
        for _ in 0..<20 { await pass() }
        #expect(vault.attempts.elements.count == count)
    }

    private static func login(_ name: String) -> (key: ProfileKey, change: VaultChange) {
        let provider = ProviderID(rawValue: "P")
        let key = ProfileKey(
            registration: RegistrationKey(
                app: AppID(rawValue: "a"), statement: "s", origin: "https://s.test", interface: "v2"),
            requestor: RequestorID(rawValue: name), provider: provider)
        let time = ServerTime(milliseconds: 1_800_000_000_000)
        let profile = Profile(
            provider: provider, kind: .regular, issuer: "P", notBefore: time, notAfter: time, attributes: [:])
        return (key, .profile(key, profile))
    }

    @Test(arguments: [true, false]) func `logins that ended while the disk was unreadable are ended on the disk, too`(
        tellingService: Bool
    ) async throws {
        let (old, kept, new) = (Self.login("old"), Self.login("kept"), Self.login("new"))
        vault.become {
            $0.isPersistent = false
            $0.hidden = [old.change, kept.change, new.change]
            $0.fault = VaultFault(.readOnly, "not there")
        }
        let memory = await memory()
        memory.endUnreadLogins(tellingService: tellingService) { $0.requestor.rawValue != "kept" }
        await memory.commit([])
        #expect(!memory.hasSaved([]))
        // The viewer has logged in again.
        await memory.commit([new.change])
        vault.become {
            $0.isPersistent = true
            $0.fault = nil
        }
        try await wait { memory.fault == nil && memory.unsavedCount == 0 }
        #expect(Set(memory.contents.profiles.keys) == [kept.key, new.key])
        #expect(Set(vault.contents.profiles.keys) == [kept.key, new.key])
        #expect(vault.contents.tombstones == (tellingService ? [old.key] : []))
        #expect(memory.hasSaved([]))
    }

    @Test(arguments: [true, false])
    func `access-enabler.md §10: from the disk of another device nothing is loaded, but its ended logins end`(
        tellingService: Bool
    ) async throws {
        let (old, kept, own) = (Self.login("old"), Self.login("kept"), Self.login("own"))
        vault.become {
            $0.isPersistent = false
            $0.hidden = [old.change, kept.change]
            $0.fault = VaultFault(.readOnly, "not there")
        }
        let memory = await memory()
        var discoveries = 0
        memory.onDiscovery = { _ in discoveries += 1 }
        memory.endUnreadLogins(tellingService: tellingService) { $0.requestor.rawValue != "kept" }
        // The viewer has logged in again, but with the other device.
        await memory.commit([old.change, own.change])
        vault.become {
            $0.isPersistent = true
            // The vault drops the changes of the device that is not the disk's.
            $0.owed = [:]
            $0.isOtherDevice = true
            $0.fault = nil
        }
        try await wait { vault.contents.tombstones == [old.key] }
        #expect(vault.contents.profiles[old.key] == nil && vault.contents.profiles[kept.key] != nil)
        #expect(Set(memory.contents.profiles.keys) == [old.key, own.key] && memory.contents.tombstones.isEmpty)
        #expect(discoveries == 0 && !memory.hasSaved([]))
    }

    @Test func `a change that the vault refuses is not saved, but other changes are`() async {
        let memory = await memory()
        let (bad, good) = (Self.selection("bad"), Self.selection("good"))
        await memory.commit([bad, good])
        #expect(!memory.hasSaved([bad]) && !memory.hasSaved([good, bad]) && memory.hasSaved([good]))
    }

    /// Lets half a minute pass, and runs all work that is due then.
    private func pass() async {
        clock.advance(by: .seconds(31))
        for _ in 0..<50 { await EngineActor.turn() }
    }

    private func wait(_ holds: () -> Bool) async throws {
        for _ in 0..<1000 where !holds() { await pass() }
        try #require(holds())
    }
}

/// A vault that refuses rows whose requestor is called bad. Its disk has further rows that are visible only when the
/// disk is back.
private final class ParticularVault: TokenVault {
    struct State {
        var contents = VaultContents()
        /// The rows that the disk lacks.
        var owed: [VaultRow: VaultChange] = [:]
        var hidden: [VaultChange] = []
        var fault: VaultFault?
        var isPersistent = true
        var isOtherDevice = false
        var isParticular = true

        mutating func write() {
            if isPersistent {
                for change in hidden { contents.apply(change) }
                hidden = []
            }
            for (row, change) in owed where !(isParticular && change.isBad) {
                contents.apply(change)
                owed[row] = nil
            }
        }
    }

    private let state = Mutex(State())
    let attempts = Recorder<Int>()

    var contents: VaultContents { state.withLock(\.contents) }

    func become(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
    func load() async -> VaultContents { contents }
    func examine() async -> Bool { true }
    func health() async -> VaultHealth {
        state.withLock {
            VaultHealth(
                isPersistent: $0.isPersistent, lacksChanges: $0.fault != nil && !$0.owed.isEmpty,
                isOtherDevice: $0.isOtherDevice, warnings: [])
        }
    }

    func commit(_ changes: [VaultChange]) async throws(VaultFault) {
        attempts.append(changes.count)
        let fault: VaultFault? = state.withLock { state in
            for change in changes { state.owed[change.row] = change }
            if state.fault == nil { state.write() }
            var fault = state.fault ?? (state.owed.isEmpty ? nil : VaultFault(.limit, "too large"))
            fault?.rows = Set(state.owed.keys)
            return fault
        }
        if let fault { throw fault }
    }
}

extension VaultChange {
    fileprivate var isBad: Bool {
        if case .selection(let requestor, _?) = self { requestor.rawValue.hasPrefix("bad") } else { false }
    }
}
