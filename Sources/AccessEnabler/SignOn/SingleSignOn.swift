// Makes a login in one app count for the other apps of the box. The service decides for which requestors a login counts. This
// type asks the service, and applies the answers to `Logins`. The `Audience` then tells the sessions at once. This type owns no
// logins itself. rpc.md §5; contract: access-enabler.md §6.1 item 6, OQ-2; rest-v2.md §12.1, §18.1.

import PassProtocol

@EngineActor final class SingleSignOn {
    private static let pauseBetweenQuestions = Duration.seconds(60)

    let context: EngineContext
    let logins: Logins
    private let audience: Audience
    private let logoutDelivery: LogoutDelivery
    /// When the service was last asked after an answer from memory.
    private var asked: [LoginKey: BootTime] = [:]

    init(_ context: EngineContext, _ logins: Logins, audience: Audience, logoutDelivery: LogoutDelivery) {
        self.context = context
        self.logins = logins
        self.audience = audience
        self.logoutDelivery = logoutDelivery
    }

    // MARK: Telling other apps of a login

    /// Stores and selects a login that the viewer has just made. Apps with the same requestor and another registration share
    /// the selection, so they are told if the change logs them in or out. Apps with this registration are told by
    /// `announceSoon`.
    @discardableResult func adopt(
        _ profile: Profile, _ details: Provider?, for key: LoginKey, closing login: OpenLogin? = nil
    ) async -> Adoption {
        await audience.tellingChanges(of: key.requestor, except: nil, excepted: key) {
            await logins.adopt(profile, details, for: key, closing: login)
        }
    }

    /// Announces the login to the other apps in a separate task, so that the caller does not wait for the service.
    func announceSoon(_ profile: Profile, of key: LoginKey, _ adoption: Adoption, toldAlready: Set<Int64>) {
        Task { @EngineActor [weak self] in
            await self?.announce(profile, of: key, adoption, toldAlready: toldAlready)
        }
    }

    /// Notifies the sessions of this requestor. Also asks the service about the requestors of other apps, because the login may
    /// count for them, too.
    private func announce(
        _ profile: Profile, of key: LoginKey, _ adoption: Adoption, toldAlready: Set<Int64>
    ) async {
        if adoption != .known { context.publish(.signedIn(nil), key.requestor, profile.provider) }
        await audience.tellLogin(profile, of: key, isNew: adoption == .first, except: toldAlready)
        let others = audience.requestors.subtracting([key])
        for other in others.sorted(by: { $0.requestor < $1.requestor }) where logins.login(of: other) == nil {
            // If the login has already ended, there is nothing to announce.
            guard logins.login(of: key) != nil else { return }
            guard let asker = audience.anyAsker(for: other) else { continue }
            // If the app shows a code, the question is as urgent as a poll, because the viewer waits for a login.
            let showsCode = logins.contents.openLogins[other] != nil
            try? await resync(asker.ranked(showsCode ? .poll : .background), origin: .elsewhere)
        }
    }

    // MARK: Asking the service who is logged in

    /// Whether to ask the service about a login after an answer from memory. Returns true at most once a minute for each
    /// login. If it returns true, the caller has to ask. OQ-2.
    func takeTurnToAsk(about key: LoginKey) -> Bool {
        let now = context.ports.clock.boot
        asked = asked.filter { now < $0.value.advanced(by: Self.pauseBetweenQuestions) }
        guard asked[key] == nil else { return false }
        asked[key] = now
        return true
    }

    /// Asks the service about this requestor's logins, and applies the answer. Throws and changes nothing if the service cannot
    /// be asked. If a provider is selected and a requestor can have several logins (`multipleProfiles`), asks about this
    /// provider first. Asks about all logins only if there is no login with this provider. `loss` is the cause if the service
    /// no longer knows a login. `origin` is the possible origin of a new login. Contract: rest-v2.md §14.
    func resync(
        _ asker: Asker, loss: LoginEndCause = .revoked, origin: LoginOrigin = .unknown, attempts: Int = 3
    ) async throws(BackendFault) {
        let key = asker.key
        await logoutDelivery.deliverWhatIsDue(asker.urgency)
        let epoch = logins.epochs.joint(key)
        let remembered = logins.selection(of: key.requestor)?.provider.id
        let caller = context.caller(for: asker)
        var (list, ended) = try await logins.questions.follow(from: logins.tombstones) {
            () async throws(BackendFault) in
            var list = ProfileList(profiles: [], isComplete: true)
            if let remembered, asker.backend.traits.multipleProfiles {
                do throws(BackendFault) {
                    let found = try await fetchProfiles(.provider(remembered), for: asker, caller)
                    if !found.isEmpty { return ProfileList(profiles: found, isComplete: false) }
                } catch {
                    guard case .refused(let refusal) = error.kind, refusal.meansLapsedIntegration else { throw error }
                    list.lapsed = remembered
                    asker.backend.forgetProviders(caller)
                }
            }
            // The list of all logins may still contain logins with providers that the requestor no longer works with.
            for profile in try await fetchProfiles(.all, for: asker, caller) where profile.provider != list.lapsed {
                if try await hasLapsed(profile, for: asker, caller) {
                    list.lapsed = list.lapsed ?? (profile.provider == remembered ? remembered : nil)
                } else {
                    list.profiles.append(profile)
                }
            }
            return list
        }
        list.ended = ended
        // If the viewer has cancelled since this question, the answer must not sign the app in.
        guard remembered == nil || logins.selection(of: key.requestor) != nil else { return }
        // If there was a login or logout after the question, the answer may be outdated. It may also name a login whose end
        // was reported to the service after the question. Only the next answer shows whether that is a new login.
        let isCurrent = epoch == logins.epochs.joint(key)
        let isAboutTheEnded =
            alive(list.profiles, of: key, ended: ended).count
            != alive(list.profiles, of: key, ended: logins.tombstones).count
        if attempts > 1, !isCurrent || isAboutTheEnded {
            return try await resync(asker, loss: loss, origin: origin, attempts: attempts - 1)
        }
        guard isCurrent else { return }
        await audience.tellingChanges(of: key.requestor, except: nil, reason: loss.reason, origin: origin) {
            await accept(list, for: key, loss: loss)
        }
    }

