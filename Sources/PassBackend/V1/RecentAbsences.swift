// Remembers for a minute that the service has found nobody logged in, so that an app that starts and soon asks for a code
// does not ask the same twice. A login that is made meanwhile shows with the first poll. In memory only. May be used
// from any thread. Contract: rest-v1.md §6.7; rest-v2.md §15.

import AccessEnabler
import Synchronization

final class RecentAbsences: Sendable {
    static let life = Duration.seconds(60)
    private static let capacity = 64

    private let ends = Mutex<[LoginKey: BootTime]>([:])

    func contains(_ key: LoginKey, at now: BootTime) -> Bool { ends.withLock { $0[key].map { now < $0 } ?? false } }

    /// `asked` is when the question was asked.
    func note(_ isAbsent: Bool, _ key: LoginKey, asked: BootTime) {
        ends.withLock { ends in
            ends[key] = isAbsent ? asked.advanced(by: Self.life) : nil
            if ends.count > Self.capacity, let oldest = ends.min(by: { $0.value < $1.value })?.key {
                ends[oldest] = nil
            }
        }
    }
}
