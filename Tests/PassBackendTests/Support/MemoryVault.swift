// A vault in memory, which may refuse all changes.

import AccessEnabler
import Synchronization

final class MemoryVault: TokenVault {
    private struct State {
        var commits: [[VaultChange]] = []
        var registrations: [RegistrationKey: StoredRegistration] = [:]
        var fault: VaultFault?
    }

    private let state = Mutex(State())

    var registrations: [RegistrationKey: StoredRegistration] { state.withLock { $0.registrations } }
    var commitCount: Int { state.withLock { $0.commits.count } }

    func fail(_ fault: VaultFault) { state.withLock { $0.fault = fault } }

    func load() async -> VaultContents {
        var contents = VaultContents()
        contents.registrations = registrations
        return contents
    }

    func commit(_ changes: [VaultChange]) async throws(VaultFault) {
        let fault = state.withLock { state in
            if state.fault == nil {
                state.commits.append(changes)
                for case .registration(let key, let stored) in changes { state.registrations[key] = stored }
            }
            return state.fault
        }
        if let fault { throw fault }
    }

    func examine() async -> Bool { true }

    func health() async -> VaultHealth { VaultHealth(isPersistent: true, warnings: []) }
}