    /// Tries a silent login, without a step for the viewer. This is for providers that require a login for each requestor: such
    /// a provider may accept the login that the viewer has made for another requestor. A failure changes nothing and is not
    /// reported. Contract: access-enabler.md §11, open-questions.md OQ-14.
    func tryPassiveSignOn(for asker: Asker, whenBegun begun: () -> Void) async {
        let key = asker.key
        guard context.settings.isPassive, logins.login(of: key) == nil else { return }
        let candidates = logins.profiles.keys.filter { other in
            let selected = logins.selection(of: other.requestor)?.provider
            return other.login != key && other.registration.interface == key.registration.interface
                && logins.profile(at: other) != nil && selected?.id == other.provider
                && selected?.loginPerRequestor == true
        }
        guard let provider = candidates.map(\.provider).min() else { return }
        begun()
        let epoch = logins.epochs.joint(key)
        let caller = context.caller(for: asker)
        let heard = try? await logins.questions.follow(from: logins.tombstones) {
            () async throws(BackendFault) in
            try await fetchProfiles(.provider(provider), for: asker, caller)
        }
        guard let (found, ended) = heard, epoch == logins.epochs.joint(key) else { return }
        let list = ProfileList(profiles: found, isComplete: false, ended: ended)
        await audience.tellingChanges(of: key.requestor, except: nil) { await accept(list, for: key) }
    }

    // MARK: Reading metadata again

    /// Reads the metadata after a new authorization, because the provider may then send more data about the viewer. Runs in a
    /// separate task, so that the play does not wait.
    func readMetadataSoon(at provider: ProviderID, for asker: Asker) {
        let key = asker.key.profileKey(at: provider)
        var isDue = false
        logins.remember(under: key) { isDue = $0.metadata.authorized() }
        guard isDue else { return }
        let asker = asker.ranked(.background)
        Task { @EngineActor [weak self] in
            while await self?.readMetadata(at: key, for: asker) == true {}
        }
    }

    /// Reads the metadata, and returns whether to read them once more.
    private func readMetadata(at profileKey: ProfileKey, for asker: Asker) async -> Bool {
        let key = asker.key
        let epoch = logins.epochs.joint(key)
        let caller = context.caller(for: asker)
        let former = logins.profile(at: profileKey)?.attributes
        let heard = try? await logins.questions.follow(from: logins.tombstones) {
            () async throws(BackendFault) in
            try await fetchProfiles(.provider(profileKey.provider), for: asker, caller)
        }
        guard epoch == logins.epochs.joint(key), logins.login(of: key)?.provider == profileKey.provider else {
            return false
        }
        if let (found, ended) = heard {
            let list = ProfileList(profiles: found, isComplete: false, ended: ended)
            await audience.tellingChanges(of: key.requestor, except: nil) { await accept(list, for: key) }
        }
        guard logins.answers(under: profileKey) != nil else { return false }
        let hasNews = heard == nil ? nil : logins.profile(at: profileKey)?.attributes != former
        var isDue = false
        logins.remember(under: profileKey) { isDue = $0.metadata.ended(hasNews: hasNews) }
        return isDue
    }

