// The calls around a login. Contract: access-enabler.md §7; rpc.md §4.

import PassProtocol

extension Session {
    /// From memory alone. Contract: §7.1.
    public func checkAuthentication() async throws(RPCError) -> CheckAuthentication.Result {
        guard let standing = await settled() else { throw unconfigured() }
        guard let profile = engine.login(of: standing.key) else {
            emit(.failure(.notAuthenticated))
            track(Tracking.authenticationFailed)
            if let platformObstacle { report(platformObstacle, .check) }
            report(engine.hasUsedUpPass(standing.key) ? .N111 : .N000)
            return .notAuthenticated(.userNotAuthenticated)
        }
        emit(.success)
        track(Tracking.authentication(profile.provider, guid: guid(profile), isCached: true))
        return .authenticated(
            provider: profile.provider.rawValue, expires: profile.notAfter.milliseconds, type: profile.kind.name)
    }

    /// Contract: §7.2.
    public func getAuthentication(_ params: GetAuthentication.Params) async throws(RPCError) -> GetAuthentication.Result
    {
        guard let standing = await settled() else { throw unconfigured() }
        data = params.data
        let (result, _) = try await authenticate(.authentication, params, standing)
        return result
    }

    /// Asks the flow, and says where it rests then.
    func authenticate(
        _ origin: AuthenticationFlow.Origin, _ params: GetAuthentication.Params, _ standing: Standing
    ) async throws(RPCError) -> (GetAuthentication.Result, AuthorizationAnswer?) {
        let question = question(origin, params, standing)
        let isConflict = flow.isOpen && (question.authenticatedWith == nil || question.isForced)
        // It is for this flow, whatever becomes of that.
        if !isConflict { choice = nil }
        let effects = flow.handle(.asked(question))
        let performance = await perform(effects, standing)
        if isConflict { throw .flowConflict("A login is under way in this session already") }
        if let error = performance.error { throw error }
        if let answer = performance.authorization { return (.authenticated, answer) }
        if question.authenticatedWith != nil, !question.isForced { return (.authenticated, nil) }
        switch flow.phase {
        case .choosing: return (.selectProvider(picker.map(\.mvpd)), nil)
        case .secondScreen(_, let login): return (.secondScreen(login.invitation), nil)
        case .browser(_, let login), .completing(_, let login): return (.browser(login.browserInvitation), nil)
        case .idle where engine.login(of: standing.key) != nil: return (.authenticated, nil)
        case .idle where offered.isEmpty: throw .unanswered(.N500, "This requestor has no provider.")
        // Another call of the session has chosen meanwhile, from a list it had before.
        case .beginning: return (.selectProvider(picker.map(\.mvpd)), nil)
        case .idle, .listing, .onPlatform: throw .unanswered(.N500, "The login was given up meanwhile.")
        }
    }

    private func question(
        _ origin: AuthenticationFlow.Origin, _ params: GetAuthentication.Params, _ standing: Standing
    ) -> AuthenticationQuestion {
        var question = AuthenticationQuestion()
        question.origin = origin
        question.isForced = params.force
        question.data = params.data
        question.authenticatedWith = engine.login(of: standing.key)?.provider
        question.chosenBefore = choice
        question.mayUsePlatform = engine.ports.platform.partner != nil
        let selection = engine.memory.contents.selections[standing.key.requestor]
        if engine.settings.remembersProvider, let selection, selection.canAuthenticate {
            question.remembered = selection.provider.id
        }
        if options.style == .secondScreen, let open = engine.openLogin(standing.key),
            choice == nil || choice == open.provider
        {
            question.openElsewhere = open
        }
        return question
    }

