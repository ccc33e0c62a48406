// Asks the service whether a resource may be played. A media token is valid for one play, so the service is asked for
// each play. Only the end of a permit is remembered. Contract: access-enabler.md §13; rest-v2.md D1.

import PassJSON
public import PassProtocol

extension Session {
    public func checkAuthorization(_ question: AuthorizationQuestion) async throws(RPCError) -> AuthorizationAnswer {
        let resource = ResourceID(rawValue: question.resource)
        let (settled, absence) = await settledAsker(.viewer)
        guard let asker = settled else { throw unauthorizable(resource, absence) }
        guard login(for: asker) != nil else {
            publish(.unauthenticated, on: resource, under: nil, for: asker, Cause(.memory))
            let sentence = signInSentence(for: asker)
            emit(.failure(.notAuthenticated), saying: sentence)
            emit(failure: .userNotAuthenticated, resource, saying: sentence)
            report(.N000)
            return refusal(of: resource, .userNotAuthenticated, saying: sentence)
        }
        return try await authorize(resource, data: question.data, for: asker)
    }

    public func getAuthorization(_ question: AuthorizationQuestion) async throws(RPCError) -> GetAuthorization.Result {
        let resource = ResourceID(rawValue: question.resource)
        let (settled, absence) = await settledAsker(.viewer)
        guard let asker = settled else { throw unauthorizable(resource, absence) }
        if login(for: asker) != nil {
            return .answered(try await authorize(resource, data: question.data, for: asker))
        }
        let origin = AuthenticationFlow.Origin.authorization(resource, data: question.data)
        let (login, answer) = try await authenticate(.init(data: question.data), for: asker, origin: origin)
        return answer.map { .answered($0) } ?? .pending(resource: question.resource, login)
    }

