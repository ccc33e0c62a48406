// Owns the logins of the device: profiles and selections, which are durable; the service's answers under each login,
// which are kept in memory; and the epochs that show whether an answer is still current. It makes no requests and tells
// no session; its callers do. Contract: access-enabler.md §7.1, §9, §12.

@EngineActor final class Logins {
    let memory: Memory
    let epochs = Epochs()
    let questions = ProfileQuestions()
    private let context: EngineContext
    private var answers: [ProfileKey: AnswerCache] = [:]
    /// Requestors whose logins were removed because the device has changed, and whose apps have not been told yet.
    private var sanitized: Set<RequestorID>
    /// Called when a viewer has logged in, before the login is durable.
    var onAdoption: (ProfileKey) -> Void = { _ in }

    init(_ context: EngineContext, _ memory: Memory, sanitized: Set<RequestorID>) {
        self.context = context
        self.memory = memory
        self.sanitized = sanitized
    }

    var contents: VaultContents { memory.contents }

    /// Whether the requestor's logins were removed because the device has changed. True only once for each requestor.
    /// Contract: access-enabler.md §10.
    func takeSanitizedNotice(of requestor: RequestorID) -> Bool { sanitized.remove(requestor) != nil }

    // MARK: Who is logged in

    func selection(of requestor: RequestorID) -> Selection? { contents.selections[requestor] }

    /// The valid login that this requestor's viewers use now. Contract: access-enabler.md §7.1, §9.2, OQ-9.
    func login(of key: LoginKey) -> Profile? {
        selection(of: key.requestor).flatMap { profile(at: key.profileKey(at: $0.provider.id)) }
    }

    /// The profile that is stored there, if it is valid.
    func profile(at key: ProfileKey) -> Profile? {
        guard let profile = contents.profiles[key], context.now < profile.notAfter else { return nil }
        return profile
    }

    /// All valid logins of the requestor, by provider.
    func profiles(of key: LoginKey) -> [Profile] {
        profileKeys(of: key).compactMap(profile(at:)).sorted { $0.provider < $1.provider }
    }

    /// The keys of all stored profiles of the requestor, valid or not.
    func profileKeys(of key: LoginKey) -> [ProfileKey] { contents.profiles.keys.filter { $0.login == key } }

    /// Whether the selected provider is a temporary pass that has ended. Contract: access-enabler.md §7.1, §16.1.
    func hasUsedUpPass(_ key: LoginKey) -> Bool {
        guard let selection = selection(of: key.requestor), selection.provider.isTempPass else { return false }
        // The profile may be gone already. Then the pass counts as used up if it was valid once and nobody has logged
        // out since.
        let profile = contents.profiles[key.profileKey(at: selection.provider.id)]
        return profile.map { $0.notAfter <= context.now } ?? selection.canAuthenticate
    }

    /// Whether the selected provider has a login that has ended. Contract: access-enabler.md §14.2.
    func hasEndedLogin(_ key: LoginKey) -> Bool {
        guard let provider = selection(of: key.requestor)?.provider else { return false }
        return contents.profiles[key.profileKey(at: provider.id)].map { $0.notAfter <= context.now } ?? false
    }

    /// Whether the login is still there and selected after a commit, during which somebody may have logged out or
    /// cancelled.
    func isKept(_ provider: ProviderID, for key: LoginKey) -> Bool {
        contents.profiles[key.profileKey(at: provider)] != nil
            && selection(of: key.requestor)?.provider.id == provider
    }

    /// What is known of a provider without a request to the service; at least its identifier.
    func knownProvider(_ id: ProviderID, for key: LoginKey) -> Provider {
        if let own = selection(of: key.requestor)?.provider, own.id == id { return own }
        let known = contents.selections.values.map(\.provider).first { $0.id == id }
        return known ?? Provider(id: id, displayName: id.rawValue, logoURL: "")
    }

    // MARK: Answers under a login

    func answers(under key: ProfileKey) -> AnswerCache? { answers[key] }

    func remember(under key: ProfileKey, _ change: (inout AnswerCache) -> Void) {
        change(&answers[key, default: AnswerCache()])
    }

    /// Forgets that playing this resource was permitted.
    func forgetEnd(of resource: ResourceID, under key: ProfileKey) { answers[key]?.remember(resource, until: nil) }

    /// Ends an epoch, because the login has ended or belongs to another viewer now: its answers are forgotten, and open
    /// questions of the requestor are cancelled.
    func endAnswers(under key: ProfileKey) {
        answers[key] = nil
        epochs.endEpoch(of: key.login)
    }

    // MARK: Changes

    /// Remembers and selects a login that the viewer has just made. It is durable when this returns, unless the store
    /// has failed. A logout of the same login that is still to be reported to the service is dropped. Returns whether
    /// the requestor had no valid login before. Contract: access-enabler.md §9.5, §12, OQ-13.
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

    /// The changes that end a login. If it came from the platform, the next login must start at the platform again, so
    /// its provider no longer skips that. Contract: access-enabler.md §17.5, open-questions.md OQ-5.
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
