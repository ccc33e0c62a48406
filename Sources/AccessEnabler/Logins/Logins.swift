// Owns the logins of the device. Profiles and selections are durable. The service's answers for each login are in memory only.
// Epochs show whether an answer is still current. The callers of `Logins` make the requests and notify the sessions. Contract:
// access-enabler.md §7.1, §9, §12.

import PassProtocol

@EngineActor final class Logins {
    private let memory: Memory
    let epochs = Epochs()
    let questions = ProfileQuestions()
    let context: EngineContext
    private var answers: [ProfileKey: AnswerCache] = [:]
    /// The expired logins that are still stored and have been reported to the observer.
    private var toldExpired: Set<ProfileKey> = []
    /// The requestors whose logins were removed because the device has changed. Their apps do not know of the removal yet.
    private var sanitized: Set<RequestorID>
    /// Called when a viewer has logged in, before the login is durable. The flag is true if this login makes the report of an
    /// earlier logout unnecessary.
    var onAdoption: (ProfileKey, Bool) -> Void = { _, _ in }

    init(_ context: EngineContext, _ memory: Memory, sanitized: Set<RequestorID>) {
        self.context = context
        self.memory = memory
        self.sanitized = sanitized
    }

    var contents: VaultContents { memory.contents }

    /// Whether the requestor's logins were removed because the device has changed. Returns true only once for each
    /// requestor. Contract: access-enabler.md §10.
    func takeSanitizedNotice(of requestor: RequestorID) -> Bool { sanitized.remove(requestor) != nil }

    // MARK: Answers for a login

    func answers(under key: ProfileKey) -> AnswerCache? { answers[key] }

    func remember(under key: ProfileKey, _ change: (inout AnswerCache) -> Void) {
        change(&answers[key, default: AnswerCache()])
    }

    func noteUse(of key: ProfileKey) { remember(under: key) { $0.used = context.ports.clock.boot } }

    /// Forgets that playing this resource was permitted.
    func forgetEnd(of resource: ResourceID, under key: ProfileKey) { answers[key]?.remember(resource, until: nil) }

    /// Drops the answers for the login, because the login has ended or belongs to another viewer now. Also starts a new epoch
    /// of the requestor, which cancels the requestor's open questions.
    func endAnswers(under key: ProfileKey) {
        answers[key] = nil
        epochs.endEpoch(of: key.login)
    }

    // MARK: Changes. When a method returns, its changes are durable, unless the store has failed. The changes of `learn` and
    // `removeTombstone` become durable later.

    func select(_ selection: Selection?, for requestor: RequestorID) async {
        await memory.commit([.selection(requestor, selection)])
    }

    /// Remembers and selects a login that the viewer has just made. If this login has replaced an earlier login at the service,
    /// the earlier login's logout is no longer reported. `details` describes the provider, if the caller knows more than the
    /// provider's identifier. `login` is the open login that the viewer completed. Contract: access-enabler.md §9.5, §12,
    /// OQ-13.
    @discardableResult func adopt(
        _ profile: Profile, _ details: Provider? = nil, for key: LoginKey, closing login: OpenLogin? = nil
    ) async -> Adoption {
        let adoption = Adoption(of: profile, after: self.login(of: key))
        let profileKey = key.profileKey(at: profile.provider)
        let known = knownProvider(profile.provider, for: key)
        let provider = details.flatMap { $0.id == profile.provider ? $0 : nil } ?? known
        let selection = Selection(provider: provider, canAuthenticate: true)
        var changes: [VaultChange] = [.profile(profileKey, profile), .selection(key.requestor, selection)]
        changes += lapsed(for: key.requestor, at: profile.provider).map { .lapse($0, false) }
        let hasSeveral = context.service(of: key.registration).traits.multipleProfiles
        // The service makes a degraded login while a provider lets everybody watch without signing in. Such a login belongs to
        // no viewer and replaces no login at the service, so the earlier login's logout must still be reported.
        let settlesLogout = adoption != .known && profile.kind != .degraded && login?.leavesLogout != true
        if settlesLogout {
            let settled = contents.tombstones.filter { hasSeveral ? $0 == profileKey : $0.login == key }
            changes += settled.map { .tombstone($0, false) }
            for other in settled where other != profileKey { onAdoption(other, true) }
        }
        var replaced: [ProfileKey] = []
        if !hasSeveral {
            replaced = profileKeys(of: key).filter { $0 != profileKey }
            for other in replaced {
                changes.append(.profile(other, nil))
                answers[other] = nil
            }
        }
        if let login, contents.openLogins[key]?.code == login.code { changes.append(.openLogin(key, nil)) }
        if contents.profiles[profileKey] != profile { endAnswers(under: profileKey) }
        remember(under: profileKey) { $0.confirmed = context.ports.clock.boot }
        noteUse(of: profileKey)
        toldExpired.remove(profileKey)
        onAdoption(profileKey, settlesLogout)
        let ends = self.ends(of: replaced, .replaced)
        await memory.commit(changes)
        ends.forEach(context.publish)
        return adoption
    }

