// The part of the store that belongs to one protocol. A backend reads only its own registrations. The engine sees everything,
// so that a logout ends the logins of both protocols. When the configuration changes back to the other protocol, the logins of
// that protocol are used again. Contract: rest-v2.md §19 items 1 and 2, §21; rpc.md §6.

import AccessEnabler
import PassBackend
import PassConfiguration

extension VaultContents {
    func of(_ version: Configuration.Backend.Version) -> VaultContents {
        func isMine(_ key: RegistrationKey) -> Bool { key.interface == version.interface }
        var own = self
        own.registrations = registrations.filter { isMine($0.key) }
        own.profiles = profiles.filter { isMine($0.key.registration) }
        own.openLogins = openLogins.filter { isMine($0.key.registration) }
        own.tombstones = tombstones.filter { isMine($0.registration) }
        own.lapsed = lapsed.filter { isMine($0.registration) }
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
