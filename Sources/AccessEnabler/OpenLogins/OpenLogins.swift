// Owns the open codes. A viewer uses a code on a second screen, such as a phone. For each code, this class knows the sessions
// that show it, polls the service, and reports the end. For each requestor, only one session at a time may ask for a code.
// Contract: access-enabler.md §7.7; rest-v2.md §7; rpc.md §3, §4.

@EngineActor final class OpenLogins {
    /// The max number of polled codes that no app shows.
    private static let maxUnwatched = 8
    /// The time for apps to show their codes again after a restart.
    private static let timeToReturn = Duration.seconds(60)

    private let context: EngineContext
    private let memory: Memory
    private let logins: Logins
    private let signOn: SingleSignOn
    private let audience: Audience
    private let logoutDelivery: LogoutDelivery
    private(set) var pollers: [LoginKey: LoginPoller] = [:]
    /// For each requestor, the sessions that wait to ask for a code. The service knows only the newest code, so a second
    /// question would invalidate the first code.
    private var lines: [LoginKey: TurnQueue] = [:]

    /// The requestors whose last login had no page on which the viewer could type a code or log in.
    private(set) var withoutPage: Set<RequestorID> = []
    /// The requestors whose last code had no link, and the reason. This is empty if the configuration has no address where a
    /// login ends (`finish-url`), because passd then asks for no link.
    private(set) var withoutLink: [RequestorID: OpenLogin.MissingLink] = [:]
    /// The requestors for which the service refused to begin the last login, and the service's reason.
    private(set) var refused: [RequestorID: (provider: ProviderID?, fault: BackendFault)] = [:]

    init(
        _ context: EngineContext, memory: Memory, logins: Logins, signOn: SingleSignOn, audience: Audience,
        logoutDelivery: LogoutDelivery
    ) {
        self.context = context
        self.memory = memory
        self.logins = logins
        self.signOn = signOn
        self.audience = audience
        self.logoutDelivery = logoutDelivery
    }

    /// The requestor's open code, for a session without a code. Nil if the session should ask for a new code.
    func openLogin(of key: LoginKey) -> OpenLogin? {
        pollers[key].flatMap { $0.isOutdated ? nil : $0.login }
    }

    /// Whether this code is polled.
    func isOpen(_ code: RegistrationCode, of key: LoginKey) -> Bool { pollers[key]?.login.code == code }

    /// Whether an open code may lead to a login with this key's provider, at the same service.
    func isOpen(besides key: ProfileKey) -> Bool {
        pollers.values.contains { poller in
            poller.key == key.login
                || (poller.login.provider ?? key.provider) == key.provider
                    && poller.key.registration.shares(serviceWith: key.registration)
        }
    }

    var keys: Set<LoginKey> { Set(pollers.keys) }

    var nextPoll: BootTime? { pollers.values.compactMap(\.next).min() }

    /// Whether a poll is late by at least this time. If so, the timers or the queue have failed.
    func hasMissedPoll(by delay: Duration) -> Bool {
        pollers.values.contains { poller in
            !poller.isAsking && poller.next.map { $0.advanced(by: delay) < context.ports.clock.boot } ?? false
        }
    }

    /// Handles a reload that has changed the addresses of login pages. The next app that asks for a code gets a new one, unless
    /// the open code has a link. Ruling 53.
    func addressesHaveChanged() {
        (withoutPage, withoutLink, refused) = ([], [:], [:])
        for poller in pollers.values where poller.login.link == nil { poller.isOutdated = true }
    }

    func stop() {
        for poller in pollers.values { poller.stop() }
        pollers = [:]
    }

