// Logs in with the box's own TV account: silently while a requestor is set up, and with the platform's picker when the
// app asks for a login. `PartnerSignOn` decides the steps; this file performs them. Contract: access-enabler.md §17.

import PassJSON
import PassProtocol

extension Session {
    /// A sign-on between two steps, so that `setRequestor` can pause it before the first question to the service.
    struct PlatformVisit {
        var signOn: PartnerSignOn
        var move: PartnerSignOn.Move
    }

    /// Runs during `getAuthentication`, before our own picker. Contract: §17.5, open-questions.md OQ-5.
    func signOnWithPlatform(
        _ providers: [Provider], attempt: Int, for asker: Asker
    ) async -> [AuthenticationEffect] {
        guard let partner = engine.context.ports.platform.partner, conversation.isOnPlatform(attempt) else { return [] }
        let key = asker.key
        let epoch = engine.logins.epochs.joint(key)
        let filter = conversation.filter
        let time = timeForPlatform(of: asker)
        let run = Task { @EngineActor in
            let signOn = PartnerSignOn(
                .interactive, app: key.registration.app, requestor: key.requestor, providers: providers, filter: filter)
            var visit = PlatformVisit(signOn: signOn, move: signOn.firstMove)
            return await finish(&visit, with: partner, for: asker, within: time) { [weak self] in
                self?.platformIsLate?()
            }
        }
        platformRun = run
        // The call answers as soon as the platform shows something. Callbacks tell what comes of that. A platform that
        // shows nothing and does not answer is not waited for.
        let ending = await withCheckedContinuation { continuation in
            var waiting: CheckedContinuation<PartnerSignOn.Ending?, Never>? = continuation
            func end(_ ending: PartnerSignOn.Ending?) {
                waiting?.resume(returning: ending)
                waiting = nil
            }
            dialogAppears = { end(nil) }
            platformIsLate = {
                end(.regular(.failed("The platform did not answer in time.")))
                run.cancel()
            }
            Task { @EngineActor in end(await run.value) }
        }
        (dialogAppears, platformIsLate) = (nil, nil)
        if let ending { return await concluded(ending, attempt: attempt, from: epoch, for: asker) }
        Task { @EngineActor in
            let effects = await concluded(await run.value, attempt: attempt, from: epoch, for: asker)
            await perform(effects, for: asker.due(nil), isAwaited: false)
        }
        return []
    }

    /// How long the platform may take without showing anything, all of its answers together. Ruling 51.
    private func timeForPlatform(of asker: Asker) -> Duration {
        let (settings, context) = (engine.settings, engine.context)
        let elapsed = settings.callDeadline - context.limited(settings.callDeadline, by: asker)
        return max(settings.platformDeadline, settings.platformLoginDeadline - elapsed)
    }

    private func concluded(
        _ ending: PartnerSignOn.Ending, attempt: Int, from epoch: UInt64, for asker: Asker
    ) async -> [AuthenticationEffect] {
        guard conversation.isOnPlatform(attempt), !isClosed, epoch == engine.logins.epochs.joint(asker.key) else {
            return []
        }
        platformRun = nil
        var ending = ending
        if case .regular(let obstacle) = ending {
            conversation.notePlatformObstacle(obstacle)
        } else {
            conversation.notePlatformObstacle(nil)
        }
        if case .signedIn(let profile) = ending, await !adopt(profile, for: asker) { ending = .regular(nil) }
        return conversation.handle(.platformAnswered(ending, attempt))
    }

