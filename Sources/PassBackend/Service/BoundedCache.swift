// Keeps values in memory until they end. If there are too many, the value that ends first is evicted. May be used from
// any thread.

import AccessEnabler
import Synchronization

final class BoundedCache<Key: Hashable & Sendable, Value: Sendable, Time: Comparable & Sendable>: Sendable {
    private let entries = Mutex<[Key: (value: Value, end: Time)]>([:])
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    /// The value, even if it has ended.
    subscript(key: Key) -> Value? { entries.withLock { $0[key]?.value } }

    func value(_ key: Key, at now: Time) -> Value? {
        entries.withLock { entries in entries[key].flatMap { now < $0.end ? $0.value : nil } }
    }

    /// Keeps the value until `end`, which is computed while the cache is locked.
    func keep(_ value: Value, _ key: Key, until end: @autoclosure () -> Time) {
        entries.withLock { entries in
            if entries[key] == nil, entries.count >= capacity,
                let first = entries.min(by: { $0.value.end < $1.value.end })?.key
            {
                entries[first] = nil
            }
            entries[key] = (value, end())
        }
    }

    /// Makes the value end at this time. The value stays in the cache.
    func end(_ key: Key, at end: Time) { entries.withLock { $0[key]?.end = end } }

    func remove(_ key: Key) { entries.withLock { $0[key] = nil } }
}

extension BoundedCache where Value == Void {
    func contains(_ key: Key, at now: Time) -> Bool { value(key, at: now) != nil }

    func note(_ isTrue: Bool, _ key: Key, until end: Time) {
        if isTrue { keep((), key, until: end) } else { remove(key) }
    }
}

/// Remembers the last registration keys. To make a key, passd computes a digest of the app's software statement. Apps
/// connect often, so passd makes the key once, and all connections of the app share it.
final class RecentRegistrations: Sendable {
    private static let maxKeys = 16

    private let known = Mutex<[(statement: Secret, key: RegistrationKey)]>([])

    func key(of app: AppID, statement: Secret, else make: () -> RegistrationKey) -> RegistrationKey {
        known.withLock { known in
            if let found = known.first(where: { $0.key.app == app && $0.statement.matches(statement) }) {
                return found.key
            }
            let key = make()
            if known.count >= Self.maxKeys { known.removeFirst() }
            known.append((statement, key))
            return key
        }
    }
}
