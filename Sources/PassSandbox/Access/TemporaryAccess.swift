// Access without a subscription: by a temporary pass, or during a degradation rule that admits everyone. A degradation rule
// answers in place of a provider that has failed. A temporary pass limits the time and possibly the number of titles. The time
// begins with the first authorization, and continues even if the viewer does not watch. Contract: rest-v2.md §13, rest-v1.md
// §9.3.

import PassJSON

/// The keys of the records about the use of a temporary pass (`Trial`). There is a key for the device. With a promotional pass,
/// there is also a key for the person.
struct TrialKeys: Sendable {
    let device: String
    let person: String?

    init(_ owner: Owner, _ provider: Provider, person: String?) {
        device = rowKey(owner.serviceProvider, provider.id, "device", owner.device)
        self.person = person.map { rowKey(owner.serviceProvider, provider.id, "person", $0) }
    }

    /// The viewer's id for apps.
    var user: String { "temppass_" + hexadecimal(sha256((person ?? device).utf8).prefix(8)) }
}

extension World {
    func trialKeys(_ pass: TempPass, provider: Provider, owner: Owner, call: Call) throws(Refusal) -> TrialKeys {
        guard let promotion = pass.promotion else { return TrialKeys(owner, provider, person: nil) }
        guard let header = call.request.header("AP-TempPass-Identity"), header.utf8.count <= 4096,
            let identity = decodeBase64(header).flatMap({ person(in: $0, promotion) })
        else { throw .enhanced(.invalidHeaderTempPassIdentity) }
        return TrialKeys(owner, provider, person: identity)
    }

    /// The person named in a JSON object. With `strict`, the name must be a SHA-2 digest in hexadecimal, such as the digest of
    /// an e-mail address.
    private func person(in object: [UInt8], _ promotion: TempPass.Promotion) -> String? {
        guard let person = (try? JSONReader.read(object))?[promotion.identityKey]?.string,
            (1...512).contains(person.utf8.count)
        else { return nil }
        let isDigest = [56, 64, 96, 128].contains(person.utf8.count) && person.allSatisfy(\.isHexDigit)
        return isDigest || !settings.strict ? person : nil
    }

    /// The record about the use of the pass: the person's record if there is one, otherwise the device's record.
    func trial(_ keys: TrialKeys) -> (key: String, trial: Trial)? {
        for key in [keys.person, keys.device].compactMap(\.self) {
            guard let first = state.trials[key] else { continue }
            let root = first.continues ?? key
            if let trial = state.trials[root] { return (root, trial) }
        }
        return nil
    }

    /// The reason why the pass cannot be used now; nil if the pass is usable.
    func exhaustion(_ pass: TempPass, _ trial: Trial?, at now: Instant) -> ErrorCode? {
        guard let trial else { return nil }
        if now >= trial.ends { return .tempPassDurationExceeded }
        if let promotion = pass.promotion, trial.titles.count >= promotion.titles { return .tempPassResourcesExceeded }
        return nil
    }

    /// The profile that a temporary pass gives, for P2 and P3.
    func temporaryProfile(
        _ pass: TempPass, provider: Provider, owner: Owner, call: Call
    ) throws(Refusal) -> JSONValue {
        let keys = try trialKeys(pass, provider: provider, owner: owner, call: call)
        let trial = trial(keys)?.trial
        if let code = exhaustion(pass, trial, at: call.now) { throw .enhanced(code) }
        let begins = trial?.begins ?? call.now
        let ends = trial?.ends ?? call.now + pass.lifetime.milliseconds
        return [
            "notBefore": .int(begins), "notAfter": .int(ends), "issuer": "Adobe", "type": "temporary",
            "attributes": .object(
                trialAttributes(pass, keys: keys, trial: trial, ends: ends).map {
                    .init($0.name, ["value": $0.value, "state": "plain"])
                }),
        ]
    }

    /// The user metadata of a viewer with a temporary pass.
    func trialAttributes(_ pass: TempPass, keys: TrialKeys, trial: Trial?, ends: Instant) -> [JSONObject.Member] {
        let general: [JSONObject.Member] = [
            .init("userID", .string(keys.user)), .init("expiration_date", .int(ends)),
        ]
        guard let promotion = pass.promotion else { return general }
        let titles = trial?.titles ?? []
        return general + [
            .init("remaining_resources", .int(Int64(promotion.titles - titles.count))),
            .init("used_assets", .array(titles.map(JSONValue.string))),
        ]
    }

    /// D1: uses the pass for a title. The first use starts the time of the pass.
    mutating func useTemporaryPass(
        _ pass: TempPass, _ keys: TrialKeys, title: String, at now: Instant
    ) -> Result<Trial, DecisionError> {
        var (key, trial) =
            trial(keys)
            ?? (keys.person ?? keys.device, Trial(begins: now, ends: now + pass.lifetime.milliseconds))
        if !trial.titles.contains(title) {
            if let code = exhaustion(pass, trial, at: now) { return .failure(DecisionError(code: code)) }
            if pass.promotion != nil { trial.titles.append(title) }
        } else if now >= trial.ends {
            return .failure(DecisionError(code: .tempPassDurationExceeded))
        }
        state.trials[key] = trial
        for other in [keys.person, keys.device].compactMap(\.self) where other != key && state.trials[other] == nil {
            var link = trial
            link.titles = []
            link.continues = key
            state.trials[other] = link
        }
        return .success(trial)
    }
}

// Logins without any proof: by a temporary pass, or during a rule that admits everyone. Contract: rest-v1.md §6.4, §9.

/// An address that is always allowed as the target of a redirect. Contract: rest-v1.md §6.4.
let registeredEverywhere = "adobepass://ios.app"

extension World {
    /// Logs in the device of the code immediately.
    mutating func admitWithoutLogin(_ session: Session, _ provider: Provider, at now: Instant) {
        finish(session, with: unprovenLogin(session.owner, provider, person: session.registration?.person, at: now))
    }

    /// Makes the login. With a temporary pass, the login ends when the time of the pass ends. If the pass is used up, the login
    /// has already expired.
    func unprovenLogin(_ owner: Owner, _ provider: Provider, person: String?, at now: Instant) -> Profile {
        func profile(_ user: String, ends: Instant, source: Profile.Source) -> Profile {
            Profile(owner, mvpd: provider.id, user: user, begins: now, ends: ends, source: source)
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

    /// The person with a promotional pass, from `generic_data`. Contract: rest-v1.md §9.2, open-questions.md OQ-46.
    func person(_ parameters: Parameters, _ provider: Provider) throws(Refusal) -> String? {
        guard let promotion = provider.tempPass?.promotion, let text = parameters["generic_data"] else { return nil }
        guard text.utf8.count <= 4096, let person = person(in: Array(text.utf8), promotion) else {
            throw .v1(.wrong("generic_data"))
        }
        return person
    }
}