    /// Asks the service for a code or a login page, one question at a time for each requestor. If a suitable code is already
    /// open, the session shows that code. `provider` describes the provider of the request. `isWanted` is called after each
    /// wait. If it returns false, the session has given up and must not ask, because a new code would invalidate another
    /// session's code. rpc.md §4.
    func beginLogin(
        _ request: LoginRequest, at provider: Provider?, for asker: Asker, session: Int64, isWanted: () -> Bool
    ) async throws(BackendFault) -> LoginStep {
        let key = asker.key
        let line = lines[key] ?? TurnQueue()
        lines[key] = line
        // Gives up if another session's question takes longer than the time that this call has left.
        guard await line.awaitTurn(by: asker.deadline ?? context.callDeadline, context.ports.clock) else {
            throw BackendFault(.deadline)
        }
        defer {
            line.passTurnOn()
            if !line.isTaken { lines[key] = nil }
        }
        guard isWanted() else { throw BackendFault(.cancelled) }
        // A forced login needs its own code, because only a new code ends the former login at the service.
        if request.style == .secondScreen, !request.isForced, let poller = pollers[key], !poller.isOutdated,
            request.provider == nil || request.provider == poller.login.provider
        {
            poller.watchers.insert(session)
            return .showCode(poller.login)
        }
        try await logoutDelivery.settleLogouts(at: request.provider, before: asker)
        guard isWanted() else { throw BackendFault(.cancelled) }
        var request = request
        request.isFresh = logoutDelivery.isOwed(at: request.provider, before: key)
        let epoch = logins.epochs.current(key)
        var step: LoginStep
        do throws(BackendFault) {
            step = try await asker.backend.beginLogin(request, context.caller(for: asker))
        } catch {
            if error.lacksPage { withoutPage.insert(key.requestor) }
            if case .refused = error.kind, !error.isUsedUpPass { refused[key.requestor] = (request.provider, error) }
            if error.kind != .cancelled {
                context.publish(
                    .loginFailed, key.requestor, request.provider, session: session, because: .init(error))
            }
            throw error
        }
        refused[key.requestor] = nil
        if case .openURL = step { withoutPage.remove(key.requestor) }
        // If the viewer has logged out in the meantime, this login is no longer wanted.
        guard epoch == logins.epochs.current(key) else {
            switch step {
            case .showCode(let login), .openURL(let login): abandonCode(of: login, for: asker)
            case .alreadyIn: break
            }
            throw BackendFault(.cancelled)
        }
        if case .showCode(var login) = step, request.style == .secondScreen {
            login.details = provider
            step = .showCode(login)
            if login.scanned == nil { withoutPage.insert(key.requestor) } else { withoutPage.remove(key.requestor) }
            withoutLink[key.requestor] = login.missingLink
            await open(login, for: asker, session: session)
        }
        return step
    }

    /// Begins to poll a new code, and notes that the session shows it. A new code ends the previous one, because the service
    /// knows only the newest code.
    private func open(_ login: OpenLogin, for asker: Asker, session: Int64) async {
        let key = asker.key
        let former = pollers[key]
        if let former, former.login.code == login.code {
            former.watchers.insert(session)
            return
        }
        former?.stop()
        poll(login, for: asker, lifetime: login.lifetime).watchers = [session]
        await memory.commit([.openLogin(key, login)])
        if let former { abandonCode(of: former.login, for: asker) }
        context.publish(.loginOpened(expires: context.boxDate(login.end)), key.requestor, login.provider)
        guard let former else { return }
        await audience.tellEnd(
            of: former.login.code, .replaced, to: former.watchers.subtracting([session]).sorted())
    }

    /// Notes that the session shows this open code, too.
    func watch(_ code: RegistrationCode, of key: LoginKey, session: Int64) {
        if isOpen(code, of: key) { pollers[key]?.watchers.insert(session) }
    }

    /// Notes that the session no longer wants this code; nil means any code. If no other session shows the code, it is
    /// given up.
    func hide(_ code: RegistrationCode? = nil, of key: LoginKey, session: Int64) async {
        guard let poller = pollers[key], code == nil || code == poller.login.code,
            poller.watchers.remove(session) != nil, poller.watchers.isEmpty
        else { return }
        await giveUp(poller)
    }

    /// Handles the disconnect of an app. passd continues to poll the app's code, because the viewer may still log in with this
    /// code. Contract: access-enabler.md §7.7.
    func leave(of key: LoginKey, session: Int64) async {
        pollers[key]?.watchers.remove(session)
        await limitUnwatched()
    }

    /// If there are too many codes that no app shows, gives up the oldest of them.
    private func limitUnwatched() async {
        let unwatched = pollers.values.filter(\.watchers.isEmpty).sorted { $0.login.notBefore < $1.login.notBefore }
        for poller in unwatched.dropLast(Self.maxUnwatched) { await giveUp(poller) }
    }

    /// Gives up the code because the viewer has cancelled, unless another session shows it. A code from before a restart is
    /// also given up, because no session shows it yet.
    func cancelLogin(of key: LoginKey, by session: Int64) async {
        guard let poller = pollers[key], poller.watchers.subtracting([session]).isEmpty else { return }
        await giveUp(poller)
    }

    /// The viewer has logged out: gives up these requestors' codes that no session shows. Ruling 50.
    func giveUpUnwatched(of isMeant: (LoginKey) -> Bool) async {
        for poller in pollers.values where poller.watchers.isEmpty && isMeant(poller.key) { await giveUp(poller) }
    }

    private func giveUp(_ poller: LoginPoller) async {
        guard !context.isStopping else { return }
        let key = poller.key
        poller.stop()
        if pollers[key] === poller { pollers[key] = nil }
        let outcome = hasTurnedUp(poller) ? EngineEvent.LoginEnd.authenticated : .cancelled
        context.publish(.loginClosed(outcome), key.requestor, poller.login.provider)
        await forgetLogin(of: poller)
        abandonInBackground(poller.login, for: context.backgroundAsker(for: key))
    }

