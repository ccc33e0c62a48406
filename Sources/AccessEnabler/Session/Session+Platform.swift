// Logs in with the box's own TV account. While a requestor is being set up, this login shows nothing to the viewer. When the
// app asks for a login, the platform shows its picker. `PlatformVisit` asks the account and the service. Contract:
// access-enabler.md §17.

import PassJSON
import PassProtocol

extension Session {
    /// A sign-on with the platform's picker.
    struct PlatformRun {
        var task: Task<PartnerSignOn.Ending, Never>?
        /// Called when the platform shows the viewer something, while a call waits for the platform.
        var dialogAppears: (() -> Void)?
        /// Called when the platform exceeds its time without showing anything, while a call waits for the platform.
        var isLate: (() -> Void)?
    }

    private func visit(_ partner: Partner, _ signOn: PartnerSignOn, for asker: Asker) -> PlatformVisit {
        PlatformVisit(
            engine, partner, signOn, for: asker, caller: { self.caller(for: $0) },
            show: { [weak self] in self?.emit($0) })
    }

    /// Asks the TV account to sign the viewer in, during `getAuthentication` and before our own picker. Returns the effects
    /// that follow. Contract: §17.5, open-questions.md OQ-5.
    func signOnWithPlatform(
        _ providers: [Provider], attempt: Int, for asker: Asker
    ) async -> [AuthenticationEffect] {
        guard let partner = engine.context.ports.platform.partner, conversation.flow.isOnPlatform(attempt) else {
            return []
        }
        let key = asker.key
        let epoch = engine.logins.epochs.joint(key)
        let filter = conversation.filter
        let time = timeForPlatform(of: asker)
        let run = Task { @EngineActor in
            let signOn = PartnerSignOn(
                .interactive, app: key.registration.app, requestor: key.requestor, providers: providers, filter: filter)
            var visit = visit(partner, signOn, for: asker)
            return await visit.finish(within: time) { [weak self] in self?.platformRun.isLate?() }
        }
        platformRun.task = run
        // The call is answered as soon as the platform shows something, and callbacks report the rest. If the platform shows
        // nothing, the call is answered when the platform's time has passed.
        let first = FirstOutcome<PartnerSignOn.Ending?>()
        let ending = await first.wait {
            platformRun.dialogAppears = { first.come(nil) }
            platformRun.isLate = {
                first.come(.regular(.failed("The platform did not answer in time.")))
                run.cancel()
            }
            Task { @EngineActor in first.come(await run.value) }
        }
        (platformRun.dialogAppears, platformRun.isLate) = (nil, nil)
        if let ending { return await concluded(ending, attempt: attempt, from: epoch, for: asker) }
        Task { @EngineActor in
            let effects = await concluded(await run.value, attempt: attempt, from: epoch, for: asker)
            await perform(effects, for: asker.due(nil), isAwaited: false)
        }
        return []
    }

    /// The max total time for the answers of the platform while it shows nothing to the viewer. Ruling 51.
    private func timeForPlatform(of asker: Asker) -> Duration {
        let (settings, context) = (engine.settings, engine.context)
        let elapsed = settings.callDeadline - context.limited(settings.callDeadline, by: asker)
        return max(settings.platformDeadline, settings.platformLoginDeadline - elapsed)
    }

    private func concluded(
        _ ending: PartnerSignOn.Ending, attempt: Int, from epoch: UInt64, for asker: Asker
    ) async -> [AuthenticationEffect] {
        guard conversation.flow.isOnPlatform(attempt), !isClosed, epoch == engine.logins.epochs.joint(asker.key) else {
            return []
        }
        platformRun.task = nil
        var ending = ending
        conversation.platformObstacle = if case .regular(let obstacle) = ending { obstacle } else { nil }
        if case .signedIn(let profile) = ending, await !adopt(profile, for: asker) { ending = .regular(nil) }
        return conversation.handle(.platformAnswered(ending, attempt))
    }

    /// Asks the platform during `setRequestor` whether the app may use the account, and who is signed in there. Later calls to
    /// the service carry the answer. Without the permission, or without a valid account, logins from the platform end, even if
    /// the service still accepts them. Contract: §17.3, §17.4, §17.7.
    func visitPlatform(for asker: Asker) async -> PlatformVisit? {
        conversation.platformObstacle = nil
        guard let partner = engine.context.ports.platform.partner else { return nil }
        let signOn = PartnerSignOn(.silent, app: asker.key.registration.app, requestor: asker.key.requestor)
        var visit = visit(partner, signOn, for: asker)
        await visit.askPlatform()
        if let status = engine.context.partnerStatus[asker.key.registration.app], visit.hasPermission,
            status.permission != .granted || status.hasEnded(at: engine.context.now)
        {
            let isOver = status.permission == .granted && status.providerID?.isEmpty == false
            await engine.signOn.endPlatformLogins(of: asker.key, isOver ? .expired : .logout)
        }
        return visit
    }

    /// Completes the sign-on that `visitPlatform` began, if the viewer has no login yet. Shows nothing to the viewer.
    /// `isLate` is called when the platform exceeds its time.
    func signOnSilently(
        _ start: PlatformVisit?, for asker: Asker, isLate: (@Sendable @EngineActor () -> Void)? = nil
    ) async {
        guard var visit = start, login(for: asker) == nil else { return }
        visit.asker = asker
        let (epoch, cancels) = (engine.logins.epochs.joint(asker.key), conversation.cancelCount)
        switch await visit.finish(within: engine.settings.platformDeadline, isLate: isLate) {
        case .signedIn(let profile)
        where epoch == engine.logins.epochs.joint(asker.key) && cancels == conversation.cancelCount:
            await adopt(profile, for: asker)
        case .regular(let obstacle):
            conversation.platformObstacle = obstacle
            if let obstacle { report(obstacle, .setup) }
        case .signedIn, .alreadyIn, .selected: break
        }
    }

    /// Prepares a play with a login from the TV account. Asks the platform again if its last answer is older than five minutes,
    /// or if the account has expired. Contract: §17.2.
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

    /// Asks the platform about its account again, because the account has expired as far as passd knows.
    func askPlatformAgain() async {
        if let asker = currentAsker { _ = await visitPlatform(for: asker) }
    }

    // MARK: Callbacks

    private func emit(_ dialog: PlatformDialog) {
        switch dialog {
        case .present(let handle):
            emit(.presentTvProviderDialog(JSONObject([("handle", .string(handle))])))
            platformRun.dialogAppears?()
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