    /// Stores the viewer's metadata from a decision, and keeps the login's other values. Returns all given values except
    /// `userID`, even values that have not changed. Returns nil if there are no values or no such login, or if the login would
    /// exceed a limit. Contract: rest-v2.md D1; ruling 46.
    func learn(
        _ metadata: [String: Profile.Attribute], under key: ProfileKey
    ) async -> [String: Profile.Attribute]? {
        // Leaves out the user ID, because the login decides who the viewer is, and a decision must not change this.
        let news = metadata.filter { $0.key != "userID" }
        guard !news.isEmpty, var profile = contents.profiles[key] else { return nil }
        profile.attributes.merge(news) { $1 }
        guard profile.excess == nil else { return nil }
        if profile != contents.profiles[key] { await memory.commitLater([.profile(key, profile)]) }
        return news
    }

    /// Applies the service's answer about the requestor's logins. If the answer is complete, each login that it leaves out ends
    /// with the cause `loss`. If the requestor no longer works with the selected provider, forgets the selection, so that the
    /// viewer has to choose again.
    func takeOver(_ list: ProfileList, loss: LoginEndCause, for key: LoginKey) async {
        let (lost, former) = (list.lapsed, login(of: key))
        let keys = Set(list.profiles.map { key.profileKey(at: $0.provider) })
        let found = list.profiles.map { $0.keepingFacts(of: contents.profiles[key.profileKey(at: $0.provider)]) }
        var changes = found.map { VaultChange.profile(key.profileKey(at: $0.provider), $0) }
        changes += found.flatMap { lapsed(for: key.requestor, at: $0.provider) }.map { .lapse($0, false) }
        if let lost { changes.append(.lapse(key.profileKey(at: lost), true)) }
        // If a login now belongs to another viewer, the answers for the earlier viewer must not be used.
        for profile in found {
            let profileKey = key.profileKey(at: profile.provider)
            guard let former = contents.profiles[profileKey], former.userID != profile.userID else { continue }
            endAnswers(under: profileKey)
        }
        for key in keys { remember(under: key) { $0.confirmed = context.ports.clock.boot } }
        let known = keys.filter { profile(at: $0) != nil }
        toldExpired.subtract(keys)
        let ended = list.isComplete ? profileKeys(of: key).filter { !keys.contains($0) } : []
        for lost in ended {
            changes += changesToEnd(lost)
            endAnswers(under: lost)
        }
        let ends = self.ends(of: ended, loss)
        let selected = selection(of: key.requestor)?.provider.id
        if let lost, lost == selected { changes.append(.selection(key.requestor, nil)) }
        if let best = found.max(by: { $0.end < $1.end }), !found.contains(where: { $0.provider == selected }) {
            let selection = Selection(provider: knownProvider(best.provider, for: key), canAuthenticate: true)
            changes.append(.selection(key.requestor, selection))
        }
        // While a code is on a screen, a new login most likely comes from this code.
        let isOwn = contents.openLogins[key] != nil
        await memory.commit(changes)
        ends.forEach(context.publish)
        let begun = former == nil ? login(of: key).map { key.profileKey(at: $0.provider) } : nil
        for profileKey in keys.sorted(by: { $0.provider < $1.provider }) {
            guard !known.contains(profileKey) || profileKey == begun, let login = profile(at: profileKey) else {
                continue
            }
            context.publish(EngineEvent(.signedIn(isOwn && !login.isSignOn ? nil : .sso), profileKey))
        }
    }

