// Logins without any proof: by a temporary pass, or while a rule admits everyone. Contract: rest-v1.md §6.4, §9.

import PassJSON

/// The address that browsers may always be sent back to. Contract: rest-v1.md §6.4.
let registeredEverywhere = "adobepass://ios.app"

extension World {
    /// Logs the code's device in at once.
    mutating func admitWithoutLogin(_ session: Session, _ provider: Provider, at now: Instant) {
        finish(session, with: unprovenLogin(Owner(session), provider, person: session.registration?.person, at: now))
    }

    /// The login. A pass that was never used has its whole time left; a pass that is used up makes a login that has
    /// expired.
    func unprovenLogin(_ owner: Owner, _ provider: Provider, person: String?, at now: Instant) -> Profile {
        func profile(_ user: String, ends: Instant, source: Profile.Source) -> Profile {
            Profile(
                client: owner.client, device: owner.device, serviceProvider: owner.serviceProvider,
                mvpd: provider.id, user: user, begins: now, ends: ends, source: source)
        }
        guard let pass = provider.tempPass else {
            return profile(
                degradedUser(owner, provider), ends: now + settings.degradedLifetime.milliseconds, source: .degraded)
        }
        let keys = TrialKeys(owner, provider, person: person)
        let trial = trial(keys)?.trial
        var ends = trial?.ends ?? now + pass.lifetime.milliseconds
        if exhaustion(pass, trial, at: now) != nil { ends = min(ends, now) }
        return profile(keys.user, ends: ends, source: .temporary)
    }

    /// The person that a promotional pass is for, from `generic_data`. Contract: rest-v1.md §9.2,
    /// open-questions.md OQ-46.
    func person(_ parameters: Parameters, _ provider: Provider) throws(Refusal) -> String? {
        guard let promotion = provider.tempPass?.promotion, let text = parameters["generic_data"] else { return nil }
        guard text.utf8.count <= 4096, let value = try? JSONValue.read(text),
            let person = value[promotion.identityKey]?.string, (1...512).contains(person.utf8.count),
            !settings.strict || isDigest(person)
        else { throw .v1(.wrong("generic_data")) }
        return person
    }
}
