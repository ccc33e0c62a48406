// Does what the login flow wants done, in its order: nothing is told before it is remembered.
// Contract: access-enabler.md §7.4, §7.7a.

import PassProtocol

extension Session {
    /// What a call has to answer beside the state that the flow is in afterwards.
    struct Performance {
        var authorization: AuthorizationAnswer?
        /// The question could not be answered; told by callbacks already.
        var error: RPCError?
    }

    /// Effects that lead to further events are followed to where the flow rests. An authorization that a call waits for
    /// belongs to the performance; one that nobody waits for goes its own way.
    @discardableResult func perform(
        _ effects: [AuthenticationEffect], _ standing: Standing, isAwaited: Bool = true
    ) async -> Performance {
        var performance = Performance()
        var open = effects[...]
        while let effect = open.popFirst() {
            // Nothing of it is told to an app that is gone, or has gone on to another requestor.
            guard !isClosed, currentStanding?.key == standing.key else { break }
            switch effect {
            case .status(let status): emit(status)
            case .report(let report): self.report(report.status)
            case .track(let event): track(event, standing)
            case .fetchProviders(let attempt):
                open = await fetchProviders(attempt, standing, &performance) + open
            case .signOnWithPlatform(let providers, let attempt):
                open = await signOnWithPlatform(providers, attempt, standing) + open
            case .reportPlatform(let obstacle): report(obstacle, .login)
            case .showProviders(let providers): emit(.displayProviderDialog(providers.map(\.mvpd)))
            case .select(let provider): await select(provider, standing)
            case .deselect: await deselect(standing)
            case .remember(let canAuthenticate): await remember(canAuthenticate, standing)
            case .beginLogin(let request, let attempt):
                open = await begin(request, attempt, standing, &performance) + open
            case .showCode(let login): emit(code: login)
            case .navigate(let login): navigate(to: login, standing)
            case .poll(let login): await engine.show(login, standing, to: self)
            case .stopPolling: await stopPolling(standing)
            case .complete(let login):
                open = flow.handle(await complete(login, standing, &performance)) + open
            case .adopt(let profile):
                await engine.adopt(profile, standing.key)
                if !engine.isKept(profile.provider, standing.key) { open = [] }
            case .refreshProfile(let provider):
                let cancels = cancelCount
                let fault = await refresh(provider, standing)
                if let fault, cancels == cancelCount {
                    performance.error = fault.error(.login)
                    open = refused(fault)[...]
                } else if fault != nil || !engine.isKept(provider, standing.key) {
                    open = []
                }
            case .authorize(let resource, let data):
                guard isAwaited else {
                    Task { @EngineActor in _ = try? await authorize(resource, data, standing) }
                    continue
                }
                do throws(RPCError) {
                    performance.authorization = try await authorize(resource, data, standing)
                } catch {
                    performance.error = error
                }
            }
        }
        return performance
    }

    private func stopPolling(_ standing: Standing) async {
        browserExpiry?.cancel()
        browserExpiry = nil
        platformRun?.cancel()
        platformRun = nil
        if let login = browserLogin { engine.takeBack(login, standing) }
        browserLogin = nil
        await engine.hide(standing.key, from: self)
    }

    // MARK: Questions to the service

    private func fetchProviders(
        _ attempt: Int, _ standing: Standing, _ performance: inout Performance
    ) async -> [AuthenticationEffect] {
        do throws(BackendFault) {
            let providers = try await standing.backend.providers(caller(standing))
            let effects = flow.handle(.listed(providers.filter { !$0.isTempPass }, attempt))
            if !effects.isEmpty { offered = providers }
            return effects
        } catch {
            let effects = flow.handle(.listingFailed(attempt))
            if !effects.isEmpty {
                performance.error = error.error(.login)
                report(error.status(.login))
            }
            return effects
        }
    }

    /// What comes too late for the flow is nobody's any more.
    private func begin(
        _ request: LoginRequest, _ attempt: Int, _ standing: Standing, _ performance: inout Performance
    ) async -> [AuthenticationEffect] {
        var request = request
        request.style = options.style
        guard flow.isBeginning(attempt) else { return [] }
        var asking = standing
        if standing.backend.traits.temporaryPassByCall { asking.temporaryIdentity = temporaryIdentity }
        do throws(BackendFault) {
            let step = try await engine.begin(request, asking, for: self) { flow.isBeginning(attempt) }
            let effects = flow.handle(.begun(step, request.style, attempt))
            if case .openURL(let login) = step, effects.isEmpty { engine.takeBack(login, standing) }
            if case .showCode(let login) = step, flow.openLogin?.code != login.code {
                await engine.hide(standing.key, login.code, from: self)
            }
            return effects
        } catch {
            if flow.isBeginning(attempt), error.isUsedUpPass {
                performance.error = error.loginError
                return flow.handle(.abandoned) + refused(error)
            }
            let effects = flow.handle(.beginFailed(attempt))
            if !effects.isEmpty { performance.error = error.loginError }
            return effects
        }
    }

