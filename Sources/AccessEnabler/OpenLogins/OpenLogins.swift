// The logins that are open on second screens: who shows which code, what becomes of it, and who hears of it.
// Contract: access-enabler.md §7.7; rest-v2.md §7; rpc.md §3, §4.

extension Engine {
    /// No code is believed to live longer, whatever its dates say.
    private static let longestLogin = Duration.seconds(24 * 3600)

    /// The code that is open for the requestor already, if any.
    func openLogin(_ key: LoginKey) -> OpenLogin? { pollers[key]?.login }

    /// Asks for a code, one question at a time for each requestor: a second one would kill the first one's code. Who
    /// finds a code open already shows that one. Who has given up while waiting kills nobody's code. rpc.md §4.
    func begin(
        _ request: LoginRequest, _ standing: Standing, for session: Session, isWanted: () -> Bool
    ) async throws(BackendFault) -> LoginStep {
        let key = standing.key
        let turns = beginnings[key] ?? Turns()
        beginnings[key] = turns
        await turns.enter()
        defer {
            turns.passOn()
            if !turns.areTaken { beginnings[key] = nil }
        }
        guard isWanted() else { throw BackendFault(.cancelled) }
        if request.style == .secondScreen, let poller = pollers[key],
            request.provider == nil || request.provider == poller.login.provider
        {
            poller.watchers.insert(session.number)
            return .showCode(poller.login)
        }
        let end = deadline(settings.callDeadline)
        try await settleLogouts(at: request.provider, key)
        guard isWanted() else { throw BackendFault(.cancelled) }
        let epoch = epochs.current(key)
        let step = try await standing.backend.beginLogin(request, caller(standing, deadline: end))
        // Logged out meanwhile: nobody wants to log in any more.
        guard epoch == epochs.current(key) else {
            switch step {
            case .showCode(let login), .openURL(let login): takeBack(login, standing)
            case .alreadyIn: break
            }
            throw BackendFault(.cancelled)
        }
        if case .showCode(let login) = step, request.style == .secondScreen {
            await show(login, standing, to: session)
        }
        return step
    }

    /// The session shows this code from now on. A new code ends the one before it: the service knows only the last.
    func show(_ login: OpenLogin, _ standing: Standing, to session: Session) async {
        let key = standing.key
        let former = pollers[key]
        if let former, former.login.code == login.code {
            former.watchers.insert(session.number)
            return
        }
        former?.stop()
        poll(login, standing, lifetime: login.notBefore.duration(to: login.notAfter)).watchers = [session.number]
        await memory.commit([.openLogin(key, login)])
        if let former { takeBack(former.login, standing) }
        tell(.loginOpened(key.requestor, login.provider, expires: login.notAfter))
        guard let former else { return }
        for number in former.watchers.subtracting([session.number]).sorted() {
            await sessions[number]?.loginEnded(.gone, of: former.login.code)
        }
    }

    /// The session shows it no more. Nobody waits for it then: it is given up.
    func hide(_ key: LoginKey, _ code: RegistrationCode? = nil, from session: Session) async {
        guard let poller = pollers[key], code == nil || code == poller.login.code,
            poller.watchers.remove(session.number) != nil, poller.watchers.isEmpty
        else { return }
        await giveUp(poller)
    }

    /// The viewer wants no login any more: also one that was open before a restart, unless another session shows it.
    func giveUpLogin(_ key: LoginKey, for session: Session) async {
        guard let poller = pollers[key], poller.watchers.subtracting([session.number]).isEmpty else { return }
        await giveUp(poller)
    }

    private func giveUp(_ poller: LoginPoller) async {
        guard !isStopping else { return }
        let key = poller.key
        poller.stop()
        if pollers[key] === poller { pollers[key] = nil }
        tell(.loginClosed(key.requestor, poller.login.provider, .cancelled))
        await forgetLogin(poller)
        let standing = background(key)
        let caller = caller(standing, deadline: deadline(settings.pollDeadline))
        // The viewer, who goes on to something else, does not wait for it.
        Task { await standing.backend.abandonLogin(poller.login, caller) }
    }

    /// A code that nobody wants any more, where the service would keep it beside another one.
    func takeBack(_ login: OpenLogin, _ standing: Standing) {
        guard !isStopping, standing.backend.traits.cancellableCode else { return }
        let caller = caller(standing, deadline: deadline(settings.pollDeadline))
        Task { await standing.backend.abandonLogin(login, caller) }
    }