    /// Answers for a viewer who is logged in. Contract: §13.2 steps 3 to 6.
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
        // The login under which the question was asked has ended. Its permit must not be used, and its denial says
        // nothing about the next login.
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
            .authorization(session: number, asker.key.requestor, profile?.provider, resource, verdict, cause))
    }

    /// The answer to a question whose login ended while the service was being asked.
    private func withdrawn(_ resource: ResourceID, under profile: Profile?, for asker: Asker) -> AuthorizationAnswer {
        publish(.unauthenticated, on: resource, under: profile, for: asker, Cause(.memory))
        // Somebody may have signed in again since; then the next try will do.
        let sentence = login(for: asker) == nil ? signInSentence(for: asker) : .tryLater
        emit(failure: .userNotAuthenticated, resource, saying: sentence)
        return refusal(of: resource, .userNotAuthenticated, saying: sentence)
    }

    /// The app may send a new identity for a temporary pass with each call. Contract: §13.2, rest-v2.md §3.9.
    private func decide(
        _ resource: ResourceID, at profile: Profile, data: [String: String], for asker: Asker
    ) async throws(BackendFault) -> ServiceDecision {
        var caller = caller(for: asker)
        if profile.kind == .temporary, !data.isEmpty { caller.temporaryIdentity = data }
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
            // The service repeats a decision that it keeps, and its end with it.
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
            emit(failure: code, resource, decision.error)
            return refusal(of: resource, code, decision)
        case .notAuthenticated:
            let sentence = await endUnaccepted(profileKey, decision.error, for: asker)
            emit(failure: .userNotAuthenticated, resource, decision.error, saying: sentence)
            return refusal(of: resource, .userNotAuthenticated, decision, saying: sentence)
        case .lapsed:
            await endLapsed(profileKey, for: asker)
            emit(failure: .userNotAuthenticated, resource, decision.error)
            return refusal(of: resource, .userNotAuthenticated, decision)
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
                    "Send data with this call, or once for all: getAuthentication with data, then choose the pass."
                error.words = ViewerWords(.signInAgain)
            }
            throw unanswered(status, on: resource, error, cause: decision.error)
        }
    }

    /// The service no longer accepts a login that is valid by our memory, so the login ends here, too. Contract:
    /// rest-v2.md §8. Returns what the viewer is told.
    @discardableResult
    func endUnaccepted(_ key: ProfileKey, _ refusal: ServiceError?, for asker: Asker) async -> BoxSentence {
        let cause: LoginEndCause = refusal?.code.hasSuffix("_expired") == true ? .expired : .revoked
        engine.logins.endAnswers(under: key)
        await engine.audience.tellingChanges(of: key.requestor, except: number, reason: cause.reason) {
            await engine.logins.end([key], cause)
        }
        report(.N000)
        noteSignedOut(.signInAgain)
        let sentence = signInSentence(for: asker)
        emit(.failure(.notAuthenticated), cause.reason, saying: sentence)
        return sentence
    }

    /// The requestor no longer works with the viewer's provider: the viewer chooses again. Contract: rest-v2.md §9.
    func endLapsed(_ key: ProfileKey, for asker: Asker) async {
        asker.backend.forgetProviders(caller(for: asker))
        engine.logins.endAnswers(under: key)
        await engine.audience.tellingChanges(of: key.requestor, except: number, reason: .revoked) {
            await engine.logins.endLapsed(key)
        }
        report(.N000)
        noteSignedOut(.signInAgain)
        emit(.failure(.notAuthenticated), .revoked, saying: .signInAgain)
    }

    // MARK: Callbacks

    private func emit(
        failure code: FlowErrorCode, _ resource: ResourceID, _ error: ServiceError? = nil,
        saying sentence: BoxSentence? = nil
    ) {
        emit(failure: code, resource, error, words: RefusalWords(code, error?.shown, saying: sentence))
    }

    private func emit(
        failure code: FlowErrorCode, _ resource: ResourceID, _ error: ServiceError?, words: RefusalWords
    ) {
        let description = error?.description ?? ""
        emit(.tokenRequestFailed(resource: resource.rawValue, code, description: description, error?.shown, words))
        track(Tracking.authorizationFailed(code, details: description))
    }

    private func refusal(
        of resource: ResourceID, _ code: FlowErrorCode, _ decision: ServiceDecision? = nil,
        saying sentence: BoxSentence? = nil
    ) -> AuthorizationAnswer {
        AuthorizationAnswer(
            resource: resource.rawValue,
            outcome: .refused(code, source: decision?.source.name, decision?.error?.shown), saying: sentence)
    }

    private func unanswered(
        _ status: SDKStatus, on resource: ResourceID, _ error: RPCError, cause: ServiceError? = nil
    ) -> RPCError {
        report(status, cause?.needsTemporaryIdentity == true ? error.message : nil, extras: ["resource": resource])
        let decisions: Set<SDKStatus> = [.Z100, .Z110, .Z120, .Z130, .Z169]
        let code: FlowErrorCode = decisions.contains(status) ? .userNotAuthorized : .genericAuthorization
        // The code is the SDK's, which takes all of these for the provider's. The words tell them apart. Ruling 45.
        emit(failure: code, resource, cause, words: RefusalWords(code, unanswered: error))
        return error
    }

    /// The error for an authorization call without a requestor, after its callback. Contract: §6.2, the failure column.
    private func unauthorizable(_ resource: ResourceID, _ absence: RPCError) -> RPCError {
        let words = RefusalWords(.genericAuthorization, unanswered: absence)
        emit(.tokenRequestFailed(resource: resource.rawValue, .genericAuthorization, description: "", nil, words))
        return absence
    }

    private func report(_ status: SDKStatus, _ message: String? = nil, extras: [String: ResourceID]) {
        report(status, message, extras: JSONObject(extras.map { ($0.key, .string($0.value.rawValue)) }))
    }
}

private typealias Cause = EngineEvent.Cause

extension EngineEvent.Cause {
    init(_ decision: ServiceDecision) {
        self = decision.error.map(Self.init) ?? Self(.service)
        source = decision.source.name
    }

    /// Why the service gave no answer, or refused the request.
    init(_ fault: BackendFault) {
        if case .refused(let refusal) = fault.kind {
            self.init(refusal)
        } else {
            let isKnown = ReasonTable.reason(of: fault.code) != nil
            self.init(
                nil, code: isKnown ? fault.code : fault.kind.name, trace: fault.trace,
                message: fault.reason ?? (isKnown ? nil : fault.code))
        }
    }

    private init(_ refusal: ServiceError) {
        self.init(
            .service, code: refusal.code, trace: refusal.trace, text: refusal.details, message: refusal.message)
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