    /// The browser is back; the service may need a moment to know it. Contract: access-enabler.md §7.6.
    private func complete(
        _ login: OpenLogin, _ standing: Standing, _ performance: inout Performance
    ) async -> AuthenticationEvent {
        for attempt in 0..<3 {
            if attempt > 0 { await pause(.seconds(1)) }
            let epoch = engine.epochs.joint(standing.key)
            do throws(BackendFault) {
                switch try await standing.backend.pollLogin(login, caller(standing)) {
                case .pending: continue
                case .gone: return .polled(.gone)
                case .done(let profile):
                    guard case .completing(_, login) = flow.phase else { return .abandoned }
                    // Asked before a logout: whether the login has outlived it, the next answer says.
                    guard epoch == engine.epochs.joint(standing.key) else { continue }
                    browserLogin = nil
                    let isNew = await engine.adopt(profile, standing.key)
                    engine.announceSoon(profile, from: standing.key, isNew: isNew, toldAlready: [number])
                    return .polled(.done(profile))
                }
            } catch {
                // Nobody knows what came of it. Contract: §7.6.
                if case .completing(_, login) = flow.phase {
                    performance.error = error.error(.login)
                    report(error.status(.login))
                }
                return .completionFailed
            }
        }
        return .polled(.pending)
    }

    private func pause(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            _ = engine.ports.clock.alarm(at: engine.deadline(duration)) { continuation.resume() }
        }
    }

    /// The service has a login that is not known here yet. Nil when it is.
    private func refresh(_ provider: ProviderID, _ standing: Standing) async -> BackendFault? {
        let (epoch, cancels) = (engine.epochs.joint(standing.key), cancelCount)
        guard !engine.memory.contents.tombstones.contains(standing.key.profile(at: provider)) else {
            return .logoutPending
        }
        do throws(BackendFault) {
            var asking = standing
            asking.temporaryIdentity = temporaryIdentity
            let question = caller(asking)
            let (found, ended) = try await engine.inquiries.follow(from: []) { () async throws(BackendFault) in
                try await asking.backend.profiles(.provider(provider), question)
            }
            guard epoch == engine.epochs.joint(standing.key), cancels == cancelCount else {
                // Another session has brought the same login meanwhile, or else it was logged out or backed out of.
                let isThere = engine.profile(standing.key.profile(at: provider)) != nil
                return isThere && cancels == cancelCount ? nil : BackendFault(.cancelled)
            }
            guard let profile = found.first(where: { $0.provider == provider && engine.now < $0.notAfter }) else {
                return BackendFault(.unusableAnswer)
            }
            // Somebody's login in another app, which has been logged out meanwhile.
            if profile.isSignOn, ended.contains(where: { $0.provider == provider }) { return BackendFault(.cancelled) }
            let isNew = await engine.adopt(profile, standing.key)
            engine.announceSoon(profile, from: standing.key, isNew: isNew, toldAlready: [number])
            return nil
        } catch {
            return error
        }
    }

    /// Contract: access-enabler.md §16.1 for a temporary pass that is used up.
    private func refused(_ fault: BackendFault) -> [AuthenticationEffect] {
        if case .refused(let error) = fault.kind, fault.isUsedUpPass {
            report(.N111, error.description.isEmpty ? nil : error.description)
        } else {
            report(fault.status(.login))
        }
        return [.remember(canAuthenticate: false), .status(.failure(.generic)), .track(.authenticationFailed)]
    }

    // MARK: What is told

    func emit(_ status: AuthenticationStatus, _ reason: Callback.Reason? = nil) {
        switch status {
        case .success: emit(.setAuthenticationStatus(status: 1, .authenticated, reason))
        case .failure(let failure): emit(.setAuthenticationStatus(status: 0, failure.errorCode, reason))
        }
    }

    /// Contract: access-enabler.md §7.5.
    func navigate(_ url: String, _ provider: ProviderID?) {
        let isSecure = provider.map(engine.settings.secureBrowserProviders.contains) ?? false
        emit(.navigateToUrl(url, useSVC: options.handlesSecureBrowser && isSecure ? true : nil))
    }

    /// A browser that never comes back does not keep the flow for ever.
    private func navigate(to login: OpenLogin, _ standing: Standing) {
        // A logout page that never came back must not take this login's end for its own.
        logoutPages = []
        isOvertaken = false
        browserLogin = login
        let lifetime = min(login.notBefore.duration(to: login.notAfter), .seconds(24 * 3600))
        browserExpiry = engine.ports.clock.alarm(at: engine.deadline(lifetime)) { [weak self] in
            Task { @EngineActor [weak self] in
                guard let self, case .browser(_, login) = flow.phase else { return }
                await perform(flow.handle(.expired), standing, isAwaited: false)
            }
        }
        navigate(login.url, login.provider)
    }

    private func emit(code login: OpenLogin) {
        let message = StatusMessage.registrationCode(
            login.code.rawValue, url: login.url, expires: login.notAfter.milliseconds)
        emit(.status(message))
    }

    private func track(_ event: TrackedEvent, _ standing: Standing) {
        switch event {
        case .authentication(let provider, let isCached):
            let profile = engine.profile(standing.key.profile(at: provider))
            track(Tracking.authentication(provider, guid: guid(profile), isCached: isCached))
        case .authenticationFailed: track(Tracking.authenticationFailed)
        case .selection(let provider): track(Tracking.selection(provider))
        }
    }
}

extension AuthenticationReport {
    fileprivate var status: SDKStatus { SDKStatus(rawValue: rawValue) }
}

extension BackendFault {
    /// The service was asked to end the former viewer's login and would not: whoever comes next is not let in by it.
    fileprivate static var logoutPending: BackendFault {
        BackendFault(
            .refused(
                EnhancedError(
                    status: 0, code: "logout_pending", actionName: "retry",
                    message: "The service has not ended the former login yet.")))
    }

    /// No code could be had: where the contract has no better name, it is `REG500`.
    fileprivate var loginError: RPCError {
        switch kind {
        case .serverError, .unusableAnswer:
            .unanswered(.REG500, action: .retry, trace: trace, details: details)
        default: error(.login)
        }
    }
}
