// The calls by which an app begins, follows and cancels a login, and notifications of logins made elsewhere. `Conversation`
// decides the effects of each call, and `perform` performs them. Contract: access-enabler.md §6.2, §7; rpc.md §4.

public import PassProtocol

extension Session {
    /// Contract: §7.2.
    public func getAuthentication(_ params: GetAuthentication.Params) async throws(RPCError) -> LoginAnswer {
        let asker = try await settledAsker(.viewer, failing: unconfigured)
        conversation.remember(data: params.data, filter: params.filter)
        let (result, _) = try await authenticate(params, for: asker, origin: .authentication)
        return result
    }

    /// Passes the question to the conversation, performs the effects, and answers with the phase of the flow.
    func authenticate(
        _ params: GetAuthentication.Params, for asker: Asker, origin: AuthenticationFlow.Origin
    ) async throws(RPCError) -> (LoginAnswer, AuthorizationAnswer?) {
        let question = question(params, for: asker, origin: origin)
        let isConflict = conversation.conflicts(with: question)
        let isJoining = conversation.isOpen && !isConflict
        let effects = conversation.handle(.asked(question))
        let performance = await perform(effects, for: asker)
        if isConflict { throw .flowConflict("This session has another login in progress") }
        if let error = performance.error { throw error }
        if let answer = performance.authorization { return (.authenticated, answer) }
        if question.authenticatedWith != nil, !question.isForced { return (.authenticated, nil) }
        if isJoining { await awaitOpenLogin() }
        let providers = conversation.picker.map(\.mvpd)
        switch (openLogin(offering: providers), conversation.phase) {
        // Another call of this session has chosen a provider from an earlier list.
        case (_, .beginning): return (.selectProvider(providers), nil)
        case (nil, _) where login(for: asker) != nil: return (.authenticated, nil)
        case (nil, _) where isJoining:
            throw .unanswered(
                .N500,
                "The open login has ended. The callback about its "
                    + "end has the reason.")
        case (nil, _), (_, .listing): throw .unanswered(.N500, "The login was cancelled in the meantime.")
        case (let answer?, _): return (answer, nil)
        }
    }

    private func question(
        _ params: GetAuthentication.Params, for asker: Asker, origin: AuthenticationFlow.Origin
    ) -> AuthenticationQuestion {
        var question = AuthenticationQuestion()
        question.origin = origin
        question.isForced = params.force
        question.data = params.data
        question.authenticatedWith = login(for: asker)?.provider
        question.mayUsePlatform = engine.context.ports.platform.partner != nil
        let selection = selection(for: asker)
        if engine.settings.remembersProvider, let selection, selection.canAuthenticate {
            question.remembered = selection.provider.id
        }
        if appOptions.style == .secondScreen { question.openElsewhere = engine.openLogins.openLogin(of: asker.key) }
        return question
    }

    /// How the call that chose a provider continues.
    private enum ChosenStep {
        case answer(LoginAnswer)
        case startLogin
        case perform([AuthenticationEffect])
    }

    /// Contract: §7.4.
    public func setSelectedProvider(
        _ params: SetSelectedProvider.Params
    ) async throws(RPCError) -> LoginAnswer {
        guard let id = params.providerID.map({ ProviderID(rawValue: $0) }) else { return try await cancelLogin() }
        let deadline = engine.context.callDeadline
        let (asker, cancels, step) = try await chooseInTurn(id, by: deadline)
        switch step {
        case .answer(let result): return result
        case .startLogin:
            // The setting `select-starts-login`. OQ-6.
            do throws(RPCError) {
                return try await authenticate(.init(), for: asker, origin: .authentication).0.afterChoice
            } catch {
                if cancels != conversation.cancelCount { return .cancelled }
                throw error
            }
        case .perform(let effects):
            let performance = await perform(effects, for: asker)
            if cancels != conversation.cancelCount { return .cancelled }
            if let error = performance.error { throw error }
        }
        if let answer = openLogin() { return answer.afterChoice }
        guard login(for: asker) != nil else { throw .unanswered(.N500) }
        return .authenticated
    }

    private func chooseInTurn(
        _ id: ProviderID, by deadline: BootTime
    ) async throws(RPCError) -> (Asker, cancels: Int, ChosenStep) {
        await setup.awaitTurn(.viewer)
        defer { setup.passTurnOn() }
        guard let asker = asker?.due(deadline) else { throw unconfigured() }
        let cancels = conversation.cancelCount
        return (asker, cancels, try await choose(id, for: asker))
    }

