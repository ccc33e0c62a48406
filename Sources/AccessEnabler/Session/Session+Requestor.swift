// The call `setRequestor`. It aligns the logins in memory with the service's logins. If the viewer is logged in, memory answers
// at once, and the service is asked afterwards. Other calls wait for `setRequestor`. Contract: access-enabler.md §6;
// open-questions.md OQ-2, OQ-3; rest-v2.md §18.1.

public import PassProtocol

extension Session {
    public func setRequestor(
        _ params: SetRequestor.Params, _ rights: AppRights
    ) async throws(RPCError) -> SetRequestor.Result {
        let deadline = engine.context.callDeadline
        let requestor = RequestorID(rawValue: params.requestorID)
        guard !params.requestorID.isEmpty else { throw failed(.CFG400, .unanswered(.CFG400)) }
        guard let statement = params.softwareStatement.map({ Secret($0) }) ?? rights.statement else {
            engine.context.publish(
                .requestorFailed, requestor, session: number, because: .init(code: "no-statement"))
            let message = "The app \(rights.app) has no software statement."
            throw failed(.R400, .unanswered(.R400, message, action: .applicationRegistration))
        }
        let backend = try service(params.serviceProviders)
        let registration = backend.registration(of: rights.app, statement: statement)
        let asker = Asker(
            key: LoginKey(registration: registration, requestor: requestor), statement: statement, backend: backend,
            owner: RequestOwner(user: owner.user, app: rights.app), urgency: .viewer)
        if setup.configuring?.key == asker.key {
            // The same requestor is already being set up. Both calls get the answer of that setup, unless the app sets
            // another requestor in between.
            let (settled, absence) = await awaitTurnAndAsker(.start)
            setup.passTurnOn()
            if let settled, settled.key == asker.key { return completed(asker.key) }
            guard setup.failure?.key != asker.key else { throw failed(nil, absence) }
        }
        await setup.awaitTurn(.start)
        defer { setup.passTurnOn() }
        let former = self.asker
        if let former, former.key != asker.key, conversation.isOpen {
            await perform(conversation.handle(.cancelled), for: former)
        }
        guard !isClosed else { throw .notReady(.stopping) }
        let urgency = setup.begin(asker)
        if former?.key != asker.key { conversation.forgetViewer() }
        await engine.logouts.checkStorage(
            params.storageCheck, of: rights.requestors.union([requestor]), by: rights.app, session: number)
        let outcome = await settle(asker, urgency, by: deadline)
        // If the session has been closed, no app waits for the answer.
        guard setup.configuring != nil else { throw .notReady(.stopping) }
        switch outcome {
        case .success:
            setup.end(asker)
            // A call of `setRequestor` means that the app starts again. If the viewer chose another provider but did not log in
            // there, passd forgets this choice and uses the existing login.
            if engine.logins.login(of: asker.key) != nil { conversation.ownChoice = nil }
            engine.loginEnds.refresh()
            engine.context.publish(.requestor, requestor, session: number)
            if engine.context.serverClock.isClearlyWrong { report(.CFG100) }
            // Contract: rest-v2.md §18.3.
            switch engine.logins.login(of: asker.key)?.kind {
            case .degraded: report(.N010)
            case .temporary: report(.N011)
            default: break
            }
            return completed(asker.key)
        case .failure(let fault):
            // A temporary failure does not undo an earlier setup that worked.
            if former?.key == asker.key, fault.isTransient {
                setup.end(asker)
            } else {
                let outcome = conversation.outcome(.failed, fault.status(.configuration))
                await perform(conversation.handle(.abandoned), for: asker)
                if outcome != nil {
                    emit(.genericAuthentication, nil, outcome: outcome, words: fault.error(.login).words)
                }
                setup.end(failing: .init(key: asker.key, error: fault.error(.configuration)))
            }
            engine.context.publish(.requestorFailed, requestor, session: number, because: .init(fault))
            throw failed(fault.status(.configuration), fault.error(.configuration))
        }
    }

