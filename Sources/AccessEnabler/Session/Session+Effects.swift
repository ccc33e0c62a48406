// Performs the effects that the conversation asks for, in their order; nothing is reported before it is stored. The
// result of an effect that asks the service is the conversation's next event.
// Contract: access-enabler.md §7.4, §7.7a.

import PassProtocol

extension Session {
    /// What a call has to answer in addition to the state of the flow.
    struct Performance {
        var authorization: AuthorizationAnswer?
        /// Why the call fails. Callbacks have reported it already.
        var error: RPCError?
    }

    /// Performs the effects, and those of the events that they cause, until the flow waits. If a call waits
    /// (`isAwaited`), an authorization belongs to its performance; otherwise it runs in a task of its own.
    @discardableResult func perform(
        _ effects: [AuthenticationEffect], for asker: Asker, isAwaited: Bool = true
    ) async -> Performance {
        var performance = Performance()
        var open = effects[...]
        while let effect = open.popFirst() {
            // Stops if the app has disconnected or has set another requestor.
            guard !isClosed, currentAsker?.key == asker.key else { break }
            switch effect {
            case .status(let status): emit(status)
            case .report(let report): self.report(report.status)
            case .track(let event): track(event, for: asker)
            case .fetchProviders(let attempt):
                open = await fetchProviders(attempt, for: asker, &performance) + open
            case .signOnWithPlatform(let providers, let attempt):
                open = await signOnWithPlatform(providers, attempt: attempt, for: asker) + open
            case .reportPlatform(let obstacle): report(obstacle, .login)
            case .showProviders(let providers): emit(.displayProviderDialog(providers.map(\.mvpd)))
            case .select(let provider): await select(provider, for: asker)
            case .deselect: await deselect(for: asker)
            case .remember(let canAuthenticate): await remember(canAuthenticate: canAuthenticate, for: asker)
            case .beginLogin(let request, let attempt):
                open = await beginLogin(request, attempt: attempt, for: asker, &performance) + open
            case .showCode(let login): emit(code: login)
            case .navigate(let login): openBrowser(for: login, asker)
            case .poll(let login): await engine.openLogins.show(login, for: asker, session: number)
            case .leaveLogin: await leaveLogin(for: asker)
            case .complete(let login):
                open = conversation.handle(await complete(login, for: asker, &performance)) + open
            case .adopt(let profile):
                await engine.logins.adopt(profile, for: asker.key)
                if !engine.logins.isKept(profile.provider, for: asker.key) { open = [] }
            case .refreshProfile(let provider):
                let cancels = conversation.cancelCount
                let fault = await refreshProfile(at: provider, for: asker)
                if let fault, cancels == conversation.cancelCount {
                    performance.error = fault.error(.login)
                    open = refused(fault)[...]
                } else if fault != nil || !engine.logins.isKept(provider, for: asker.key) {
                    open = []
                }
            case .authorize(let resource, let data):
                guard isAwaited else {
                    Task { @EngineActor in _ = try? await authorize(resource, data: data, for: asker) }
                    continue
                }
                do throws(RPCError) {
                    performance.authorization = try await authorize(resource, data: data, for: asker)
                } catch {
                    performance.error = error
                }
            }
        }
        return performance
    }

    // MARK: Questions to the service

    private func fetchProviders(
        _ attempt: Int, for asker: Asker, _ performance: inout Performance
    ) async -> [AuthenticationEffect] {
        do throws(BackendFault) {
            let providers = try await asker.backend.providers(caller(for: asker))
            return conversation.handle(.listed(providers, attempt))
        } catch {
            let effects = conversation.handle(.listingFailed(attempt))
            if !effects.isEmpty {
                performance.error = error.error(.login)
                report(error.status(.login))
            }
            return effects
        }
    }

    /// Requests a code or a login page. If the flow no longer waits for it when it arrives, it is given back.
    private func beginLogin(
        _ request: LoginRequest, attempt: Int, for asker: Asker, _ performance: inout Performance
    ) async -> [AuthenticationEffect] {
        var request = request
        request.style = options.style
        guard conversation.isBeginning(attempt) else { return [] }
        var asking = asker
        if asker.backend.traits.temporaryPassByCall { asking.temporaryIdentity = conversation.temporaryIdentity }
        do throws(BackendFault) {
            let step = try await engine.openLogins.beginLogin(request, for: asking, session: number) {
                conversation.isBeginning(attempt)
            }
            let effects = conversation.handle(.begun(step, request.style, attempt))
            if case .openURL(let login) = step, effects.isEmpty { engine.openLogins.abandonCode(of: login, for: asker) }
            if case .showCode(let login) = step, conversation.openLogin?.code != login.code {
                await engine.openLogins.hide(login.code, of: asker.key, session: number)
            }
            return effects
        } catch {
            if conversation.isBeginning(attempt), error.isUsedUpPass {
                performance.error = error.loginError
                return conversation.handle(.abandoned) + refused(error)
            }
            let effects = conversation.handle(.beginFailed(attempt))
            if !effects.isEmpty { performance.error = error.loginError }
            return effects
        }
    }

