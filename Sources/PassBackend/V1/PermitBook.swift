// Remembers permits that the service keeps, so that the next play needs only a media token. A logout invalidates all of
// them. They are kept in memory only, so that the store does not reveal what a viewer has watched. After a restart, the
// first play of a resource asks for its media token at once. While a permit is valid, that is the only request.
// Otherwise it is one more request, which does not reach the provider. May be used from any thread. Contract:
// rest-v1.md §6.8, §6.10; access-enabler.md §13.2.

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
        /// Nil if it was given before the restart and has not been used since.
        var source: ServiceDecision.Source?
        /// Nil if it was given before the restart.
        var ends: ServerTime?
        /// The number of logouts before it was given.
        let logouts: UInt64
    }

    private struct FormerLogin: Hashable, Sendable {
        let app: AppID
        let requestor: RequestorID
        let provider: ProviderID
    }

    /// A nil permit means that the service has none.
    private let permits = Mutex<[Key: Permit?]>([:])
    private let formerLogins: Set<FormerLogin>
    /// Above it, the permit that ends first is evicted.
    private static let limit = 256

    /// `formerLogins` are those from before the restart; the service may keep permits for them.
    init(formerLogins: some Sequence<ProfileKey>) {
        self.formerLogins = Set(
            formerLogins.map {
                FormerLogin(app: $0.registration.app, requestor: $0.requestor, provider: $0.provider)
            })
    }

    /// The permit that the service keeps, or, after a restart, may keep.
    func permit(_ key: Key, at now: ServerTime, after logouts: UInt64) -> Permit? {
        let login = FormerLogin(app: key.registration.app, requestor: key.requestor, provider: key.provider)
        let unknown = formerLogins.contains(login) ? Permit(logouts: 0) : nil
        guard let permit = permits.withLock({ $0[key] }) ?? unknown, permit.logouts == logouts else { return nil }
        return permit.ends.map { now < $0 } ?? true ? permit : nil
    }

    /// `permit` is nil if the service has none.
    func note(_ permit: Permit?, _ key: Key) {
        permits.withLock { permits in
            permits[key] = .some(permit)
            while permits.count > Self.limit, let first = permits.min(by: { Self.end($0.value) < Self.end($1.value) }) {
                permits[first.key] = nil
            }
        }
    }

    private static func end(_ permit: Permit?) -> ServerTime { permit?.ends ?? ServerTime(milliseconds: .min) }
}

/// Remembers negative answers of the service for a minute, so that the question is not repeated. One is that nobody is
/// logged in, when an app starts and soon asks for a code. Another is that a provider does not let everybody in, when
/// several apps ask for codes. The first poll shows a login that was made in between. In memory only. May be used from
/// any thread. Contract: rest-v1.md §6.4, §6.7; rest-v2.md §15.
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
