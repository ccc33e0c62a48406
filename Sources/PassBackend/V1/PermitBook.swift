// Remembers for which resources the service has a *permit*: the provider's permission to play the resource. While a permit is
// valid, a play needs only a media token, which is a permission for one play. A logout invalidates all permits. The permits are
// kept in memory only, so that the store does not reveal what a viewer has watched. After a restart, the first play of a
// resource begins with the request for the media token. If the service still has the permit, no other request is needed. If the
// service has no permit, this request fails, but it does not reach the provider. This class may be used from any thread.
// Contract: rest-v1.md §6.8, §6.10; access-enabler.md §13.2.

import AccessEnabler

final class PermitBook: Sendable {
    struct Key: Hashable, Sendable {
        let registration: RegistrationKey
        let requestor: RequestorID
        let provider: ProviderID
        let resource: ResourceID
    }

    struct Permit: Sendable {
        /// The source of the permit. Nil if the permit is from before the restart and has not been used since.
        var source: ServiceDecision.Source?
        /// Nil if the permit is from before the restart.
        var ends: ServerTime?
        /// The number of logouts before the permit was given.
        let logouts: UInt64
    }

    private struct FormerLogin: Hashable, Sendable {
        let app: AppID
        let requestor: RequestorID
        let provider: ProviderID
    }

    /// The permits. A nil permit means that the service has none.
    private let permits = BoundedCache<Key, Permit?, ServerTime>(capacity: 256)
    private let formerLogins: Set<FormerLogin>

    /// `formerLogins` are the logins from before the restart. The service may keep permits for these logins.
    init(formerLogins: some Sequence<ProfileKey>) {
        self.formerLogins = Set(
            formerLogins.map {
                FormerLogin(app: $0.registration.app, requestor: $0.requestor, provider: $0.provider)
            })
    }

    /// The permit that the service has, or may still have from before the restart of passd.
    func permit(_ key: Key, at now: ServerTime, after logouts: UInt64) -> Permit? {
        let login = FormerLogin(app: key.registration.app, requestor: key.requestor, provider: key.provider)
        let unknown = formerLogins.contains(login) ? Permit(logouts: 0) : nil
        guard let permit = permits[key] ?? unknown, permit.logouts == logouts else { return nil }
        return permit.ends.map { now < $0 } ?? true ? permit : nil
    }

    /// Remembers the permit. `permit` is nil if the service has none.
    func note(_ permit: Permit?, _ key: Key) {
        permits.keep(permit, key, until: permit?.ends ?? ServerTime(milliseconds: .min))
    }
}
