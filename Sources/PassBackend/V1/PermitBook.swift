// Remembers permits that the service keeps, so that the next play needs only a media token. In memory only; a logout
// makes all of them void. May be used from any thread. Contract: rest-v1.md §6.8, §6.10; access-enabler.md §13.2.

import AccessEnabler
import Synchronization

final class PermitBook: Sendable {
    struct Key: Hashable, Sendable {
        let registration: RegistrationKey
        let requestor: RequestorID
        let provider: ProviderID
        let resource: ExactText
    }

    struct Permit: Sendable {
        let source: ServiceDecision.Source
        let ends: ServerTime
        /// The number of logouts before it was given.
        let logouts: UInt64
    }

    private let permits = Mutex<[Key: Permit]>([:])
    /// Above it, the permit that ends first is forgotten.
    private static let limit = 256

    func permit(_ key: Key, at now: ServerTime, after logouts: UInt64) -> Permit? {
        permits.withLock { $0[key] }.flatMap { now < $0.ends && $0.logouts == logouts ? $0 : nil }
    }

    /// Nil forgets it.
    func note(_ permit: Permit?, _ key: Key) {
        permits.withLock { permits in
            permits[key] = permit
            while permits.count > Self.limit, let first = permits.min(by: { $0.value.ends < $1.value.ends })?.key {
                permits[first] = nil
            }
        }
    }
}
