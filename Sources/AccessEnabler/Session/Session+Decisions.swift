// Asks the service what the viewer may watch. A play needs a decision, and menus need hints. A media token is valid for one
// play, so the service is asked for each play. Permits for menus are remembered. Contract: access-enabler.md §13, §14;
// open-questions.md OQ-18; rest-v2.md D1, D2, §8.

import PassJSON
public import PassProtocol

// MARK: - Plays

extension Session {
    public func checkAuthorization(_ question: AuthorizationQuestion) async throws(RPCError) -> AuthorizationAnswer {
        let resource = ResourceID(rawValue: question.resource)
        let asker = try await settledAsker(.viewer) { unauthorizable(resource, $0) }
        guard login(for: asker) != nil else {
            publish(.unauthenticated, on: resource, under: nil, for: asker, Cause(decider: .memory))
            let sentence = signInSentence(for: asker)
            emit(.userNotAuthenticated, saying: sentence)
            defer { report(.N000) }
            return refuse(resource, .userNotAuthenticated, saying: sentence)
        }
        return try await authorize(resource, data: question.data, for: asker)
    }

    public func getAuthorization(_ question: AuthorizationQuestion) async throws(RPCError) -> GetAuthorization.Result {
        let resource = ResourceID(rawValue: question.resource)
        let asker = try await settledAsker(.viewer) { unauthorizable(resource, $0) }
        if login(for: asker) != nil {
            return .answered(try await authorize(resource, data: question.data, for: asker))
        }
        let origin = AuthenticationFlow.Origin.authorization(resource, data: question.data)
        let (login, answer) = try await authenticate(.init(data: question.data), for: asker, origin: origin)
        return answer.map { .answered($0) } ?? .pending(resource: question.resource, login)
    }

    /// Answers an authorization call when a viewer is logged in. Contract: §13.2 steps 3 to 6.
    func authorize(
        _ resource: ResourceID, data: [String: String], for asker: Asker
    ) async throws(RPCError) -> AuthorizationAnswer {
        if let profile = login(for: asker) { await renewPermission(for: profile, asker) }
        guard let profile = login(for: asker) else {
            return withdrawn(resource, under: nil, for: asker)
        }
        let (size, limit) = (resource.rawValue.utf8.count, AuthorizationQuestion.maxResourceSize)
        guard size > 0, size <= limit else {
            let message = size == 0 ? "The resource is empty." : "The resource is longer than \(limit) bytes."
            throw unanswered(.Z130, on: resource, .unanswered(.Z130, message))
        }
        let epoch = engine.logins.epochs.current(asker.key)
        let decision: ServiceDecision
        do throws(BackendFault) {
            decision = try await decide(resource, at: profile, data: data, for: asker)
        } catch {
            if epoch != engine.logins.epochs.current(asker.key) {
                return withdrawn(resource, under: profile, for: asker)
            }
            if case .refused(let refusal) = error.kind {
                decision = ServiceDecision(resource: resource, isAuthorized: false, source: .mvpd, error: refusal)
            } else {
                publish(.undecided, on: resource, under: profile, for: asker, Cause(error))
                throw unanswered(error.status(.authorization), on: resource, error.error(.authorization))
            }
        }
        // If the login has ended since the question, the answer is not used, because neither a permit nor a denial applies to
        // the next login.
        if epoch != engine.logins.epochs.current(asker.key) { return withdrawn(resource, under: profile, for: asker) }
        let metadata = await engine.logins.learn(
            decision.metadata, under: asker.key.profileKey(at: profile.provider))
        if epoch != engine.logins.epochs.current(asker.key) { return withdrawn(resource, under: profile, for: asker) }
        return try await conclude(decision, metadata, under: profile, for: asker)
    }

    private func publish(
        _ verdict: EngineEvent.Verdict, on resource: ResourceID, under profile: Profile?, for asker: Asker,
        _ cause: Cause
    ) {
        engine.context.publish(
            .authorization(resource, verdict), asker.key.requestor, profile?.provider, session: number, because: cause)
    }

