// The logins of the device. This type owns the profiles and selections, which are durable; what the service answered
// under each login, which is kept in memory only; and the epochs that separate late answers from current ones. It calls
// neither the service nor the apps; its callers do. Contract: access-enabler.md §7.1, §9, §12.

@EngineActor final class Logins {
    let memory: Memory
    let epochs = Epochs()
    let questions = ProfileQuestions()
    private let context: EngineContext
    private var answers: [ProfileKey: AnswerCache] = [:]
    /// Requestors whose logins belonged to another device, and whose apps have not heard of it yet.
    private var sanitized: Set<RequestorID>
    /// Called with the login that a viewer has just made, before it is stored.
    var onAdoption: (ProfileKey) -> Void = { _ in }

    init(_ context: EngineContext, _ memory: Memory, sanitized: Set<RequestorID>) {
        self.context = context
        self.memory = memory
        self.sanitized = sanitized
    }

    var contents: VaultContents { memory.contents }

    /// Whether the requestor's logins were lost with the device's identity. True only once. Contract:
    /// access-enabler.md §10.
    func takeSanitizedNotice(of requestor: RequestorID) -> Bool { sanitized.remove(requestor) != nil }

    // MARK: Who is logged in

    func selection(of requestor: RequestorID) -> Selection? { contents.selections[requestor] }

    /// The requestor's current login: the one with the selected provider, if it is valid. Contract:
    /// access-enabler.md §7.1, §9.2, OQ-9.
    func login(of key: LoginKey) -> Profile? {
        selection(of: key.requestor).flatMap { profile(at: key.profileKey(at: $0.provider.id)) }
    }

    /// The profile that is stored under this key, if it is valid.
    func profile(at key: ProfileKey) -> Profile? {
        guard let profile = contents.profiles[key], context.now < profile.notAfter else { return nil }
        return profile
    }

    /// All valid logins of the requestor.
    func profiles(of key: LoginKey) -> [Profile] {
        profileKeys(of: key).compactMap(profile(at:)).sorted { $0.provider < $1.provider }
    }

    /// The keys of all stored profiles of the requestor, valid or not.
    func profileKeys(of key: LoginKey) -> [ProfileKey] { contents.profiles.keys.filter { $0.login == key } }

    /// The selected provider is a temporary pass that has expired. Contract: access-enabler.md §7.1, §16.1.
    func hasUsedUpPass(_ key: LoginKey) -> Bool {
        guard let selection = selection(of: key.requestor), selection.provider.isTempPass else { return false }
        // Without a stored profile, `canAuthenticate` tells that the pass was valid once and nobody has logged out
        // since.
        let profile = contents.profiles[key.profileKey(at: selection.provider.id)]
        return profile.map { $0.notAfter <= context.now } ?? selection.canAuthenticate
    }

    /// There is a login, and it has expired. Contract: access-enabler.md §14.2.
    func hasEndedLogin(_ key: LoginKey) -> Bool {
        guard let provider = selection(of: key.requestor)?.provider else { return false }
        return contents.profiles[key.profileKey(at: provider.id)].map { $0.notAfter <= context.now } ?? false
    }

    /// Whether the login is still there after it was stored: nobody logged out or cancelled meanwhile.
    func isKept(_ provider: ProviderID, for key: LoginKey) -> Bool {
        contents.profiles[key.profileKey(at: provider)] != nil
            && selection(of: key.requestor)?.provider.id == provider
    }

    /// A provider's description, as far as it is known without asking the service.
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

    /// Forgets how long a permit of this resource holds.
    func forgetEnd(of resource: ResourceID, under key: ProfileKey) { answers[key]?.remember(resource, until: nil) }

    /// The login has ended or belongs to another viewer: forgets what was answered under it, and cancels the
    /// requestor's questions that are under way.
    func endAnswers(under key: ProfileKey) {
        answers[key] = nil
        epochs.endEpoch(of: key.login)
    }

    // MARK: Logins come and go

    /// Stores a login that the viewer has just made, and selects its provider; both are durable on return. An
    /// undelivered logout of the same login is dropped. Returns whether the requestor had no login before. Contract:
    /// access-enabler.md §9.5, §12, OQ-13.
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

    /// The changes that end a login. If it came from the platform, the selection no longer skips the picker, so that
    /// the platform can renew the login. Contract: access-enabler.md §17.5, open-questions.md OQ-5.
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