    /// Runs during `setRequestor`: asks the platform whether the app may use the account, and who is signed in there.
    /// Later calls to the service carry that answer. Without the permission, and without an account that is good, logins
    /// that came from the platform end, whatever the service thinks of them. Contract: §17.3, §17.4, §17.7.
    func visitPlatform(for asker: Asker) async -> PlatformVisit? {
        conversation.notePlatformObstacle(nil)
        guard let partner = engine.context.ports.platform.partner else { return nil }
        let signOn = PartnerSignOn(.silent, app: asker.key.registration.app, requestor: asker.key.requestor)
        var visit = PlatformVisit(signOn: signOn, move: signOn.firstMove)
        while visit.move.isAboutPlatform { await step(&visit, with: partner, for: asker) }
        if let status = engine.context.partnerStatus[asker.key.registration.app], visit.signOn.permission != nil,
            status.permission != .granted || status.hasEnded(at: engine.context.now)
        {
            let isOver = status.permission == .granted && status.providerID?.isEmpty == false
            await engine.signOn.endPlatformLogins(of: asker.key, isOver ? .expired : .logout)
        }
        return visit
    }

    /// Completes the sign-on that `visitPlatform` began, if the viewer has no login yet. Nothing is shown to the
    /// viewer. `isLate` is called when the platform needs more than its time.
    func signOnSilently(
        _ start: PlatformVisit?, for asker: Asker, isLate: (@Sendable @EngineActor () -> Void)? = nil
    ) async {
        guard var visit = start, let partner = engine.context.ports.platform.partner,
            login(for: asker) == nil
        else { return }
        let (epoch, cancels) = (engine.logins.epochs.joint(asker.key), conversation.cancelCount)
        switch await finish(&visit, with: partner, for: asker, within: engine.settings.platformDeadline, isLate: isLate)
        {
        case .signedIn(let profile)
        where epoch == engine.logins.epochs.joint(asker.key) && cancels == conversation.cancelCount:
            await adopt(profile, for: asker)
        case .regular(let obstacle):
            conversation.notePlatformObstacle(obstacle)
            if let obstacle { report(obstacle, .setup) }
        case .signedIn, .alreadyIn, .selected: break
        }
    }

    /// Asks for a permission that is older than five minutes, and for an account whose time is over, again before a play
    /// with a login that came by it.
    /// Contract: §17.2.
    func renewPermission(for profile: Profile, _ asker: Asker) async {
        let asked = engine.context.partnerAsked[asker.key.registration.app]
        let status = engine.context.partnerStatus[asker.key.registration.app]
        guard profile.kind == .appleSSO, engine.context.ports.platform.partner != nil,
            asked.map({ $0.advanced(by: .seconds(300)) < engine.context.ports.clock.boot }) ?? true
                || status?.hasEnded(at: engine.context.now) == true
        else { return }
        let visit = Task { await visitPlatform(for: asker) }
        let time = engine.context.limited(engine.settings.platformDeadline, by: asker)
        _ = await engine.context.within(time) { await visit.value }
    }

    func askPlatformAgain() async {
        if let asker = currentAsker { _ = await visitPlatform(for: asker) }
    }

    /// Performs all steps. `isLate` is called when the platform's steps together take longer than this time.
    private func finish(
        _ visit: inout PlatformVisit, with partner: Partner, for asker: Asker, within time: Duration,
        isLate: (@Sendable @EngineActor () -> Void)?
    ) async -> PartnerSignOn.Ending {
        let clock = engine.context.ports.clock
        var left = time
        while true {
            if case .end(let ending) = visit.move { return ending }
            // The viewer has backed out, or the platform is not waited for any longer.
            if Task.isCancelled { return .regular(.cancelled) }
            guard let isLate, visit.move.isAboutPlatform else {
                await step(&visit, with: partner, for: asker)
                continue
            }
            let began = clock.boot
            let alarm = clock.alarm(at: began.advanced(by: left), isLate)
            await step(&visit, with: partner, for: asker)
            alarm.cancel()
            left = max(.zero, left - began.duration(to: clock.boot))
        }
    }