    /// The answer to a question whose login ended while the service was being asked.
    private func withdrawn(_ resource: ResourceID, under profile: Profile?, for asker: Asker) -> AuthorizationAnswer {
        publish(.unauthenticated, on: resource, under: profile, for: asker, Cause(decider: .memory))
        // If the viewer has signed in again, the next try will succeed.
        let sentence = login(for: asker) == nil ? signInSentence(for: asker) : .tryLater
        return refuse(resource, .userNotAuthenticated, saying: sentence)
    }

    /// Asks for a decision. The app may send a new identity for a temporary pass with each call. Contract: §13.2,
    /// rest-v2.md §3.9.
    private func decide(
        _ resource: ResourceID, at profile: Profile, data: [String: String], for asker: Asker
    ) async throws(BackendFault) -> ServiceDecision {
        var caller = caller(for: asker)
        if profile.kind == .temporary, !data.isEmpty { caller.options.temporaryIdentity = data }
        let decisions = try await engine.logins.epochs.ask(asker.key) { [caller] in
            try await asker.backend.authorize([resource], at: profile.provider, caller)
        }
        guard let decision = decisions.first else { throw BackendFault(.unusableAnswer) }
        return decision
    }

    private func conclude(
        _ decision: ServiceDecision, _ metadata: [String: Profile.Attribute]?, under profile: Profile, for asker: Asker
    ) async throws(RPCError) -> AuthorizationAnswer {
        let profileKey = asker.key.profileKey(at: profile.provider)
        let resource = decision.resource
        let outcome = DecisionOutcome(decision)
        publish(outcome.verdict, on: resource, under: profile, for: asker, Cause(decision))
        switch outcome {
        case .permitted(let token, let status):
            // Another expiry time means a new decision, because a repeated decision keeps its expiry time.
            let isNew = decision.notAfter != engine.logins.answers(under: profileKey)?.end(of: resource)
            engine.logins.remember(under: profileKey) {
                $0.remember(resource, until: decision.notAfter ?? token.notAfter)
            }
            if metadata == nil, isNew, decision.notAfter != nil,
                decision.source == .mvpd || decision.source == .tempPass
            {
                engine.signOn.readMetadataSoon(at: profile.provider, for: asker)
            }
            if let status { report(status, extras: ["resource": resource]) }
            emit(.setToken(token.serialized.reveal(), resource: resource.rawValue))
            track(Tracking.authorization(profile.provider, guid: guid(profile), isCached: false))
            return AuthorizationAnswer(
                resource: resource.rawValue,
                outcome: .authorized(
                    token: token.serialized.reveal(), expires: engine.context.boxDate(token.notAfter),
                    source: decision.source.name), metadata: metadata?.shownValues)
        case .denied(let status, let code):
            engine.logins.forgetEnd(of: resource, under: profileKey)
            report(status, decision.error?.description.nonEmpty, extras: ["resource": resource])
            return refuse(resource, code, decision)
        case .notAuthenticated:
            let sentence = await endUnaccepted(profileKey, decision.error, for: asker)
            return refuse(resource, .userNotAuthenticated, decision, saying: sentence)
        case .lapsed:
            await endLapsed(profileKey, for: asker)
            return refuse(resource, .userNotAuthenticated, decision)
        case .unanswered(let status):
            let needsIdentity = decision.error?.needsTemporaryIdentity == true
            let message = needsIdentity ? "This temporary pass needs the viewer's identity." : nil
            var error = RPCError.unanswered(
                status, message, action: decision.error?.action, trace: decision.error?.trace,
                details: decision.error?.shown.json)
            if status == CallPhase.authorization.general, let cause = decision.error { error.explain(cause) }
            let sentence = decision.error?.sentence(.authorization) ?? BoxSentence(undecided: status)
            error.words = ViewerWords(provider: decision.error?.details, else: sentence)
            if needsIdentity {
                error.remedy =
                    "Send data with this call. Or send it only once: call getAuthentication with data, then "
                    + "choose the pass."
                error.words = ViewerWords(.signInAgain)
            }
            throw unanswered(status, on: resource, error, cause: decision.error)
        }
    }