    private func choose(_ id: ProviderID, for asker: Asker) async throws(RPCError) -> ChosenStep {
        let cancels = conversation.cancelCount
        let profileKey = asker.key.profileKey(at: id)
        // If the viewer is already logged in with this provider, only the selection changes. OQ-9.
        if !conversation.isOpen, engine.logins.profile(at: profileKey) != nil {
            await perform(conversation.handle(.chosen(ProviderChoice(provider: id, isIn: true))), for: asker)
            return .answer(.authenticated)
        }
        guard let provider = try await provider(id, for: asker) else {
            await perform(conversation.handle(.chosen(ProviderChoice(provider: id, isKnown: false))), for: asker)
            var error = RPCError.invalidParams(
                SchemaFault(path: "providerID", expected: "one of this requestor's providers", found: "another one"))
            error.remedy = "listProviders has this requestor's providers; choose one by its id."
            throw error.saying(.providerNotAvailable)
        }
        guard cancels == conversation.cancelCount else { return .answer(.cancelled) }
        let outcome = conversation.choose(
            provider, isIn: engine.logins.profile(at: profileKey) != nil,
            isPassByCall: asker.backend.traits.temporaryPassByCall)
        switch outcome {
        case .goesOn(let effects): return .perform(effects)
        case .isForLater(let effects):
            await perform(effects, for: asker)
            return engine.settings.selectStartsLogin ? .startLogin : .answer(.selected)
        }
    }

    /// The provider as the requestor's list shows it, or nil if the list does not have it.
    private func provider(_ id: ProviderID, for asker: Asker) async throws(RPCError) -> Provider? {
        if let provider = conversation.offered.first(where: { $0.id == id }) { return provider }
        do throws(BackendFault) {
            conversation.offered = try await fetchedProviders(for: asker)
            return conversation.offered.first { $0.id == id }
        } catch {
            let remembered = selection(for: asker)?.provider
            if let remembered, remembered.id == id { return remembered }
            report(error.status(.login))
            throw error.error(.login)
        }
    }

    // MARK: Cancelling

    /// Ends the login in progress, and undoes the choice of a provider (`deselect`). The code of the login is kept if another
    /// session shows it. Completed logins are kept. The cancel takes effect at once, even during other calls. Later calls wait
    /// until it is done. Contract: §7.4 "Null = cancel", §6.2.
    func cancelLogin() async throws(RPCError) -> LoginAnswer {
        conversation.cancel()
        guard let asker = currentAsker else { throw unconfigured() }
        let hasTurn = setup.takeFreeTurn()
        defer { if hasTurn { setup.passTurnOn() } }
        let effects = conversation.handle(.cancelled)
        await engine.openLogins.cancelLogin(of: asker.key, by: number)
        await perform(effects, for: asker)
        return .cancelled
    }

    // MARK: The browser

    /// Handles a return of the browser from a login or from a provider's logout page. Each return counts once. A repeated URL
    /// fails, because no page is open then. A URL that is not a redirect URL changes nothing. Contract: §7.5, §7.6.
    public func handleExternalURL(
        _ params: HandleExternalURL.Params
    ) async throws(RPCError) -> HandleExternalURL.Result {
        guard let asker = asker?.due(engine.context.callDeadline), conversation.waitsForBrowser else {
            throw .flowConflict("No login or logout of this session is waiting for a browser")
        }
        guard isRedirect(params.url) else {
            throw .invalidParams(
                SchemaFault(
                    path: "url", expected: "the redirect URL, or one with the app's scheme", found: "another URL"))
        }
        switch conversation.browser.comeBack(fromLogin: conversation.isInBrowser) {
        case .logoutPage(let next?):
            navigate(to: next.url, of: next.provider)
            return .init(authenticated: false, errorCode: .userNotAuthenticated)
        case .logoutPage(nil):
            emit(.userNotAuthenticated, .logout)
            track(Tracking.authenticationFailed)
            return .init(authenticated: false, errorCode: .userNotAuthenticated)
        case .overtakenLogin:
            let isIn = login(for: asker) != nil
            return .init(authenticated: isIn, errorCode: isIn ? .authenticated : .userNotAuthenticated)
        case .login:
            let effects = conversation.handle(.urlHandled(isRefusal: Self.isRefusal(params.url)))
            let performance = await perform(effects, for: asker)
            if let error = performance.error { throw error }
            let isIn = login(for: asker) != nil
            return .init(
                authenticated: isIn, errorCode: isIn ? .authenticated : .genericAuthentication,
                words: isIn ? nil : performance.outcome?.words)
        }
    }

