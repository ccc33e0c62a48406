// Wraps the store so that the engine sees only the logins of the configured protocol. Logins of the other one are
// neither used nor ended, and are available again when the configuration goes back to it. Contract: rest-v2.md §19
// items 1 and 2, §21.

import AccessEnabler
import PassBackend
import PassConfiguration

struct ProtocolVault: TokenVault {
    private let whole: any TokenVault
    private let version: Configuration.Backend.Version

    init(_ whole: any TokenVault, _ version: Configuration.Backend.Version) {
        self.whole = whole
        self.version = version
    }

    func load() async -> VaultContents { await whole.load().of(version) }
    func commit(_ changes: [VaultChange]) async throws(VaultFault) { try await whole.commit(changes) }
    func health() async -> VaultHealth { await whole.health() }
    func examine() async -> Bool { await whole.examine() }
    func recover() async -> Bool { await whole.recover() }
}

extension VaultContents {
    func of(_ version: Configuration.Backend.Version) -> VaultContents {
        func isMine(_ key: RegistrationKey) -> Bool { key.interface == version.interface }
        var own = self
        own.registrations = registrations.filter { isMine($0.key) }
        own.profiles = profiles.filter { isMine($0.key.registration) }
        own.openLogins = openLogins.filter { isMine($0.key.registration) }
        own.tombstones = tombstones.filter { isMine($0.registration) }
        return own
    }
}

extension Configuration.Backend.Version {
    /// The name of the protocol in registrations.
    var interface: String {
        switch self {
        case .v1: V1Backend.interface
        case .v2: V2Backend.interface
        }
    }
}
