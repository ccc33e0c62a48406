// Keeps what the service has configured for each requestor, in memory only: the providers count for three minutes, the
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

    func providers(_ key: Key, at now: BootTime) -> [Provider]? {
        entries.withLock { entries in entries[key].flatMap { now < $0.ends ? $0.configuration.providers : nil } }
    }

    /// What was kept last, however long ago.
    func lastConfiguration(_ key: Key) -> RequestorConfiguration? { entries.withLock { $0[key]?.configuration } }

    /// The list does not count any more; the domain still does.
    func expire(_ key: Key) { entries.withLock { $0[key]?.ends = BootTime(nanoseconds: 0) } }

    func keep(_ configuration: RequestorConfiguration, _ key: Key, at now: BootTime) {
        entries.withLock { entries in
            if entries[key] == nil, entries.count >= Self.capacity,
                let oldest = entries.min(by: { $0.value.ends < $1.value.ends })?.key
            {
                entries[oldest] = nil
            }
            entries[key] = (configuration, now.advanced(by: Self.life))
        }
    }
}