    /// If the viewer is logged in, answers from memory, and asks the service afterwards. Otherwise waits for the service, at
    /// most for `setupDeadline`, or longer if other requests of this box go first. Contract: §6.1.
    private func settle(
        _ asker: Asker, _ urgency: Urgency, by deadline: BootTime
    ) async -> Result<Void, BackendFault> {
        let context = engine.context
        // The work must end a little before the deadline, because the call needs time to report a fault.
        var asking = asker.due(deadline.advanced(by: .zero - Self.grace))
        asking.urgency = urgency
        asking.options = appOptions
        var visit: Task<PlatformVisit?, Never>?
        if engine.logins.login(of: asker.key) != nil {
            let task = Task { [asking] in await visitPlatform(for: asking) }
            visit = task
            _ = await context.within(context.limited(engine.settings.platformDeadline, by: asking)) { await task.value }
            // Checks the login again, because the platform's answer may have ended it.
            if engine.logins.login(of: asker.key) != nil {
                if engine.settings.resyncs, engine.signOn.takeTurnToAsk(about: asker.key) {
                    Task { [asking] in await askBehind(asking.ranked(.background), task) }
                }
                return .success(())
            }
        }
        var result = await configure(asking, visit, within: engine.settings.setupDeadline)
        // If other requests of this box went first, the service was not slow, so the setup gets more time. Ruling 48.
        if case .failure(let fault) = result, fault.kind == .overloaded {
            result = await configure(asking, visit, within: engine.settings.callDeadline)
        }
        // If the viewer has logged in during the setup, the setup has succeeded.
        if engine.logins.login(of: asker.key) != nil { return .success(()) }
        if case .failure(let fault) = result, [.deadline, .overloaded].contains(fault.kind) {
            // The registration continues, so that the next attempt finds it done.
            Task { [asking] in try? await asking.backend.prepare(caller(for: asking.ranked(.background))) }
        }
        return result
    }

    /// The time that a call needs to report its timeout.
    private static let grace = Duration.milliseconds(250)

    /// Performs the setup within this time and the deadline of the call. The calls to the service have the same limit. The
    /// setup waits a little longer, so that a slow call can report why it failed.
    private func configure(
        _ asker: Asker, _ visit: Task<PlatformVisit?, Never>?, within time: Duration
    ) async -> Result<Void, BackendFault> {
        let time = engine.context.limited(time, by: asker)
        guard time > .zero else { return .failure(BackendFault(.deadline)) }
        let asking = asker.due(engine.context.deadline(after: time))
        let outcome = await engine.context.within(time + Self.grace) { await self.configure(asking, visit) }
        return outcome ?? .failure(BackendFault(.deadline))
    }

    /// Asks the service about a login after an answer from memory. If the login has ended, the platform may sign the viewer
    /// in again.
    private func askBehind(_ asker: Asker, _ visit: Task<PlatformVisit?, Never>) async {
        do throws(BackendFault) {
            try await asker.backend.prepare(caller(for: asker))
            try await engine.signOn.resync(asker)
        } catch {
            if self.asker?.key == asker.key { report(error.status(.configuration)) }
            return
        }
        // A viewer who has logged out or cancelled in the meantime is not signed in again.
        guard engine.logins.selection(of: asker.key.requestor) != nil else { return }
        await signOnBehind(visit, for: asker)
    }

    /// Signs the viewer in with the platform's account after the answer, and reports this login. Does nothing after a logout or
    /// a cancel.
    private func signOnBehind(_ visit: Task<PlatformVisit?, Never>, for asker: Asker) async {
        let (epoch, cancels) = (engine.logins.epochs.joint(asker.key), conversation.cancelCount)
        let found = await visit.value
        guard self.asker?.key == asker.key, engine.logins.login(of: asker.key) == nil,
            epoch == engine.logins.epochs.joint(asker.key), cancels == conversation.cancelCount
        else { return }
        await signOnSilently(found, for: asker)
        if engine.logins.login(of: asker.key) != nil { emit(.authenticated, .sso) }
    }

    /// Asks the service again when the programs for sign-on tokens have finished, because they were too slow for the call.
    private func signOnWithTokens(_ tokens: Task<Void, Never>, for asker: Asker) async {
        let cancels = conversation.cancelCount
        await tokens.value
        guard self.asker?.key == asker.key, engine.logins.login(of: asker.key) == nil,
            cancels == conversation.cancelCount
        else { return }
        try? await engine.signOn.resync(asker.ranked(.background))
    }