    /// Performs the next step and determines the one after it.
    private func step(_ visit: inout PlatformVisit, with partner: Partner, for asker: Asker) async {
        let event = await answer(to: visit.move, with: partner, for: asker)
        visit.move = visit.signOn.handle(event, at: engine.context.now)
        guard let permission = visit.signOn.permission else { return }
        let app = asker.key.registration.app
        engine.context.partnerAsked[app] = engine.context.ports.clock.boot
        // Until the platform tells of its account, what it told last stays: the service takes an answer without an account
        // for one that says that nobody is signed in there.
        var status =
            engine.context.partnerStatus[app] ?? PartnerStatus(partner: partner, permission: permission)
        status.permission = permission
        if let account = visit.signOn.account {
            (status.providerID, status.expires, status.isAccountKnown) = (account.providerID, account.expires, true)
        }
        engine.context.partnerStatus[app] = status
        engine.loginEnds.refresh()
    }

    private func answer(
        to move: PartnerSignOn.Move, with partner: Partner, for asker: Asker
    ) async -> PartnerSignOn.Event {
        let platform = engine.context.ports.platform
        let dialog: @Sendable (PlatformDialog) -> Void = { dialog in
            Task { @EngineActor [weak self] in self?.emit(dialog) }
        }
        let backend = asker.backend
        switch move {
        case .askPermission(let mayPrompt):
            do throws(PlatformFault) {
                let app = asker.key.registration.app
                return .permission(.success(try await platform.permission(of: app, mayPrompt: mayPrompt, dialog)))
            } catch {
                return .permission(.failure(error))
            }
        case .askAccount(let query):
            do throws(PlatformFault) {
                return .account(.success(try await platform.account(query, dialog)))
            } catch {
                return .account(.failure(error))
            }
        case .fetchProviders:
            return .providers(try? await backend.providers(caller(for: asker)))
        case .requestProfile(let provider):
            // A logout that is still to be reported there must not end the new login.
            guard (try? await engine.logoutDelivery.settleLogouts(at: provider.id, before: asker)) != nil else {
                return .request(nil)
            }
            let step = try? await backend.partnerRequest(provider.id, of: partner, caller(for: asker))
            // It may be the login that has ended here, of whose end the service has not heard.
            if case .alreadyIn(let known, let reason)? = step, reason == .regular || reason == .signOn,
                engine.logoutDelivery.isOwed(at: known, before: asker.key)
            {
                return .request(.regular("The service has not yet ended the previous login."))
            }
            return .request(step)
        case .exchange(let response, let provider):
            return .exchanged(try? await backend.exchange(response, at: provider.id, of: partner, caller(for: asker)))
        case .end: return .exchanged(nil)
        }
    }

    // MARK: Callbacks

    private func emit(_ dialog: PlatformDialog) {
        switch dialog {
        case .present(let handle):
            emit(.presentTvProviderDialog(JSONObject([("handle", .string(handle))])))
            dialogAppears?()
        case .dismiss(let handle): emit(.dismissTvProviderDialog(JSONObject([("handle", .string(handle))])))
        }
    }

    enum PlatformOccasion { case setup, check, login }

    func report(_ obstacle: PartnerSignOn.Obstacle, _ occasion: PlatformOccasion) {
        switch (obstacle, occasion) {
        case (.denied, _): report(.VSA403)
        case (.undetermined, _): report(.VSA404)
        case (.failed(let reason), .setup): report(.AAPL, reason)
        case (.failed(let reason), .check): report(.AAPL_ERROR, reason)
        case (.failed(let reason), .login): report(.VSA503, reason)
        case (.otherProvider, .login): report(.N003)
        case (.unsupportedProvider, .login): report(.N004)
        case (.cancelled, .login): report(.N005)
        case (.otherProvider, _), (.unsupportedProvider, _), (.cancelled, _): break
        }
    }
}

extension PartnerSignOn.Move {
    /// Whether the platform is asked, and not the service.
    fileprivate var isAboutPlatform: Bool {
        switch self {
        case .askPermission, .askAccount: true
        case .fetchProviders, .requestProfile, .exchange, .end: false
        }
    }
}
