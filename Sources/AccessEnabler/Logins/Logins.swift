// The logins of the device: profiles and selections, which are durable; what the service answered under each login,
// which lives as long as the process; and the epochs by which late answers are told from current ones. This type owns
// all of that. It asks nobody anything and tells nobody anything: who calls it does.
// Contract: access-enabler.md §7.1, §9, §12.

@EngineActor final class Logins {
    let memory: Memory
    let epochs = Epochs()
    let questions = ProfileQuestions()
    private let context: EngineContext
    private var answers: [ProfileKey: AnswerCache] = [:]
    /// Requestors whose logins belonged to another device, and whose apps have not heard of it yet.
    private var sanitized: Set<RequestorID>
    /// A viewer has just logged in there; called before the login is written down.
    var onAdoption: (ProfileKey) -> Void = { _ in }

    init(_ context: EngineContext, _ memory: Memory, sanitized: Set<RequestorID>) {
        self.context = context
        self.memory = memory
        self.sanitized = sanitized
    }

    var contents: VaultContents { memory.contents }

    /// Whether the requestor's logins were lost with the device's identity; it is said once.

    /// Contract: access-enabler.md §10.
    func takeSanitizedNotice(of requestor: RequestorID) -> Bool { sanitized.remove(requestor) != nil }

    // MARK: Who is logged in

    func selection(of requestor: RequestorID) -> Selection? { contents.selections[requestor] }

    /// The login that this requestor's viewers have now, if it is good. Contract: access-enabler.md §7.1, §9.2, OQ-9.
    func login(of key: LoginKey) -> Profile? {
        selection(of: key.requestor).flatMap { profile(at: key.profileKey(at: $0.provider.id)) }
    }

    /// The profile that is stored there, if it is good.
    func profile(at key: ProfileKey) -> Profile? {
        guard let profile = contents.profiles[key], context.now < profile.notAfter else { return nil }
        return profile
    }

    /// All good logins of the requestor.
    func profiles(of key: LoginKey) -> [Profile] {
        profileKeys(of: key).compactMap(profile(at:)).sorted { $0.provider < $1.provider }
    }

    /// Of all stored profiles of the requestor, good or not.
    func profileKeys(of key: LoginKey) -> [ProfileKey] { contents.profiles.keys.filter { $0.login == key } }

    /// The selected provider is a temporary pass whose time is over. Contract: access-enabler.md §7.1, §16.1.
    func hasUsedUpPass(_ key: LoginKey) -> Bool {
        guard let selection = selection(of: key.requestor), selection.provider.isTempPass else { return false }
        // The service may have dropped it already: it was good once, and nobody logged out since.
        let profile = contents.profiles[key.profileKey(at: selection.provider.id)]
        return profile.map { $0.notAfter <= context.now } ?? selection.canAuthenticate
    }

    /// There is a login, and its time is over. Contract: access-enabler.md §14.2.
    func hasEndedLogin(_ key: LoginKey) -> Bool {
        guard let provider = selection(of: key.requestor)?.provider else { return false }
        return contents.profiles[key.profileKey(at: provider.id)].map { $0.notAfter <= context.now } ?? false
    }

    /// Nobody logged out or backed out while the login was being written down.
    func isKept(_ provider: ProviderID, for key: LoginKey) -> Bool {
        contents.profiles[key.profileKey(at: provider)] != nil
            && selection(of: key.requestor)?.provider.id == provider
    }

    /// What is known of a provider without asking anybody.
    func knownProvider(_ id: ProviderID, for key: LoginKey) -> Provider {
        if let own = selection(of: key.requestor)?.provider, own.id == id { return own }
        let known = contents.selections.values.map(\.provider).first { $0.id == id }
        return known ?? Provider(id: id, displayName: id.rawValue, logoURL: "")
    }

    // MARK: What was answered under a login

    func answers(under key: ProfileKey) -> AnswerCache? { answers[key] }

    func remember(under key: ProfileKey, _ change: (inout AnswerCache) -> Void) {
        change(&answers[key, default: AnswerCache()])
    }

    /// Forgets that a decision was a permit, where anything is remembered at all.
    func forgetEnd(of resource: ResourceID, under key: ProfileKey) { answers[key]?.remember(resource, until: nil) }

    /// The login has ended, or is another viewer's: what was answered under it is forgotten, and questions that are
    /// under way for the requestor are withdrawn.
    func endAnswers(under key: ProfileKey) {
        answers[key] = nil
        epochs.endEpoch(of: key.login)
    }

    // MARK: Logins come and go

    /// A login that the viewer has just made: it is selected, remembered and durable when this returns, and a logout of
    /// it that the service had not heard of yet is out of date. Contract: access-enabler.md §9.5, §12, OQ-13.
    /// Whether the requestor's viewers were not logged in before.
    @discardableResult func adopt(
        _ profile: Profile, for key: LoginKey, closing code: RegistrationCode? = nil
    ) async -> Bool {
        let isNew = login(of: key) == nil
        let profileKey = key.profileKey(at: profile.provider)
        let selection = Selection(provider: knownProvider(profile.provider, for: key), canAuthenticate: true)
        var changes: [VaultChange] = [
            .profile(profileKey, profile), .selection(key.requestor, selection), .tombstone(profileKey, false),
        ]
        if !context.service(of: key.registration).traits.multipleProfiles {
            for other in profileKeys(of: key) where other != profileKey {
                changes.append(.profile(other, nil))
                answers[other] = nil
            }
        }
        if let code, contents.openLogins[key]?.code == code { changes.append(.openLogin(key, nil)) }
        if contents.profiles[profileKey] != profile { endAnswers(under: profileKey) }
        onAdoption(profileKey)
        await memory.commit(changes)
        return isNew
    }

    /// The end of a login. One of the platform's is the platform's to renew: its provider is nobody's choice of another
    /// way. Contract: access-enabler.md §17.5, open-questions.md OQ-5.
    func changesToEnd(_ key: ProfileKey) -> [VaultChange] {
        let end = VaultChange.profile(key, nil)
        guard contents.profiles[key]?.kind == .appleSSO, var selection = selection(of: key.requestor),
            selection.provider.id == key.provider
        else { return [end] }
        selection.canAuthenticate = false
        return [end, .selection(key.requestor, selection)]
    }
}

extension Profile {
    var userID: MetadataValue? { attributes["userID"]?.value }
}