    /// Ends a login that the service no longer accepts, although it is still valid in memory. Returns the sentence for the
    /// viewer. Contract: rest-v2.md §8.
    @discardableResult
    func endUnaccepted(_ key: ProfileKey, _ refusal: ServiceError?, for asker: Asker) async -> BoxSentence {
        let cause: LoginEndCause = refusal?.code.hasSuffix("_expired") == true ? .expired : .revoked
        await engine.audience.tellingChanges(of: key.requestor, except: number, reason: cause.reason) {
            await engine.logins.end([key], cause)
        }
        report(.N000)
        signedOut = .signInAgain
        let sentence = signInSentence(for: asker)
        emit(.userNotAuthenticated, cause.reason, saying: sentence)
        return sentence
    }

    /// Ends a login whose provider no longer works with the requestor: the viewer has to choose again. Contract: rest-v2.md
    /// §9.
    func endLapsed(_ key: ProfileKey, for asker: Asker) async {
        asker.backend.forgetProviders(caller(for: asker))
        await engine.audience.tellingChanges(of: key.requestor, except: number, reason: .revoked) {
            await engine.logins.endLapsed(key)
        }
        report(.N000)
        signedOut = .signInAgain
        emit(.userNotAuthenticated, .revoked, saying: .signInAgain)
    }

    // MARK: Callbacks

    private func emit(
        failure code: FlowErrorCode, _ resource: ResourceID, _ error: ServiceError?, words: RefusalWords
    ) {
        let description = error?.description ?? ""
        emit(.tokenRequestFailed(resource: resource.rawValue, code, description: description, error?.shown, words))
        track(Tracking.authorizationFailed(code, details: description))
    }

    /// Tells the app in a callback that the token is refused, and returns this refusal as the answer.
    private func refuse(
        _ resource: ResourceID, _ code: FlowErrorCode, _ decision: ServiceDecision? = nil,
        saying sentence: BoxSentence? = nil
    ) -> AuthorizationAnswer {
        let error = decision?.error
        emit(failure: code, resource, error, words: RefusalWords(code, error?.shown, saying: sentence))
        return AuthorizationAnswer(
            resource: resource.rawValue, outcome: .refused(code, source: decision?.source.name, error?.shown),
            saying: sentence)
    }

    private func unanswered(
        _ status: SDKStatus, on resource: ResourceID, _ error: RPCError, cause: ServiceError? = nil
    ) -> RPCError {
        report(status, cause?.needsTemporaryIdentity == true ? error.message : nil, extras: ["resource": resource])
        let decisions: Set<SDKStatus> = [.Z100, .Z110, .Z120, .Z130, .Z169]
        let code: FlowErrorCode = decisions.contains(status) ? .userNotAuthorized : .genericAuthorization
        // For these statuses, the SDK has the same code as for a refusal by the provider, so only the words for viewers differ.
        // Ruling 45.
        emit(failure: code, resource, cause, words: RefusalWords(code, unanswered: error))
        return error
    }

    /// Sends the callback of an authorization call that has no requestor, and returns the error for the call. Contract:
    /// §6.2, the failure column.
    private func unauthorizable(_ resource: ResourceID, _ absence: RPCError) -> RPCError {
        let words = RefusalWords(.genericAuthorization, unanswered: absence)
        emit(.tokenRequestFailed(resource: resource.rawValue, .genericAuthorization, description: "", nil, words))
        return absence
    }

    private func report(_ status: SDKStatus, _ message: String? = nil, extras: [String: ResourceID]) {
        report(status, message, extras: JSONObject(extras.map { ($0.key, .string($0.value.rawValue)) }))
    }
}

// MARK: - Menus

