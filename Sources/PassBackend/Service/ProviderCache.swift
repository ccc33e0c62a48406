// Keeps each requestor's configuration at the service, in memory only: the providers are valid for three minutes, the
// domain until it is replaced. May be used from any thread. Contract: rest-v2.md §8.

import AccessEnabler
import Synchronization

final class ProviderCache: Sendable {
    struct Key: Hashable, Sendable {
        var registration: RegistrationKey
        var requestor: RequestorID
        /// The service sends data about a platform only to devices of its type.
        var deviceType: String?
    }

    static let life = Duration.seconds(180)
    static let capacity = 64

    private let entries = Mutex<[Key: (configuration: RequestorConfiguration, ends: BootTime)]>([:])
    private let expiries = Atomic(0)

    /// How often a list was invalidated. An older question must not restore one.
    var expiryCount: Int { expiries.load(ordering: .acquiring) }

    func providers(_ key: Key, at now: BootTime) -> [Provider]? {
        entries.withLock { entries in entries[key].flatMap { now < $0.ends ? $0.configuration.providers : nil } }
    }

    /// The last configuration, even if it has expired.
    func lastConfiguration(_ key: Key) -> RequestorConfiguration? { entries.withLock { $0[key]?.configuration } }

    /// The list is no longer valid; the domain still is.
    func expire(_ key: Key) {
        expiries.wrappingAdd(1, ordering: .acquiringAndReleasing)
        entries.withLock { $0[key]?.ends = BootTime(nanoseconds: 0) }
    }

    /// `asked` is `expiryCount` from before the question.
    func keep(_ configuration: RequestorConfiguration, _ key: Key, asked: Int, at now: BootTime) {
        entries.withLock { entries in
            if entries[key] == nil, entries.count >= Self.capacity,
                let oldest = entries.min(by: { $0.value.ends < $1.value.ends })?.key
            {
                entries[oldest] = nil
            }
            let counts = asked == expiryCount
            entries[key] = (configuration, counts ? now.advanced(by: Self.life) : BootTime(nanoseconds: 0))
        }
    }
}

/// Caches the last registration keys, because apps connect often and a key needs a digest of its statement. All
/// connections of an app share the same key.
final class RecentRegistrations: Sendable {
    private static let most = 16

    private let known = Mutex<[(statement: Secret, key: RegistrationKey)]>([])

    func key(of app: AppID, statement: Secret, else make: () -> RegistrationKey) -> RegistrationKey {
        known.withLock { known in
            if let found = known.first(where: { $0.key.app == app && $0.statement.matches(statement) }) {
                return found.key
            }
            let key = make()
            if known.count >= Self.most { known.removeFirst() }
            known.append((statement, key))
            return key
        }
    }
}
