// Keeps the providers of each requestor for three minutes, in memory only. Contract: rest-v2.md §8.

import AccessEnabler
import Synchronization

final class ProviderCache: Sendable {
    struct Key: Hashable, Sendable {
        var registration: RegistrationKey
        var requestor: RequestorID
        /// The service describes the platform only to devices of this type.
        var deviceType: String?
    }

    static let life = Duration.seconds(180)
    static let capacity = 64

    private let entries = Mutex<[Key: (providers: [Provider], ends: BootTime)]>([:])

    func providers(_ key: Key, at now: BootTime) -> [Provider]? {
        entries.withLock { entries in entries[key].flatMap { now < $0.ends ? $0.providers : nil } }
    }

    func keep(_ providers: [Provider], _ key: Key, at now: BootTime) {
        entries.withLock { entries in
            entries = entries.filter { now < $0.value.ends }
            if entries.count >= Self.capacity, let oldest = entries.min(by: { $0.value.ends < $1.value.ends })?.key {
                entries[oldest] = nil
            }
            entries[key] = (providers, now.advanced(by: Self.life))
        }
    }
}