    /// The browser is back. The service may need a moment to know of the login, so it is asked up to three times.
    /// Contract: access-enabler.md §7.6.
    private func complete(
        _ login: OpenLogin, for asker: Asker, _ performance: inout Performance
    ) async -> AuthenticationEvent {
        for attempt in 0..<3 {
            if attempt > 0 { await pause(.seconds(1)) }
            let epoch = engine.logins.epochs.joint(asker.key)
            do throws(BackendFault) {
                switch try await asker.backend.pollLogin(login, caller(for: asker)) {
                case .pending: continue
                case .gone: return .polled(.gone)
                case .done(let profile):
                    guard conversation.isCompleting(login) else { return .abandoned }
                    // The service was asked before a logout; only the next answer shows whether the login has survived
                    // it.
                    guard epoch == engine.logins.epochs.joint(asker.key) else { continue }
                    _ = conversation.closeBrowserLogin()
                    await adopt(profile, for: asker.key)
                    return .polled(.done(profile))
                }
            } catch {
                // The result of the login is unknown. Contract: §7.6.
                if conversation.isCompleting(login) {
                    performance.error = error.error(.login)
                    report(error.status(.login))
                }
                return .completionFailed
            }
        }
        return .polled(.pending)
    }

    /// The viewer has logged in here: stores the login and tells other apps.
    func adopt(_ profile: Profile, for key: LoginKey) async {
        let isNew = await engine.logins.adopt(profile, for: key)
        engine.signOn.announceSoon(profile, of: key, isNew: isNew, toldAlready: [number])
    }

    private func pause(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            _ = engine.context.ports.clock.alarm(at: engine.context.deadline(after: duration)) { continuation.resume() }
        }
    }

    /// Fetches a login that the service has and that is not known here yet. Returns nil if it is known now.
    private func refreshProfile(at provider: ProviderID, for asker: Asker) async -> BackendFault? {
        let (epoch, cancels) = (engine.logins.epochs.joint(asker.key), conversation.cancelCount)
        guard !engine.logins.contents.tombstones.contains(asker.key.profileKey(at: provider)) else {
            return .logoutPending
        }
        do throws(BackendFault) {
            var asking = asker
            asking.temporaryIdentity = conversation.temporaryIdentity
            let question = caller(for: asking)
            let (found, ended) = try await engine.logins.questions.follow(from: []) { () async throws(BackendFault) in
                try await asking.backend.profiles(.provider(provider), question)
            }
            guard epoch == engine.logins.epochs.joint(asker.key), cancels == conversation.cancelCount else {
                // Either another session has stored the same login meanwhile, or the viewer has logged out or
                // cancelled.
                let isThere = engine.logins.profile(at: asker.key.profileKey(at: provider)) != nil
                return isThere && cancels == conversation.cancelCount ? nil : BackendFault(.cancelled)
            }
            guard let profile = found.first(where: { $0.provider == provider && engine.context.now < $0.notAfter })
            else {
                return BackendFault(.unusableAnswer)
            }
            // It is a login of another app, which has been logged out meanwhile.
            if profile.isSignOn, ended.contains(where: { $0.provider == provider }) { return BackendFault(.cancelled) }
            await adopt(profile, for: asker.key)
            return nil
        } catch {
            return error
        }
    }

    /// The effects of a refused login. Contract: access-enabler.md §16.1 for a temporary pass that is used up.
    private func refused(_ fault: BackendFault) -> [AuthenticationEffect] {
        if case .refused(let error) = fault.kind, fault.isUsedUpPass {
            report(.N111, error.description.isEmpty ? nil : error.description)
        } else {
            report(fault.status(.login))
        }
        return [.remember(canAuthenticate: false), .status(.failure(.generic)), .track(.authenticationFailed)]
    }

    // MARK: Callbacks and reports

    func emit(_ status: AuthenticationStatus, _ reason: Callback.Reason? = nil) {
        switch status {
        case .success: emit(.setAuthenticationStatus(status: 1, .authenticated, reason))
        case .failure(let failure): emit(.setAuthenticationStatus(status: 0, failure.errorCode, reason))
        }
    }

    /// Asks the app to open a page. Contract: access-enabler.md §7.5.
    func navigate(to url: String, of provider: ProviderID?) {
        let isSecure = provider.map(engine.settings.secureBrowserProviders.contains) ?? false
        emit(.navigateToUrl(url, useSVC: options.handlesSecureBrowser && isSecure ? true : nil))
    }

    private func openBrowser(for login: OpenLogin, _ asker: Asker) {
        let clock = engine.context.ports.clock
        browserExpiry = clock.alarm(at: conversation.openBrowser(for: login, at: clock.boot)) { [weak self] in
            Task { @EngineActor [weak self] in
                guard let self else { return }
                await perform(conversation.browserExpired(login), for: asker, isAwaited: false)
            }
        }
        navigate(to: login.url, of: login.provider)
    }

    private func emit(code login: OpenLogin) {
        let message = StatusMessage.registrationCode(
            login.code.rawValue, url: login.url, expires: login.notAfter.milliseconds)
        emit(.status(message))
    }

    private func track(_ event: TrackedEvent, for asker: Asker) {
        switch event {
        case .authentication(let provider, let isCached):
            let profile = engine.logins.profile(at: asker.key.profileKey(at: provider))
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
    /// The service has refused to end the former viewer's login: the next viewer must not be let in by it.
    fileprivate static var logoutPending: BackendFault {
        BackendFault(
            .refused(
                ServiceError(
                    status: 0, code: "logout_pending", actionName: "retry",
                    message: "The service has not yet ended the previous login.")))
    }

    /// The error of a failed request for a code. It is `REG500` unless the contract has a more specific code.
    fileprivate var loginError: RPCError {
        switch kind {
        case .serverError, .unusableAnswer:
            .unanswered(.REG500, action: .retry, trace: trace, details: details)
        default: error(.login)
        }
    }
}
