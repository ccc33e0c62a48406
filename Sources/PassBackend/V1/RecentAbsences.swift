// Remembers negative answers of the service for a minute, so that the question is not repeated. One is that nobody is
// logged in, when an app starts and soon asks for a code. Another is that a provider does not let everybody in, when
// several apps ask for codes. The first poll shows a login that was made in between. In memory only. May be used from
// any thread. Contract: rest-v1.md §6.4, §6.7; rest-v2.md §15.

import AccessEnabler
import Synchronization

final class RecentAbsences<Key: Hashable & Sendable>: Sendable {
    static var life: Duration { .seconds(60) }
    private static var capacity: Int { 64 }

    private let ends = Mutex<[Key: BootTime]>([:])

    func contains(_ key: Key, at now: BootTime) -> Bool { ends.withLock { $0[key].map { now < $0 } ?? false } }

    /// `asked` is the time of the question.
    func note(_ isAbsent: Bool, _ key: Key, asked: BootTime) {
        ends.withLock { ends in
            ends[key] = isAbsent ? asked.advanced(by: Self.life) : nil
            if ends.count > Self.capacity, let oldest = ends.min(by: { $0.value < $1.value })?.key {
                ends[oldest] = nil
            }
        }
    }
}
