// A vault in memory that a test can fill, read and break.

public import AccessEnabler
import Synchronization

public final class FakeVault: TokenVault {
    private struct State {
        /// The contents of the disk.
        var contents = VaultContents()
        /// The changes that the disk lacks.
        var owed: [VaultRow: VaultChange] = [:]
        var sinceLoss: [VaultChange] = []
        var fault: VaultFault?
        var isSlow = false
        var isPersistent = true
        var warnings: [VaultHealth.Warning] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
        var onCommit: @Sendable (VaultFault?) -> Void = { _ in }
    }

    private let state = Mutex(State())
    /// The number of rows that each successful commit has written.
    public let commits = Recorder<Int>()
    /// The number of changes in each requested commit.
    public let attempts = Recorder<Int>()

    public init(_ contents: VaultContents = VaultContents()) { state.withLock { $0.contents = contents } }

    public var contents: VaultContents { state.withLock { $0.contents } }

    /// Sets what is called after each commit.
    public func observe(_ onCommit: @escaping @Sendable (VaultFault?) -> Void) {
        state.withLock { $0.onCommit = onCommit }
    }

    /// Makes all commits fail; nil repairs the vault.
    public func breakDown(_ fault: VaultFault?) { state.withLock { $0.fault = fault } }

    /// Keeps commits only in memory from now on.
    public func loseDisk(because warnings: [VaultHealth.Warning] = []) {
        state.withLock { ($0.isPersistent, $0.warnings) = (false, warnings) }
    }

    /// Makes the disk available again, with these contents and the changes since it was lost.
    public func findDisk(_ contents: VaultContents) {
        state.withLock { state in
            state.contents = contents
            for change in state.sinceLoss { state.contents.apply(change) }
            (state.sinceLoss, state.isPersistent) = ([], true)
        }
    }

    /// Holds back commits from now on, before anything is written.
    public func hold() { state.withLock { $0.isSlow = true } }

    public func release() {
        let waiting = state.withLock { state in
            state.isSlow = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume() }
    }

    /// A process that starts finds only the contents of the disk.
    public func load() async -> VaultContents {
        state.withLock { state in
            state.owed = [:]
            return state.contents
        }
    }

    public func commit(_ changes: [VaultChange]) async throws(VaultFault) {
        attempts.append(changes.count)
        await withCheckedContinuation { waiter in
            let goesOn = state.withLock { state in
                if state.isSlow { state.waiting.append(waiter) }
                return !state.isSlow
            }
            if goesOn { waiter.resume() }
        }
        let (fault, rows) = state.withLock { state -> (VaultFault?, [VaultRow]) in
            for change in changes { state.owed[change.row] = change }
            if !state.isPersistent { state.sinceLoss += changes }
            let rows = Array(state.owed.keys)
            guard state.fault == nil else { return (state.fault, rows) }
            for change in state.owed.values { state.contents.apply(change) }
            state.owed = [:]
            return (nil, rows)
        }
        let onCommit = state.withLock { $0.onCommit }
        onCommit(fault)
        if let fault { throw VaultFault(fault.kind, fault.explanation, at: Set(rows)) }
        commits.append(rows.count)
    }

    /// The vault is healthy as long as it accepts changes.
    public func examine() async -> Bool { state.withLock { $0.fault == nil } }

    public func health() async -> VaultHealth {
        state.withLock { VaultHealth(isPersistent: $0.isPersistent, warnings: $0.warnings) }
    }
}

/// A device with a fixed identity.
public struct FakeIdentity: DeviceIdentity {
    public var outcome: Result<DeviceID, DeviceIdentityFault>

    public init(_ name: String = String(repeating: "d1", count: 32)) { outcome = .success(DeviceID(rawValue: name)) }

    public func current() async throws(DeviceIdentityFault) -> DeviceID { try outcome.get() }
}
