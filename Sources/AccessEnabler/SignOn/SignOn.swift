// One login for all apps of the box: what another session would be told about its login changes, and it hears so at
// once. The service decides whose login it is; nobody is signed in because a neighbour is. rpc.md §5;
// contract: access-enabler.md §6.1 item 6, OQ-2; rest-v2.md §12.1, §18.1.

extension Engine {
    /// After a login in one app: the others' requestors are asked for at the service.
    private func announce(_ profile: Profile, from key: LoginKey, isNew: Bool, toldAlready: Set<Int64>) async {
        tell(.authentication(key.requestor, profile.provider, isAuthenticated: true, nil))
        for session in ready(key) where !toldAlready.contains(session.number) && (isNew || session.flow.isOpen) {
            guard login(of: key) != nil else { return }
            await session.signedOn(profile)
        }
        let others = Set(sessions.values.compactMap { $0.standing?.key }).subtracting([key])
        for other in others.sorted(by: { $0.requestor < $1.requestor }) where login(of: other) == nil {
            // Over already: nobody hears of it any more.
            guard login(of: key) != nil else { return }
            guard let standing = ready(other).first?.standing else { continue }
            guard (try? await resync(standing)) != nil, let profile = login(of: other) else { continue }
            tell(.authentication(other.requestor, profile.provider, isAuthenticated: true, .sso))
        }
    }

    /// Does something that may change what sessions of the requestor would be told about their login, and tells those
    /// for whom it did, but not the one that asked for it. rpc.md §5.
    func telling<Outcome>(
        _ requestor: RequestorID, except session: Session?, _ change: () async -> Outcome
    ) async -> Outcome {
        let keys = Set(sessions.values.compactMap { $0.standing?.key }).filter { $0.requestor == requestor }
        let before = keys.filter { login(of: $0) != nil }
        let outcome = await change()
        for key in keys.sorted(by: { $0.registration.app < $1.registration.app }) {
            let after = login(of: key)
            guard before.contains(key) != (after != nil) else { continue }
            for other in ready(key) where other !== session {
                // Changed again, and somebody else tells them.
                guard (login(of: key) != nil) == (after != nil) else { break }
                if let after { await other.signedOn(after) } else { await other.loggedOut() }
            }
        }
        return outcome
    }

    /// Without keeping the caller waiting for what the service says about others.
    func announceSoon(_ profile: Profile, from key: LoginKey, isNew: Bool, toldAlready: Set<Int64>) {
        Task { @EngineActor [weak self] in
            await self?.announce(profile, from: key, isNew: isNew, toldAlready: toldAlready)
        }
    }

    /// Sessions of this requestor that may ask.
    func ready(_ key: LoginKey) -> [Session] {
        sessions.values.filter { $0.standing?.key == key }.sorted { $0.number < $1.number }
    }

    /// What the service knows of this requestor's logins becomes what we know. Throws if it cannot be asked, and then
    /// nothing changes. Contract: rest-v2.md §14: an empty list alone is no logout while a provider is remembered.
    func resync(_ standing: Standing, attempts: Int = 3) async throws(BackendFault) {
        let key = standing.key
        await tellOfLogouts()
        let epoch = epochs.joint(key)
        let remembered = memory.contents.selections[key.requestor]?.provider.id
        let caller = caller(standing, deadline: deadline(settings.callDeadline))
        let (answer, ended) = try await inquiries.follow(from: memory.contents.tombstones) {
            () async throws(BackendFault) in
            if let remembered, standing.backend.traits.multipleProfiles {
                let found = try await profiles(.provider(remembered), standing, caller)
                if !found.isEmpty { return (found: found, isComplete: false) }
            }
            return (found: try await profiles(.all, standing, caller), isComplete: true)
        }
        // Somebody logged in or out meanwhile: the answer may be older than that. It may also name what has ended since,
        // and the service has heard so: its next answer says whether that is a new login.
        let isCurrent = epoch == epochs.joint(key)
        let isAboutTheEnded =
            alive(answer.found, key, ended).count != alive(answer.found, key, memory.contents.tombstones).count
        if attempts > 1, !isCurrent || isAboutTheEnded { return try await resync(standing, attempts: attempts - 1) }
        guard isCurrent else { return }
        await telling(key.requestor, except: nil) {
            await take(answer.found, key, ended, isComplete: answer.isComplete)
        }
    }

    /// A provider that wants a login for each requestor has a viewer who logged in for another one: it may let this one in
    /// without a word. Quietly, whatever comes of it. Contract: access-enabler.md §11, open-questions.md OQ-14.
    func tryPassively(_ standing: Standing, _ begins: () -> Void) async {
        guard settings.isPassive, login(of: standing.key) == nil else { return }
        let candidates = memory.contents.profiles.keys.filter { place in
            place.login != standing.key && profile(place) != nil
                && memory.contents.selections[place.requestor]?.provider.id == place.provider
                && memory.contents.selections[place.requestor]?.provider.loginPerRequestor == true
        }
        guard let provider = candidates.map(\.provider).min() else { return }
        begins()
        let epoch = epochs.joint(standing.key)
        let caller = caller(standing, deadline: deadline(settings.callDeadline))
        let heard = try? await inquiries.follow(from: memory.contents.tombstones) { () async throws(BackendFault) in
            try await profiles(.provider(provider), standing, caller)
        }
        guard let (found, ended) = heard, epoch == epochs.joint(standing.key) else { return }
        await telling(standing.key.requestor, except: nil) { await take(found, standing.key, ended, isComplete: false) }
    }