    /// Returns the profiles without those of logins that have ended here (`ended`), because the service may not know of their
    /// end. A profile by single sign-on comes from a login of another app, so it is removed if any login with its provider has
    /// ended. If the interface does not mark such profiles (`headerSignOn`), each new profile is treated as a profile by single
    /// sign-on. A login that is valid here was made after the logout, so its profile is kept.
    private func alive(_ found: [Profile], of key: LoginKey, ended: Set<ProfileKey>) -> [Profile] {
        let isMarked = context.service(of: key.registration).traits.headerSignOn
        let endedAt = Set(ended.map(\.provider))
        return found.filter { profile in
            let profileKey = key.profileKey(at: profile.provider)
            let isNew = logins.profiles[profileKey] == nil
            return profile.isSignOn || !isMarked && isNew
                ? !endedAt.contains(profile.provider)
                : !ended.contains(profileKey) || logins.profile(at: profileKey) != nil
        }
    }

    private func accept(_ list: ProfileList, for key: LoginKey, loss: LoginEndCause = .revoked) async {
        var list = list
        list.profiles = alive(list.profiles, of: key, ended: list.ended)
        await logins.takeOver(list, loss: loss, for: key)
    }

    // MARK: Logins of the platform and of older storage layouts

    /// Ends the logins that came from the platform, because the viewer has withdrawn the permission or is no longer signed in
    /// there. Contract: access-enabler.md §17.4, §17.7.
    func endPlatformLogins(of key: LoginKey, _ cause: LoginEndCause) async {
        let keys = logins.profileKeys(of: key).filter { logins.profiles[$0]?.kind == .appleSSO }
        guard !keys.isEmpty else { return }
        await audience.tellingChanges(of: key.requestor, except: nil, reason: cause.reason, saying: .signInAgain) {
            await logins.end(keys, cause, by: "the box's TV account")
        }
    }

    /// Ends the login that a forced login has already replaced at the service. The session of the forced login is not
    /// notified. Logins of other requestors with the provider may have ended too, so the service is asked.
    func endReplaced(_ key: ProfileKey, by session: Int64) async {
        if logins.profiles[key] != nil {
            await audience.tellingChanges(of: key.requestor, except: session) { await logins.end([key], .replaced) }
        }
        Task { @EngineActor [weak self] in await self?.askOthers(at: key.provider, besides: key.login, after: .replaced)
        }
    }

    /// Asks the service about the logins of connected apps with this provider.
    private func askOthers(at provider: ProviderID, besides key: LoginKey, after loss: LoginEndCause) async {
        let others = audience.requestors.filter { $0 != key && logins.login(of: $0)?.provider == provider }
        for other in others.sorted(by: { $0.requestor < $1.requestor }) {
            guard let asker = audience.anyAsker(for: other) else { continue }
            try? await resync(asker.ranked(.background), loss: loss)
        }
    }

    /// Imports a login from an older storage layout if there is no valid login. Ignores logins of another device, expired
    /// logins, and logins whose provider is not on the requestor's list. The service is asked immediately afterwards, and its
    /// answer decides. With `resync = off` the service is not asked. In that case the list of providers must be known before a
    /// login is taken, because each login is returned only once. Contract: access-enabler.md §6.1 item 4, §9.2;
    /// open-questions.md OQ-16.
    func importTokens(for asker: Asker) async {
        let key = asker.key
        guard let importer = context.ports.importer, logins.login(of: key) == nil else { return }
        let now = context.now
        let epoch = logins.epochs.joint(key)
        let caller = context.caller(for: asker)
        var providers: [Provider]?
        if !context.settings.resyncs {
            providers = try? await asker.backend.providers(caller)
            guard providers != nil else { return }
        }
        let found = await importer.logins(for: key.requestor).filter { login in
            login.fingerprint == context.device.rawValue && now < login.expires
        }
        guard !found.isEmpty else { return }
        if providers == nil { providers = try? await asker.backend.providers(caller) }
        // Ignores the login if there was a logout during the reading, or if an earlier logout is not reported to the service
        // yet.
        guard epoch == logins.epochs.joint(key), logins.login(of: key) == nil,
            let login = found.first(where: { login in
                !logins.tombstones.contains(key.profileKey(at: login.provider)) && counts(login, among: providers)
            })
        else { return }
        let profile = Profile(
            provider: login.provider, kind: .regular, issuer: login.provider.rawValue, notBefore: now,
            notAfter: login.expires, attributes: [:])
        let details = providers?.first { $0.id == login.provider }
        await audience.tellingChanges(of: key.requestor, except: nil) {
            await logins.importLogin(profile, details, for: key)
        }
    }

    /// Whether the requestor works with the login's provider. If the provider requires a login for each requestor, the login
    /// must be this requestor's. Without a list, the login counts only if the service is asked afterwards (`resyncs`).
    private func counts(_ login: ImportedLogin, among providers: [Provider]?) -> Bool {
        guard let providers, !providers.isEmpty else { return context.settings.resyncs }
        guard let provider = providers.first(where: { $0.id == login.provider }) else { return false }
        return login.requestor != nil || !provider.loginPerRequestor
    }
}

extension Profile {
    /// Whether the login came by single sign-on, and was not made in this app.
    var isSignOn: Bool { kind == .platformSSO || kind == .serviceTokenSSO }
}