    /// Contract: §7.4.
    public func setSelectedProvider(
        _ params: SetSelectedProvider.Params
    ) async throws(RPCError) -> SetSelectedProvider.Result {
        guard let id = params.providerID.map({ ProviderID(rawValue: $0) }) else { return try await cancel() }
        // Until the choice is made, the calls that came after it wait.
        await turn()
        var hasTurn = true
        defer { if hasTurn { turns.passOn() } }
        guard let standing else { throw unconfigured() }
        let cancels = cancelCount
        // Of several logins another one is wanted. OQ-9.
        if !flow.isOpen, engine.profile(standing.key.profile(at: id)) != nil {
            await perform(flow.handle(.chosen(ProviderChoice(provider: id, isIn: true))), standing)
            return .authenticated
        }
        guard let provider = try await known(id, standing) else {
            await perform(flow.handle(.chosen(ProviderChoice(provider: id, isKnown: false))), standing)
            throw .invalidParams(
                SchemaFault(path: "providerID", expected: "one of this requestor's providers", found: "another"))
        }
        guard cancels == cancelCount else { return .cancelled }
        let (wasOpen, isPass) = (flow.isOpen, provider.isTempPass)
        temporaryIdentity = isPass ? data : [:]
        let isIn = !isPass && engine.profile(standing.key.profile(at: id)) != nil
        let effects = flow.handle(
            .chosen(
                ProviderChoice(
                    provider: id, isBasicTempPass: isPass,
                    isPassByCall: isPass && standing.backend.traits.temporaryPassByCall, isIn: isIn)))
        // Without a flow it is for the next one. OQ-6.
        if !wasOpen, !isPass {
            choice = id
            await perform(effects, standing)
            guard engine.settings.selectStartsLogin else { return .selected }
            hasTurn = false
            turns.passOn()
            do throws(RPCError) { return try await startLogin(standing) } catch {
                if cancels != cancelCount { return .cancelled }
                throw error
            }
        }
        hasTurn = false
        turns.passOn()
        let performance = await perform(effects, standing)
        if cancels != cancelCount { return .cancelled }
        if let error = performance.error { throw error }
        switch flow.phase {
        case .secondScreen(_, let login): return .secondScreen(login.invitation)
        case .browser(_, let login), .completing(_, let login): return .browser(login.browserInvitation)
        case .idle:
            guard engine.login(of: standing.key) != nil else { throw .unanswered(.N500) }
            return .authenticated
        case .listing, .onPlatform, .choosing, .beginning: return .selected
        }
    }

    /// In the requestor's list; nil if it is not.
    private func known(_ id: ProviderID, _ standing: Standing) async throws(RPCError) -> Provider? {
        if let provider = offered.first(where: { $0.id == id }) { return provider }
        do throws(BackendFault) {
            offered = try await standing.backend.providers(caller(standing))
            return offered.first { $0.id == id }
        } catch {
            let remembered = engine.memory.contents.selections[standing.key.requestor]?.provider
            if let remembered, remembered.id == id { return remembered }
            report(error.status(.login))
            throw error.error(.login)
        }
    }

    /// At once, whatever else is under way; what comes after it waits. Contract: §7.4 "Null = cancel", §6.2.
    private func cancel() async throws(RPCError) -> SetSelectedProvider.Result {
        choice = nil
        cancelCount += 1
        guard let standing = currentStanding else { throw unconfigured() }
        let takesTurn = !turns.areTaken
        if takesTurn { turns.take() }
        defer { if takesTurn { turns.passOn() } }
        let effects = flow.handle(.cancelled)
        await engine.giveUpLogin(standing.key, for: self)
        await perform(effects, standing)
        return .cancelled
    }

    /// OQ-6, the other reading.
    private func startLogin(_ standing: Standing) async throws(RPCError) -> SetSelectedProvider.Result {
        switch try await authenticate(.authentication, .init(), standing).0 {
        case .authenticated: .authenticated
        case .secondScreen(let invitation): .secondScreen(invitation)
        case .browser(let invitation): .browser(invitation)
        case .selectProvider, .platformDialog: .selected
        }
    }

    // MARK: What others cause

    /// A code that this session showed came to an end. It may show another one by now.
    func loginEnded(_ end: LoginPoller.End, of code: RegistrationCode) async {
        guard let standing = currentStanding, flow.openLogin?.code == code else { return }
        switch end {
        case .done(let profile): await perform(flow.handle(.polled(.done(profile))), standing, isAwaited: false)
        case .gone: await perform(flow.handle(.polled(.gone)), standing, isAwaited: false)
        case .expired: await perform(flow.handle(.expired), standing, isAwaited: false)
        }
    }

    /// Somebody logged in with another app, and it counts for this one. rpc.md §5.
    func signedOn(_ profile: Profile) async {
        guard let standing = currentStanding else { return }
        if isInBrowser { isOvertaken = true }
        emit(.success, .sso)
        await perform(flow.handle(.signedOn), standing, isAwaited: false)
    }

    /// Somebody logged out. rpc.md §5.
    func loggedOut() async {
        if let standing = currentStanding { await perform(flow.handle(.abandoned), standing) }
        choice = nil
        emit(.failure(.notAuthenticated), .logout)
    }

    /// Contract: §6.2, the failure column.
    func unconfigured() -> RPCError {
        emit(.failure(.generic))
        return .requestorNotSet()
    }
}

extension OpenLogin {
    /// Nobody types a code in a browser.
    fileprivate var browserInvitation: LoginInvitation {
        LoginInvitation(url: url, expires: notAfter.milliseconds)
    }
}