extension Session {
    public func checkPreauthorizedResources(
        _ params: CheckPreauthorizedResources.Params
    ) async throws(RPCError) -> CheckPreauthorizedResources.Result {
        let asker = try await settledAsker { absence in
            report(.P100)
            emit(.preauthorizedResources([]))
            return absence
        }
        guard let profile = login(for: asker) else { return nobody(asker) }
        do throws(BackendFault) {
            let decisions = try await hints(params.resources, under: profile, for: asker, usesMemory: params.cache)
            guard login(for: asker) != nil else { return nobody(asker) }
            let permitted = decisions.filter { $0.isAuthorized || engine.settings.permitsOmitted && $0.isOmitted }
                .map(\.resource.rawValue)
            emit(.preauthorizedResources(permitted))
            return .init(resources: permitted)
        } catch {
            if await hasEnded(error, under: profile, for: asker) {
                emit(.preauthorizedResources([]))
                return .init(resources: [], words: ViewerWords(signInSentence(for: asker)))
            }
            guard login(for: asker) != nil else { return nobody(asker) }
            report(.P100)
            emit(.preauthorizedResources([]))
            throw error.error(.preauthorization)
        }
    }

    /// The answer if no viewer is signed in, or if a logout has ended the open questions.
    private func nobody(_ asker: Asker) -> CheckPreauthorizedResources.Result {
        report(.N000)
        emit(.preauthorizedResources([]))
        return .init(resources: [], words: ViewerWords(signInSentence(for: asker)))
    }

    /// Asks for hints. The call does not wait for `setRequestor`, but fails at once if `setRequestor` has not completed.
    /// Contract: §6.2, §14.2.
    public func preauthorize(_ params: Preauthorize.Params) async throws(RPCError) -> Preauthorize.Result {
        guard let asker = asker?.due(engine.context.callDeadline) else {
            throw .requestorNotConfigured
        }
        guard let profile = login(for: asker) else { return noLogin(of: asker) }
        do throws(BackendFault) {
            let usesMemory = !params.disabledFeatures.contains(.localCache)
            let decisions = try await hints(params.resources, under: profile, for: asker, usesMemory: usesMemory)
            guard login(for: asker) != nil else { return noLogin(of: asker) }
            return .init(decisions: decisions.map(\.hint))
        } catch {
            if case .refused(let refusal) = error.kind, await hasEnded(error, under: profile, for: asker) {
                return .init(signedOut: refusal.shown, saying: signInSentence(for: asker))
            }
            guard login(for: asker) != nil else { return noLogin(of: asker) }
            var answer = error.error(.preauthorization)
            if answer.details == nil, let code = error.clientCode {
                answer.details = ["status": 0, "code": .string(code), "action": "none"]
            }
            throw answer
        }
    }

    private func noLogin(of asker: Asker) -> Preauthorize.Result {
        let hasEnded = engine.logins.hasEndedLogin(selection(for: asker), of: asker.key)
        let error = ServiceError(
            status: 0, code: "authentication_session_\(hasEnded ? "expired" : "missing")",
            actionName: "authentication",
            message: hasEnded ? "The viewer's login has ended." : "The viewer is not logged in.")
        return .init(signedOut: error.shown, saying: signInSentence(for: asker))
    }

    /// Ends the login if the service no longer accepts it, or if the requestor no longer works with the provider. A play
    /// does the same. Returns whether the login has ended. Contract: rest-v2.md §8, §9.
    private func hasEnded(_ fault: BackendFault, under profile: Profile, for asker: Asker) async -> Bool {
        guard case .refused(let refusal) = fault.kind, let isLapsed = refusal.endsLogin else { return false }
        let key = asker.key.profileKey(at: profile.provider)
        guard engine.logins.profile(at: key) != nil else { return true }
        if isLapsed { await endLapsed(key, for: asker) } else { await endUnaccepted(key, refusal, for: asker) }
        return true
    }

