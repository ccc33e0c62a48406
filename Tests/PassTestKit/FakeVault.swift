// A vault in memory that a test can fill, read and break.

public import AccessEnabler
import Synchronization

public final class FakeVault: TokenVault {
    private struct State {
        var contents = VaultContents()
        var fault: VaultFault?
        var isSlow = false
        var isPersistent = true
        var isFound = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    /// The number of changes in each commit that succeeded.
    public let commits = Recorder<Int>()
    /// The number of changes in each commit that was requested.
    public let attempts = Recorder<Int>()

    public init(_ contents: VaultContents = VaultContents()) { state.withLock { $0.contents = contents } }

    public var contents: VaultContents { state.withLock { $0.contents } }

    /// Lets all commits fail; nil repairs the vault.
    public func breakDown(_ fault: VaultFault?) { state.withLock { $0.fault = fault } }

    /// From now on, commits are kept in memory only.
    public func loseDisk() { state.withLock { $0.isPersistent = false } }

    /// The disk is available again, with these contents.
    public func findDisk(_ contents: VaultContents) {
        state.withLock { state in
            state.contents = contents
            state.isPersistent = true
            state.isFound = true
        }
    }

    public func recover() async -> Bool {
        state.withLock { state in
            defer { state.isFound = false }
            return state.isFound
        }
    }

    /// Holds commits back from now on, before anything is written.
    public func hold() { state.withLock { $0.isSlow = true } }

    public func release() {
        let waiting = state.withLock { state in
            state.isSlow = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume() }
    }

    public func load() async -> VaultContents { contents }

    public func commit(_ changes: [VaultChange]) async throws(VaultFault) {
        attempts.append(changes.count)
        await withCheckedContinuation { waiter in
            let goesOn = state.withLock { state in
                if state.isSlow { state.waiting.append(waiter) }
                return !state.isSlow
            }
            if goesOn { waiter.resume() }
        }
        let fault = state.withLock { state in
            if state.fault == nil { for change in changes { state.contents.apply(change) } }
            return state.fault
        }
        if let fault { throw fault }
        commits.append(changes.count)
    }

    /// The vault is healthy as long as it accepts changes.
    public func examine() async -> Bool { state.withLock { $0.fault == nil } }

    public func health() async -> VaultHealth {
        VaultHealth(isPersistent: state.withLock { $0.isPersistent }, warnings: [])
    }
}

/// A device with a fixed identity.
public struct FakeIdentity: DeviceIdentity {
    public var outcome: Result<DeviceID, DeviceIdentityFault>

    public init(_ name: String = String(repeating: "d1", count: 32)) { outcome = .success(DeviceID(rawValue: name)) }

    public func current() async throws(DeviceIdentityFault) -> DeviceID { try outcome.get() }
}