    /// Whether this is `ADOBEPASS_REDIRECT_URL`, a URL with an app's custom scheme (`adbe.` and 22 characters), or one
    /// of `redirectAddresses` in the settings.
    private func isRedirect(_ url: String) -> Bool {
        let address = Substring(url.unicodeScalars.prefix { $0 != "?" && $0 != "#" })
        if address == "adobepass://ios.app" || address == "adobepass://ios.app/" { return true }
        if engine.settings.redirectAddresses.contains(where: { $0.utf8.elementsEqual(address.utf8) }) { return true }
        let prefix = "adbe.".utf8
        guard address.utf8.starts(with: prefix), let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")),
            address.utf8[colon...].starts(with: "://".utf8)
        else { return false }
        let id = address.utf8[..<colon].dropFirst(prefix.count)
        return id.count == 22
            && id.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2D || byte == 0x5F
            }
    }

    /// Whether the query has an `error` parameter.
    private static func isRefusal(_ url: String) -> Bool {
        let whole = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        let query = whole.drop { $0 != UInt8(ascii: "?") }.dropFirst()
        return query.split(separator: UInt8(ascii: "&")).contains { $0.starts(with: "error=".utf8) }
    }

    // MARK: News from the rest of the engine

    /// Handles the end of a code that this session showed. Does nothing if the session shows another code by now.
    func codeEnded(_ code: RegistrationCode, _ end: LoginPoller.End) async {
        guard let asker = currentAsker, conversation.openLogin?.code == code else { return }
        switch end {
        case .done(let profile):
            // Sessions are notified one after the other. Before this session's turn, the viewer may have logged out or
            // cancelled.
            let isKept = engine.logins.isKept(profile.provider, for: asker.key)
            await perform(
                conversation.handle(.polled(isKept ? .done(profile) : .gone)), for: asker, isAwaited: false)
        case .gone: await perform(conversation.handle(.polled(.gone)), for: asker, isAwaited: false)
        case .expired: await perform(conversation.handle(.expired), for: asker, isAwaited: false)
        case .replaced: await perform(conversation.handle(.replaced), for: asker, isAwaited: false)
        }
    }

    /// Handles a login that has become valid for this session, most likely made in another app. rpc.md §5.
    func signedOn(_ profile: Profile, _ origin: LoginOrigin) async {
        guard let asker = currentAsker else { return }
        conversation.ownChoice = nil
        if origin == .unknown, conversation.openLogin != nil, !profile.isSignOn {
            await perform(conversation.handle(.polled(.done(profile))), for: asker, isAwaited: false)
            return
        }
        emit(.authenticated, .sso, outcome: conversation.outcome(.authenticated))
        await perform(conversation.handle(.signedOnElsewhere), for: asker, isAwaited: false)
    }

    /// Called when another session, an operator or the service has ended the viewer's login. A new login in progress continues,
    /// except after a logout. Nothing changes for an app whose viewer has chosen another provider. rpc.md §5.
    func loggedOut(_ reason: Callback.Reason, _ sentence: BoxSentence?) async {
        guard conversation.ownChoice == nil else { return }
        let outcome = reason == .logout ? outcomeOfLogout() : nil
        if reason == .logout {
            if let asker = currentAsker { await perform(conversation.handle(.abandoned), for: asker) }
            conversation.forgetChoice()
        }
        signedOut = sentence
        // The words are the same as in later answers. A temporary pass that is used up has its own words.
        emit(
            .userNotAuthenticated, reason, outcome: outcome,
            saying: currentAsker.map(signInSentence) ?? sentence)
    }

    /// Sends the failure callback of a call without a requestor, and returns the error. Contract: §6.2, the failure column.
    func unconfigured(_ absence: RPCError = .requestorNotSet()) -> RPCError {
        emit(.genericAuthentication, nil, outcome: nil, words: absence.viewerWords)
        return absence
    }
}

extension LoginAnswer {
    /// The answer to `setSelectedProvider`: the choice is made, even if the login cannot continue yet.
    fileprivate var afterChoice: LoginAnswer {
        switch self {
        case .beginning, .selectProvider, .platformDialog: .selected
        case .authenticated, .secondScreen, .browser, .selected, .cancelled: self
        }
    }
}