    private func hints(
        _ names: [String], under profile: Profile, for asker: Asker, usesMemory: Bool
    ) async throws(BackendFault) -> [ServiceDecision] {
        let resources = names.map { ResourceID(rawValue: $0) }
        let profileKey = asker.key.profileKey(at: profile.provider)
        let now = engine.context.ports.clock.boot
        let memory = usesMemory ? engine.logins.answers(under: profileKey) : nil
        let known = resources.map { memory?.hint(for: $0, at: now) }
        let question = zip(resources, known).compactMap { $1 == nil ? $0 : nil }
        guard !question.isEmpty else { return known.compactMap(\.self) }
        let epoch = engine.logins.epochs.current(asker.key)
        let caller = caller(for: asker.ranked(.start))
        func tell(_ hints: [EngineEvent.Hint]) {
            engine.context.publish(
                .preauthorization(hints), asker.key.requestor, profile.provider, session: number)
        }
        var answers: [ServiceDecision]
        do throws(BackendFault) {
            answers = try await engine.logins.epochs.ask(asker.key) {
                try await asker.backend.preauthorize(question, at: profile.provider, caller)
            }
        } catch {
            tell(question.map { .init(resource: $0, verdict: .undecided, cause: .init(error)) })
            throw error
        }
        tell(answers.map { .init(resource: $0.resource, verdict: $0.hintVerdict, cause: .init($0)) })
        // Ignores the refusal if a login has begun or ended since the question, because the refusal is about the login at that
        // time.
        if epoch == engine.logins.epochs.current(asker.key),
            let refusal = answers.compactMap(\.error).first(where: { $0.endsLogin != nil })
        {
            throw BackendFault(.refused(refusal))
        }
        // Answers for an ended login are not remembered.
        if epoch == engine.logins.epochs.current(asker.key) {
            let end = now.advanced(by: engine.settings.preauthorizationLifetime)
            let metadata = answers.reduce(into: [:]) { all, answer in all.merge(answer.metadata) { $1 } }
            for index in answers.indices { answers[index].metadata = [:] }
            engine.logins.remember(under: profileKey) { $0.remember(answers, until: end) }
            _ = await engine.logins.learn(metadata, under: profileKey)
        }
        var rest = answers[...]
        return known.compactMap { $0 ?? rest.popFirst() }
    }
}

private typealias Cause = EngineEvent.Cause

extension EngineEvent.Cause {
    init(_ decision: ServiceDecision) {
        self = decision.error.map(Self.init) ?? Self(decider: .service)
        source = decision.source.name
    }

    /// Why the service gave no answer, or refused the request.
    init(_ fault: BackendFault) {
        if case .refused(let refusal) = fault.kind {
            self.init(refusal)
        } else {
            let isKnown = ReasonTable.reason(of: fault.code) != nil
            self.init(
                code: isKnown ? fault.code : fault.kind.name, trace: fault.trace,
                message: fault.reason ?? (isKnown ? nil : fault.code))
        }
    }

    private init(_ refusal: ServiceError) {
        self.init(
            decider: .service, code: refusal.code, trace: refusal.trace, text: refusal.details,
            message: refusal.message)
    }
}

extension String {
    var nonEmpty: String? { isEmpty ? nil : self }
}

extension RPCError {
    fileprivate static var requestorNotConfigured: RPCError {
        var error = RPCError.requestorNotSet()
        error.action = .retry
        error.details = ["status": 0, "code": "requestor_not_configured", "action": "retry"]
        return error
    }
}

extension ServiceError {
    /// Nil if this answer does not end the login. True if the requestor no longer works with the provider; false if the service
    /// no longer accepts the login.
    fileprivate var endsLogin: Bool? {
        switch DecisionOutcome(self) {
        case .notAuthenticated: false
        case .lapsed: true
        case .permitted, .denied, .unanswered: nil
        }
    }
}

extension BackendFault {
    /// The SDK's own code for the failure, if it has one. Contract: §14.2.
    fileprivate var clientCode: String? {
        switch kind {
        case .registrationRefused, .tokenRefused: "access_token_unavailable"
        case .unusableAnswer: "server_response_format_unknown"
        case .unreachable, .insecure, .deadline: "network_error"
        case .noService, .overloaded, .throttled, .serverError, .refused, .cancelled: nil
        }
    }
}
