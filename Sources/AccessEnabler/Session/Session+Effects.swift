// Performs the effects of the conversation in their order, so that a change is stored before the app is told. The service's
// answer to an effect is the conversation's next event. Contract: access-enabler.md §7.4, §7.7a.

import PassJSON
import PassProtocol

extension Session {
    /// What the answer to a call contains in addition to the phase of the login flow.
    struct Performance {
        var authorization: AuthorizationAnswer?
        /// The error of a failed call. The callbacks have already reported it to the app.
        var error: RPCError?
        /// If a login has ended, the outcome that the app was told.
        var outcome: LoginOutcome?
    }

    /// Performs the effects and all effects that follow from them, until the flow waits for another event. If a call waits
    /// (`isAwaited`), an authorization after the login becomes part of the result. Otherwise the authorization runs in a
    /// separate task.
    @discardableResult func perform(
        _ effects: [AuthenticationEffect], for asker: Asker, isAwaited: Bool = true
    ) async -> Performance {
        defer { wakeJoined() }
        var performance = Performance()
        var open = effects[...]
        while let effect = open.popFirst() {
            // Drops the remaining effects if the app has disconnected or has set another requestor.
            guard !isClosed, currentAsker?.key == asker.key else { break }
            switch effect {
            case .status(.providerNotSelected, let outcome):
                emit(.providerNotSelected, outcome: outcome ?? outcomeOfConclusion())
            case .status(let code, let outcome):
                if code == .providerNotAvailable { performance.error = .noProviders }
                performance.outcome = outcome
                // The callback has the same words as the answer. Ruling 45.
                emit(code, nil, outcome: outcome, words: performance.error?.words)
            case .report(.N130):
                reportEnd("\(SDKStatus.N130.meaning).")
            case .tellReplaced(let outcome):
                reportEnd("Another app has started a sign-in.")
                emit(.genericAuthentication, .replaced, outcome: outcome)
            case .report(let status): report(status)
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
            // Shows nothing if the code has ended while earlier effects were performed.
            case .showCode(let login): if conversation.openLogin?.code == login.code { emit(code: login) }
            case .navigate(let login): openBrowser(for: login, asker)
            case .navigateAgain(let login): navigate(to: login.url, of: login.provider)
            case .watch(let login): engine.openLogins.watch(login.code, of: asker.key, session: number)
            case .leaveLogin: await leaveLogin(for: asker)
            case .complete(let login):
                open = conversation.handle(await complete(login, for: asker, &performance)) + open
            case .refreshProfile(let provider):
                let cancels = conversation.cancelCount
                conclude(open)
                let fault = await refreshProfile(at: provider, for: asker)
                if let fault, cancels == conversation.cancelCount {
                    performance.error = fault.error(.login)
                    open = refused(fault)[...]
                } else if fault != nil || !engine.logins.isKept(provider, for: asker.key) {
                    open = withdrawn()
                }
                concluding = nil
            case .authorize(let resource, let data):
                guard isAwaited else {
                    Task { @EngineActor in _ = try? await authorize(resource, data: data, for: asker.due(nil)) }
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

    private func reportEnd(_ message: String) {
        report(
            .N130, "\(message) Call getAuthentication to begin another login.",
            extras: JSONObject([("action", "authentication")]))
    }

    /// The effects for a login that a logout or a cancel ended while it was being stored: the app is told the outcome. Empty if
    /// the logout or the cancel has already reported the outcome.
    private func withdrawn() -> ArraySlice<AuthenticationEffect> {
        outcomeOfConclusion().map { [.status(.userNotAuthenticated, $0)] } ?? []
    }

    // MARK: The end of a login in progress

    /// Performs the effect `leaveLogin`: ends the login in progress of this session.
    func leaveLogin(for asker: Asker) async {
        browserExpiry?.cancel()
        browserExpiry = nil
        platformRun.task?.cancel()
        platformRun.task = nil
        drawn = nil
        if let login = conversation.browser.closeLogin() { engine.openLogins.abandonCode(of: login, for: asker) }
        await engine.openLogins.hide(of: asker.key, session: number)
    }

    // MARK: The choice of a provider

    // Until a login with the provider succeeds, only this session knows the choice. Then the choice becomes the requestor's
    // selection, which `Logins` owns. Contract: §7.4, §12; OQ-4, OQ-9.

    /// Undoes the choice of a provider. If `cancelSignsOut` is true, the requestor has no selected provider afterwards.
    /// Otherwise it keeps the provider that it had before the choice.
    func deselect(for asker: Asker) async {
        conversation.temporaryIdentity = [:]
        conversation.ownChoice = nil
        if engine.settings.cancelSignsOut {
            let former = engine.logins.login(of: asker.key)
            await changeSelection(to: nil, for: asker)
            if let former {
                engine.context.publish(
                    .signedOut(.logout, by: asker.key.registration.app.rawValue), asker.key.requestor, former.provider)
            }
        } else if login(for: asker) == nil {
            await remember(canAuthenticate: false, for: asker)
        }
    }

    /// The requestor's providers, as the service lists them now.
    func fetchedProviders(for asker: Asker) async throws(BackendFault) -> [Provider] {
        let providers = try await asker.backend.providers(caller(for: asker))
        engine.offers.note(providers, of: asker.key.requestor)
        return providers
    }

    func select(_ id: ProviderID, for asker: Asker) async {
        let provider = knownProvider(id, for: asker)
        // If the viewer is logged in at this provider already, selecting it is enough. OQ-9.
        guard engine.logins.profile(at: asker.key.profileKey(at: id)) == nil else {
            return await changeSelection(to: Selection(provider: provider, canAuthenticate: true), for: asker)
        }
        let isSelected = engine.logins.selection(of: asker.key.requestor)?.provider.id == id
        conversation.ownChoice = isSelected ? nil : provider
    }

    /// Changes the selection. All sessions of the requestor share it, so other sessions may be logged in or out.
    func changeSelection(to selection: Selection?, for asker: Asker) async {
        conversation.ownChoice = nil
        await engine.audience.tellingChanges(of: asker.key.requestor, except: number) {
            await engine.logins.select(selection, for: asker.key.requestor)
        }
    }

    /// Remembers whether the last login at the selected provider succeeded.
    func remember(canAuthenticate: Bool, for asker: Asker) async {
        if canAuthenticate { conversation.ownChoice = nil }
        guard conversation.ownChoice == nil, var selection = engine.logins.selection(of: asker.key.requestor) else {
            return
        }
        selection.canAuthenticate = canAuthenticate
        await engine.logins.select(selection, for: asker.key.requestor)
    }

    /// Returns what passd knows about a provider, without asking the service. The identifier is always known.
    func knownProvider(_ id: ProviderID, for asker: Asker) -> Provider {
        let own = [conversation.ownChoice].compactMap(\.self) + conversation.offered
        return own.first { $0.id == id } ?? engine.logins.knownProvider(id, for: asker.key)
    }

    // MARK: Questions to the service

    private func fetchProviders(
        _ attempt: Int, for asker: Asker, _ performance: inout Performance
    ) async -> [AuthenticationEffect] {
        do throws(BackendFault) {
            let providers = try await fetchedProviders(for: asker)
            return conversation.handle(.listed(providers, attempt))
        } catch {
            let effects = conversation.handle(.listingFailed(attempt, error.status(.login)))
            if !effects.isEmpty {
                performance.error = error.error(.login)
                report(error.status(.login))
            }
            return effects
        }
    }

    /// Asks the service for a code or a login page. Abandons the code if the flow no longer waits for it.
    private func beginLogin(
        _ request: LoginRequest, attempt: Int, for asker: Asker, _ performance: inout Performance
    ) async -> [AuthenticationEffect] {
        var request = request
        request.style = appOptions.style
        guard conversation.flow.isBeginning(attempt) else { return [] }
        var asking = asker
        if asker.backend.traits.temporaryPassByCall {
            asking.options.temporaryIdentity = conversation.temporaryIdentity
        }
        let provider = request.provider.map { knownProvider($0, for: asker) }
        let endsFormer =
            request.isForced && asker.backend.traits.forcedLoginEndsFormer && provider?.isTempPass == false
        do throws(BackendFault) {
            let step = try await engine.openLogins.beginLogin(request, at: provider, for: asking, session: number) {
                conversation.flow.isBeginning(attempt)
            }
            if endsFormer, !step.isIn, let provider {
                await engine.signOn.endReplaced(asker.key.profileKey(at: provider.id), by: number)
            }
            let effects = conversation.handle(.begun(step, request.style, attempt))
            switch step {
            case .openURL(let login) where effects.isEmpty: engine.openLogins.abandonCode(of: login, for: asker)
            case .showCode(let login) where conversation.openLogin?.code != login.code:
                await engine.openLogins.hide(login.code, of: asker.key, session: number)
            case .showCode(let login)
            where request.style == .secondScreen && !engine.openLogins.isOpen(login.code, of: asker.key):
                // The code ended before the flow could be notified.
                return conversation.handle(.polled(self.login(for: asker).map { .done($0) } ?? .gone))
            case .showCode, .openURL, .alreadyIn: break
            }
            return effects
        } catch {
            // Asks the service about the logins, because it may have ended the former login before this login failed to begin.
            // Contract: rest-v2.md §19 item 7.
            if endsFormer { Task { try? await engine.signOn.resync(asker.ranked(.background)) } }
            if conversation.flow.isBeginning(attempt), error.isUsedUpPass {
                performance.error = error.loginError
                return conversation.handle(.abandoned) + refused(error)
            }
            let effects = conversation.handle(.beginFailed(attempt))
            if !effects.isEmpty { performance.error = error.loginError }
            return effects
        }
    }

    /// Asks the service for the outcome after the browser has returned. Asks up to three times, with pauses, because the
    /// service may not know the outcome at once. Contract: access-enabler.md §7.6.
    private func complete(
        _ login: OpenLogin, for asker: Asker, _ performance: inout Performance
    ) async -> AuthenticationEvent {
        for attempt in 0..<3 {
            if attempt > 0 {
                guard PollSchedule.shortest < engine.context.limited(.seconds(60), by: asker) else { break }
                await engine.context.ports.clock.sleep(for: PollSchedule.shortest)
            }
            let epoch = engine.logins.epochs.joint(asker.key)
            do throws(BackendFault) {
                switch try await asker.backend.pollLogin(login, caller(for: asker)) {
                case .pending: continue
                case .gone: return .polled(.gone)
                case .done(let profile):
                    guard conversation.isCompleting(login) else { return .abandoned }
                    // If a login has begun or ended since the question, the found login may no longer be valid, for example
                    // after a logout. Only the next answer shows whether the login is valid.
                    guard epoch == engine.logins.epochs.joint(asker.key) else { continue }
                    _ = conversation.browser.closeLogin()
                    return await adopt(profile, by: login, for: asker) ? .polled(.done(profile)) : .polled(.gone)
                }
            } catch {
                // The outcome is unknown. Contract: §7.6.
                if conversation.isCompleting(login) {
                    performance.error = error.error(.login)
                    report(error.status(.login))
                }
                return .completionFailed(error.status(.login))
            }
        }
        return .polled(.pending)
    }

    /// Stores a login that the viewer made in this session, and announces it to the other apps. Returns false if there
    /// was a logout or a cancel in the meantime.
    @discardableResult func adopt(_ profile: Profile, by login: OpenLogin? = nil, for asker: Asker) async -> Bool {
        let provider = knownProvider(profile.provider, for: asker)
        let adoption = await engine.signOn.adopt(profile, provider, for: asker.key, closing: login)
        engine.signOn.announceSoon(profile, of: asker.key, adoption, toldAlready: [number])
        return engine.logins.isKept(profile.provider, for: asker.key)
    }

    /// Asks the service for a login that passd does not know yet. Returns nil if passd knows the login now, and otherwise the
    /// reason why not.
    private func refreshProfile(at provider: ProviderID, for asker: Asker) async -> BackendFault? {
        let (epoch, cancels) = (engine.logins.epochs.joint(asker.key), conversation.cancelCount)
        do throws(BackendFault) {
            var asking = asker
            asking.options.temporaryIdentity = conversation.temporaryIdentity
            let question = caller(for: asking)
            let (found, ended) = try await engine.logins.questions.follow(from: []) { () async throws(BackendFault) in
                try await asking.backend.profiles(.provider(provider), question)
            }
            guard epoch == engine.logins.epochs.joint(asker.key), cancels == conversation.cancelCount else {
                // In the meantime, another session has already fetched this login, or the viewer has logged out or cancelled.
                let isThere = engine.logins.profile(at: asker.key.profileKey(at: provider)) != nil
                return isThere && cancels == conversation.cancelCount ? nil : BackendFault(.cancelled)
            }
            guard let profile = found.first(where: { $0.provider == provider && !engine.context.hasEnded($0) }) else {
                return BackendFault(.unusableAnswer)
            }
            // A login without a viewer cannot belong to the previous viewer.
            let isNobodys = profile.kind == .degraded || profile.kind == .temporary
            guard isNobodys || !engine.logoutDelivery.isOwed(at: provider, before: asker.key) else {
                return .logoutPending
            }
            // A login that comes from another app does not count if the viewer has logged out there in the meantime.
            if profile.isSignOn, ended.contains(where: { $0.provider == provider }) { return BackendFault(.cancelled) }
            await adopt(profile.identified(by: conversation.temporaryIdentity), for: asker)
            return nil
        } catch {
            return error
        }
    }

    /// The effects of a login that the service refuses. Contract: access-enabler.md §16.1 for a temporary pass that is
    /// used up.
    private func refused(_ fault: BackendFault) -> [AuthenticationEffect] {
        let outcome: LoginOutcome
        if case .refused(let error) = fault.kind, fault.isUsedUpPass {
            report(.N111, error.description.isEmpty ? nil : error.description)
            outcome = LoginOutcome(.denied, .N111)
        } else {
            report(fault.status(.login))
            outcome = LoginOutcome(.failed, fault.status(.login))
        }
        return [
            .remember(canAuthenticate: false), .status(.genericAuthentication, outcome), .track(.authenticationFailed),
        ]
    }
}

extension RPCError {
    fileprivate static var noProviders: RPCError {
        RPCError.unanswered(
            .N500, "This requestor has no providers.",
            remedy: "Ask the service's operator to connect this requestor with providers.", action: .configuration
        ).saying(.notAvailable)
    }
}

extension BackendFault {
    /// The fault if the service has not confirmed the end of the previous viewer's login yet. The service could answer
    /// with that old login, and the next viewer must not get it.
    fileprivate static var logoutPending: BackendFault {
        BackendFault(
            .refused(
                ServiceError(
                    status: 0, code: "logout_pending", actionName: "retry",
                    message: "The service has not yet ended the previous login.")))
    }

    /// The error if the service gave no login code: `REG500`, unless the contract has a more precise error.
    fileprivate var loginError: RPCError {
        switch kind {
        case .serverError, .unusableAnswer:
            // If `reason` is set, a proxy or a captive portal may have answered. In this case, the words of `error` are kept.
            var answer = error(.login)
            answer.name = .unanswered(.REG500)
            if reason == nil {
                (answer.message, answer.remedy) = ("\(SDKStatus.REG500.meaning).", SDKStatus.REG500.remedy)
            }
            return answer
        default: return error(.login)
        }
    }
}