    /// Tells the service that a code is no longer wanted, if the service can cancel codes.
    func abandonCode(of login: OpenLogin, for asker: Asker) {
        guard !context.isStopping, asker.backend.traits.cancellableCode else { return }
        abandonInBackground(login, for: asker)
    }

    /// Abandons the code in a separate task, so that the viewer does not wait for the service.
    private func abandonInBackground(_ login: OpenLogin, for asker: Asker) {
        let caller = context.caller(
            for: asker.ranked(.background), until: context.deadline(after: context.settings.pollDeadline))
        Task { await asker.backend.abandonLogin(login, caller) }
    }

    /// Continues to poll the codes that were open before a restart. If the service's date is not known yet, the whole lifetime
    /// of a code begins again, because the box's own date may be wrong. Codes of an unconfigured service stay stored.
    func resumeLogins() {
        for (key, login) in memory.contents.openLogins
        where pollers[key] == nil && context.hasService(key.registration) {
            let poller = poll(
                login, for: context.backgroundAsker(for: key),
                lifetime: context.serverClock.offset == nil ? login.lifetime : context.now.duration(to: login.end))
            poller.isOutdated = login.scanned == nil
        }
        guard pollers.count > Self.maxUnwatched else { return }
        _ = context.ports.clock.alarm(
            at: context.deadline(after: Self.timeToReturn), starting: { [weak self] in await self?.limitUnwatched() })
    }

    @discardableResult private func poll(_ login: OpenLogin, for viewer: Asker, lifetime: Duration) -> LoginPoller {
        let poller = LoginPoller(
            login, for: viewer.ranked(.poll), lifetime: min(lifetime, OpenLogin.longestLife), ports: context.ports,
            owner: self)
        poller.former = logins.login(of: poller.key)
        pollers[poller.key] = poller
        return poller
    }

    func ask(_ poller: LoginPoller) async throws(BackendFault) -> LoginPoll {
        let epoch = logins.epochs.joint(poller.key)
        let end = context.deadline(after: context.settings.pollDeadline)
        let poll = try await poller.asker.backend.pollLogin(
            poller.login, context.caller(for: poller.asker, until: end))
        // If a login has begun or ended since the question, the found login may no longer be valid, for example after a logout.
        // Only the next answer shows whether the login is valid.
        if case .done = poll, epoch != logins.epochs.joint(poller.key) { return .pending }
        return poll
    }

    /// Ends a code, and remembers the login made with this code. Sessions that showed the code are told before all other
    /// sessions. Each of them decides whether it still waits for the login.
    func finish(_ poller: LoginPoller, _ end: LoginPoller.End) async {
        let (key, code) = (poller.key, poller.login.code)
        if pollers[key] === poller { pollers[key] = nil }
        let watchers = poller.watchers.sorted()
        switch end {
        case .done(let profile):
            let adoption = await signOn.adopt(profile, poller.login.details, for: key, closing: poller.login)
            guard logins.isKept(profile.provider, for: key) else {
                context.publish(.loginClosed(.cancelled), key.requestor, profile.provider)
                return await audience.tellEnd(of: code, .gone, to: watchers)
            }
            withoutPage.remove(key.requestor)
            context.publish(.loginClosed(.authenticated), key.requestor, profile.provider)
            await audience.tellEnd(of: code, end, to: watchers)
            signOn.announceSoon(profile, of: key, adoption, toldAlready: Set(watchers))
        case .gone, .expired, .replaced:
            await forgetLogin(of: poller)
            // When the time of a code is over, the code counts as expired, even if the service refuses the question or another
            // app has a new code.
            let isExpired = if case .expired = end { true } else { hasEnded(poller.login) }
            let outcome = hasTurnedUp(poller) ? EngineEvent.LoginEnd.authenticated : isExpired ? .expired : .failed
            context.publish(.loginClosed(outcome), key.requestor, poller.login.provider)
            await audience.tellEnd(of: code, isExpired ? .expired : end, to: watchers)
        }
    }

    /// Whether the code has expired by the service's clock. False if the service's date is not known.
    func hasEnded(_ login: OpenLogin) -> Bool {
        context.serverClock.offset != nil && login.end <= context.now
    }

    /// Whether the requestor has got a login since the code was opened, so that the viewer no longer needs the code. The login
    /// may come from another question to the service or from another app.
    private func hasTurnedUp(_ poller: LoginPoller) -> Bool {
        guard let login = logins.login(of: poller.key) else { return false }
        return !(poller.former?.isSameLogin(as: login) ?? false)
    }

    private func forgetLogin(of poller: LoginPoller) async {
        guard memory.contents.openLogins[poller.key]?.code == poller.login.code else { return }
        await memory.commit([.openLogin(poller.key, nil)])
    }
}