    /// Signs the viewer in before the answer. If the platform or the service is late, the call is answered without the login,
    /// and a callback reports the login later.
    private func signOnInTime(_ visit: PlatformVisit?, for asker: Asker) async {
        let end = asker.deadline ?? engine.context.callDeadline
        // The sign-on continues after the answer.
        let asker = asker.due(nil)
        let first = FirstOutcome<Void>()
        await first.wait {
            let alarm = engine.context.ports.clock.alarm(at: end) { first.come(()) }
            Task { @EngineActor in
                await signOnSilently(visit, for: asker) { first.come(()) }
                alarm.cancel()
                let isAnswered = first.hasCome
                first.come(())
                if isAnswered, self.asker?.key == asker.key, engine.logins.login(of: asker.key) != nil {
                    emit(.authenticated, .sso)
                }
            }
        }
    }

    /// Performs the steps of the setup in their order. Contract: §6.1, items 2 to 8.
    private func configure(_ asker: Asker, _ begun: Task<PlatformVisit?, Never>?) async -> Result<Void, BackendFault> {
        let context = engine.context
        let tokens = Task { [platform = context.ports.platform, now = context.now] in
            await platform.fetchTokens(at: now)
        }
        do throws(BackendFault) {
            try await asker.backend.prepare(context.caller(for: asker))
            await engine.signOn.importTokens(for: asker)
            if engine.logins.takeSanitizedNotice(of: asker.key.requestor) { report(.SEC412) }
            let visit = begun ?? Task { await visitPlatform(for: asker) }
            let time = context.limited(engine.settings.platformDeadline, by: asker)
            let visited = Task { await context.within(time) { await visit.value } }
            let areTokensLate = await context.within(time) { await tokens.value } == nil
            let found = await visited.value
            if engine.settings.resyncs { try await realign(asker) }
            if areTokensLate, engine.settings.resyncs { Task { await signOnWithTokens(tokens, for: asker) } }
            if let found {
                await signOnInTime(found, for: asker)
            } else {
                Task { await signOnBehind(visit, for: asker.due(nil)) }
            }
            await engine.signOn.tryPassiveSignOn(for: asker) { report(.N001) }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Asks the service about the requestor's logins. If the service cannot answer at the moment, a valid login stays
    /// valid. OQ-2.
    private func realign(_ asker: Asker) async throws(BackendFault) {
        do throws(BackendFault) {
            try await engine.signOn.resync(asker)
        } catch {
            guard error.isTransient, engine.logins.login(of: asker.key) != nil else { throw error }
            report(error.status(.configuration))
        }
    }

    /// Returns the service at the addresses that the app names. If the app names none, returns the standard service. Throws if
    /// the named service is not configured.
    private func service(_ addresses: [String]?) throws(RPCError) -> any EntitlementBackend {
        guard let addresses, !addresses.isEmpty else { return engine.context.ports.services.standard }
        if let service = engine.context.ports.services.service(at: addresses) { return service }
        throw .invalidParams(
            SchemaFault(
                path: "serviceProviders", expected: "services that this box is configured for", found: "another one"))
    }

    private func completed(_ key: LoginKey) -> SetRequestor.Result {
        emit(.setRequestorComplete(status: 1))
        let profile = currentAsker.flatMap(login(for:))
        return SetRequestor.Result(
            requestorID: key.requestor.rawValue, authenticated: profile != nil, provider: profile?.provider.rawValue)
    }

    private func failed(_ status: SDKStatus?, _ error: RPCError) -> RPCError {
        if let status { report(status, error.message) }
        emit(.setRequestorComplete(status: 0))
        return error
    }
}

extension BackendFault {
    /// Whether the same question may succeed later without a change of the configuration.
    fileprivate var isTransient: Bool {
        switch kind {
        case .unreachable, .deadline, .overloaded, .throttled, .serverError, .unusableAnswer, .cancelled: true
        case .noService, .registrationRefused, .tokenRefused, .insecure, .refused: false
        }
    }
}