    /// After a start: what was open goes on, watched or not. As long as nobody has told us the date, the box's own says
    /// nothing about how long. What nobody can be asked about stays where it is.
    func resumeLogins() {
        for (key, login) in memory.contents.openLogins where pollers[key] == nil && hasService(key.registration) {
            let whole = login.notBefore.duration(to: login.notAfter)
            poll(login, background(key), lifetime: serverClock.offset == nil ? whole : now.duration(to: login.notAfter))
        }
    }

    @discardableResult private func poll(_ login: OpenLogin, _ standing: Standing, lifetime: Duration) -> LoginPoller {
        let poller = LoginPoller(
            standing.key, login, lifetime: min(lifetime, Self.longestLogin), ports: ports,
            ask: { [weak self] () throws(BackendFault) in
                guard let self else { return .gone }
                let epoch = epochs.joint(standing.key)
                let poll = try await standing.backend.pollLogin(
                    login, caller(standing, deadline: deadline(settings.pollDeadline)))
                // Asked before a logout: whether the login has outlived it, the next answer says.
                if case .done = poll, epoch != epochs.joint(standing.key) { return .pending }
                return poll
            },
            isOver: { [weak self] in
                guard let self, serverClock.offset != nil else { return false }
                return login.notAfter <= now
            },
            ended: { [weak self] poller, end in await self?.ended(poller, end) })
        pollers[standing.key] = poller
        return poller
    }

    /// Those who showed the code hear it first and at once; what they were waiting for is their own business then.
    private func ended(_ poller: LoginPoller, _ end: LoginPoller.End) async {
        let key = poller.key
        if pollers[key] === poller { pollers[key] = nil }
        let watchers = poller.watchers.sorted()
        switch end {
        case .done(let profile):
            let isNew = await adopt(profile, key, closing: poller.login.code)
            guard isKept(profile.provider, key) else {
                tell(.loginClosed(key.requestor, profile.provider, .cancelled))
                for number in watchers { await sessions[number]?.loginEnded(.gone, of: poller.login.code) }
                return
            }
            tell(.loginClosed(key.requestor, profile.provider, .authenticated))
            for number in watchers { await sessions[number]?.loginEnded(end, of: poller.login.code) }
            announceSoon(profile, from: key, isNew: isNew, toldAlready: Set(watchers))
        case .gone, .expired:
            await forgetLogin(poller)
            let isExpired = if case .expired = end { true } else { false }
            tell(.loginClosed(key.requestor, poller.login.provider, isExpired ? .expired : .failed))
            for number in watchers { await sessions[number]?.loginEnded(end, of: poller.login.code) }
        }
    }

    private func forgetLogin(_ poller: LoginPoller) async {
        guard memory.contents.openLogins[poller.key]?.code == poller.login.code else { return }
        await memory.commit([.openLogin(poller.key, nil)])
    }

    /// A login that the viewer has just made: it is selected, remembered and durable when this returns, and a logout of
    /// it that the service had not heard of yet is out of date. Contract: access-enabler.md §9.5, §12, OQ-13.
    /// Whether the requestor's viewers were not logged in before.
    @discardableResult func adopt(
        _ profile: Profile, _ key: LoginKey, closing code: RegistrationCode? = nil
    ) async -> Bool {
        let isNew = login(of: key) == nil
        let place = key.profile(at: profile.provider)
        var changes: [VaultChange] = [
            .profile(place, profile),
            .selection(key.requestor, Selection(provider: provider(profile.provider, key), canAuthenticate: true)),
            .tombstone(place, false),
        ]
        if !ports.services.service(of: key.registration).traits.multipleProfiles {
            for other in memory.contents.profiles.keys where other.login == key && other != place {
                changes.append(.profile(other, nil))
                recollections[other] = nil
            }
        }
        if let code, memory.contents.openLogins[key]?.code == code { changes.append(.openLogin(key, nil)) }
        if memory.contents.profiles[place] != profile {
            recollections[place] = nil
            epochs.turn(key)
        }
        sweeper.callOff(place)
        await memory.commit(changes)
        return isNew
    }

    /// Nobody logged out or backed out while the login was being written down.
    func isKept(_ provider: ProviderID, _ key: LoginKey) -> Bool {
        memory.contents.profiles[key.profile(at: provider)] != nil
            && memory.contents.selections[key.requestor]?.provider.id == provider
    }

    /// What is known of a provider without asking anybody.
    func provider(_ id: ProviderID, _ key: LoginKey) -> Provider {
        if let own = memory.contents.selections[key.requestor]?.provider, own.id == id { return own }
        let known = memory.contents.selections.values.map(\.provider).first { $0.id == id }
        return known ?? Provider(id: id, displayName: id.rawValue, logoURL: "")
    }
}

extension Profile {
    var userID: MetadataValue? { attributes["userID"]?.value }
}