    /// Ends a login whose provider no longer works with the requestor. If this provider is selected, erases the selection.
    func endLapsed(_ key: ProfileKey) async {
        var changes = [VaultChange.profile(key, nil), .lapse(key, true)]
        if selection(of: key.requestor)?.provider.id == key.provider { changes.append(.selection(key.requestor, nil)) }
        await end([key], .revoked, with: changes)
    }

    /// Imports and selects a login of an older storage layout. `details` describes the provider, if known.
    func importLogin(_ profile: Profile, _ details: Provider?, for key: LoginKey) async {
        let provider = details ?? knownProvider(profile.provider, for: key)
        let selection = Selection(provider: provider, canAuthenticate: true)
        await memory.commit([
            .profile(key.profileKey(at: profile.provider), profile), .selection(key.requestor, selection),
        ])
        context.publish(.signedIn(nil), key.requestor, profile.provider)
    }

    /// Ends logins, drops the answers for them, and commits `changes`. If `changes` is nil, commits `changesToEnd`, which is
    /// for logins that the service or the platform no longer accepts.
    func end(
        _ keys: some Collection<ProfileKey>, _ cause: LoginEndCause, by: String? = nil,
        with changes: [VaultChange]? = nil
    ) async {
        for key in keys { endAnswers(under: key) }
        let ends = self.ends(of: keys, cause, by: by)
        await memory.commit(changes ?? keys.flatMap(changesToEnd))
        ends.forEach(context.publish)
    }

    /// Records a logout for logins on a disk that cannot be read now. These logins end as soon as passd has read them.
    func endUnread(tellingService: Bool, _ isMeant: @escaping (ProfileKey) -> Bool) {
        memory.endUnreadLogins(tellingService: tellingService, isMeant)
    }

    /// The events for the end of these logins. For an expired login, the event has the cause `.expired` instead of `cause`.
    /// This event is published only once.
    private func ends(of keys: some Sequence<ProfileKey>, _ cause: LoginEndCause, by: String? = nil) -> [EngineEvent] {
        keys.sorted { ($0.requestor, $0.provider) < ($1.requestor, $1.provider) }.compactMap { key in
            guard let profile = contents.profiles[key] else { return nil }
            guard !context.hasEnded(profile) else {
                return toldExpired.remove(key) == nil ? EngineEvent(.signedOut(.expired), key) : nil
            }
            return EngineEvent(.signedOut(cause, by: by), key)
        }
    }

    /// Reports the logins that are missing in a backup. The backup will replace the store; this method changes nothing.
    func tellEnds(besides imported: [ProfileKey: Profile], by: String) {
        let lost = contents.profiles.filter { !(imported[$0.key]?.isSameLogin(as: $0.value) ?? false) }
        ends(of: lost.keys, .store, by: by).forEach(context.publish)
    }

    /// Reports that a login has expired, if this was not reported before.
    func tellExpiry(of key: ProfileKey) {
        guard toldExpired.insert(key).inserted else { return }
        context.publish(EngineEvent(.signedOut(.expired), key))
    }

    /// Removes a logout that the service now knows. The removal is written with the next change, or within seconds. If
    /// the power fails first, the logout is reported again. This does no harm: if a login had been made in between, its commit
    /// would have written the removal.
    func removeTombstone(_ key: ProfileKey) async { await memory.commitLater([.tombstone(key, false)]) }

    func hasSaved(_ changes: [VaultChange]) -> Bool { memory.hasSaved(changes) }

    var isStoreWorking: Bool { memory.fault == nil }

    /// The changes that end a login. The provider of a login from the platform is no longer remembered, because the next login
    /// must start at the platform. Contract: access-enabler.md §17.5, open-questions.md OQ-5.
    private func changesToEnd(_ key: ProfileKey) -> [VaultChange] {
        let end = VaultChange.profile(key, nil)
        guard contents.profiles[key]?.kind == .appleSSO, var selection = selection(of: key.requestor),
            selection.provider.id == key.provider
        else { return [end] }
        selection.canAuthenticate = false
        return [end, .selection(key.requestor, selection)]
    }
}

/// How the viewer's new login relates to the requestor's former login.
enum Adoption: Sendable {
    /// There was no login.
    case first
    /// There was another login.
    case another
    /// The login was already found by a question to the service, and was reported.
    case known

    init(of profile: Profile, after former: Profile?) {
        self = former.map { profile.isSameLogin(as: $0) ? .known : .another } ?? .first
    }
}