    /// The viewer does not let the app use the platform's account any more. Contract: access-enabler.md §17.4.
    func endPlatformLogins(_ key: LoginKey) async {
        let places = memory.contents.profiles.filter { $0.key.login == key && $0.value.kind == .appleSSO }.map(\.key)
        guard !places.isEmpty else { return }
        for place in places { recollections[place] = nil }
        epochs.turn(key)
        await telling(key.requestor, except: nil) {
            await memory.commit(places.flatMap(ending))
        }
    }

    /// The end of a login. One of the platform's is the platform's to renew: its provider is nobody's choice of another
    /// way. Contract: access-enabler.md §17.5, open-questions.md OQ-5.
    func ending(_ place: ProfileKey) -> [VaultChange] {
        let end = VaultChange.profile(place, nil)
        guard memory.contents.profiles[place]?.kind == .appleSSO,
            var selection = memory.contents.selections[place.requestor], selection.provider.id == place.provider
        else { return [end] }
        selection.canAuthenticate = false
        return [end, .selection(place.requestor, selection)]
    }

    /// A provider that the requestor lost is no provider without a login, and no failure.
    private func profiles(
        _ query: ProfileQuery, _ standing: Standing, _ caller: BackendCaller
    ) async throws(BackendFault) -> [Profile] {
        do throws(BackendFault) {
            let found = try await standing.backend.profiles(query, caller)
            let permission = caller.partnerStatus?.permission ?? .granted
            return found.filter { $0.kind != .appleSSO || permission == .granted }
        } catch {
            // Without the platform's word the service does not show the platform's logins. Contract: rest-v2.md §12.3.
            if case .refused(let refusal) = error.kind, refusal.isAboutPlatformStatus { return [] }
            guard case .provider(let provider) = query, case .refused(let refusal) = error.kind else { throw error }
            // A promotional pass is shown only to whoever says whose it is: what is remembered of it stays.
            if refusal.code == "invalid_header_identity_for_temporary_access" {
                return [profile(standing.key.profile(at: provider))].compactMap(\.self)
            }
            let isAboutProvider = ["invalid_integration", "invalid_parameter_mvpd"].contains(refusal.code)
            guard isAboutProvider || refusal.code.hasPrefix("temporary_access") else { throw error }
            return []
        }
    }

    /// Without those that have ended. A sign-on is somebody's login in another app: while the end of one is still to be
    /// told, it may be that one. Where sign-ons are not marked, every login that is new here may be one.
    private func alive(_ found: [Profile], _ key: LoginKey, _ ended: Set<ProfileKey>) -> [Profile] {
        let isMarked = ports.services.service(of: key.registration).traits.headerSignOn
        let endedAt = Set(ended.map(\.provider))
        return found.filter { profile in
            let isNew = memory.contents.profiles[key.profile(at: profile.provider)] == nil
            return profile.isSignOn || !isMarked && isNew
                ? !endedAt.contains(profile.provider) : !ended.contains(key.profile(at: profile.provider))
        }
    }

    /// Of a complete list: what is not in it is no login any more. `ended` is what had ended by the time that the answer
    /// came, as far as the service need not have known it when it was asked.
    private func take(_ found: [Profile], _ key: LoginKey, _ ended: Set<ProfileKey>, isComplete: Bool) async {
        let alive = alive(found, key, ended)
        let places = Set(alive.map { key.profile(at: $0.provider) })
        var changes = alive.map { VaultChange.profile(key.profile(at: $0.provider), $0) }
        // Another viewer's: what is remembered beside the login is not theirs.
        for profile in alive {
            let place = key.profile(at: profile.provider)
            guard let former = memory.contents.profiles[place], former.userID != profile.userID else { continue }
            recollections[place] = nil
            epochs.turn(key)
        }
        for place in memory.contents.profiles.keys
        where isComplete && place.login == key && !places.contains(place) {
            changes += ending(place)
            recollections[place] = nil
            epochs.turn(key)
        }
        let selected = memory.contents.selections[key.requestor]?.provider.id
        if let best = alive.max(by: { $0.notAfter < $1.notAfter }), !alive.contains(where: { $0.provider == selected })
        {
            let selection = Selection(provider: provider(best.provider, key), canAuthenticate: true)
            changes.append(.selection(key.requestor, selection))
        }
        await memory.commit(changes)
    }
}

extension Profile {
    /// Of the platform or of an identity service, and not this app's own.
    var isSignOn: Bool { kind == .platformSSO || kind == .serviceTokenSSO }
}
