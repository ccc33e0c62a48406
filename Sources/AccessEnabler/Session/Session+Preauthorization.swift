// Answers which resources would probably be permitted, for menus. Recent permits are answered from memory; the service
// is asked only for the other resources. Contract: access-enabler.md §14; open-questions.md OQ-18; rest-v2.md D2, §8.

import PassJSON
public import PassProtocol

extension Session {
    public func checkPreauthorizedResources(
        _ params: CheckPreauthorizedResources.Params
    ) async throws(RPCError) -> CheckPreauthorizedResources.Result {
        let (settled, absence) = await settledAsker()
        guard let asker = settled else {
            report(.P100)
            emit(.preauthorizedResources([]))
            throw absence
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

    /// Nobody is signed in, or not any more: a logout ends what is asked for the login.
    private func nobody(_ asker: Asker) -> CheckPreauthorizedResources.Result {
        report(.N000)
        emit(.preauthorizedResources([]))
        return .init(resources: [], words: ViewerWords(signInSentence(for: asker)))
    }

    /// Does not wait its turn: before `setRequestor` has completed, it fails at once. Contract: §6.2, §14.2.
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

    /// Whether the service says that it does not accept the login any more, or that the requestor no longer works with
    /// the provider. Then the login ends, as it does if a play is answered so. Contract: rest-v2.md §8, §9.
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
            engine.context.publish(.preauthorization(session: number, asker.key.requestor, profile.provider, hints))
        }
        var answers: [ServiceDecision]
        do throws(BackendFault) {
            answers = try await engine.logins.epochs.ask(asker.key) {
                try await asker.backend.preauthorize(question, at: profile.provider, caller)
            }
        } catch {
            tell(question.map { .init($0, .undecided, because: .init(error)) })
            throw error
        }
        tell(answers.map { .init($0.resource, $0.hintVerdict, because: .init($0)) })
        // Not if there is a new login since the question.
        if epoch == engine.logins.epochs.current(asker.key),
            let refusal = answers.compactMap(\.error).first(where: { $0.endsLogin != nil })
        {
            throw BackendFault(.refused(refusal))
        }
        // Answers under a login that has ended meanwhile are not remembered.
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

extension RPCError {
    fileprivate static var requestorNotConfigured: RPCError {
        var error = RPCError.requestorNotSet()
        error.action = .retry
        error.details = ["status": 0, "code": "requestor_not_configured", "action": "retry"]
        return error
    }
}

extension ServiceError {
    /// Nil unless a play that is answered so ends the login; else whether that is because its integration has lapsed.
    fileprivate var endsLogin: Bool? {
        switch DecisionOutcome(self) {
        case .notAuthenticated: false
        case .lapsed: true
        case .permitted, .denied, .unanswered: nil
        }
    }
}

extension BackendFault {
    /// The code by which the SDK names a failure of its own, if it has one. Contract: §14.2.
    fileprivate var clientCode: String? {
        switch kind {
        case .registrationRefused, .tokenRefused: "access_token_unavailable"
        case .unusableAnswer: "server_response_format_unknown"
        case .unreachable, .insecure, .deadline: "network_error"
        case .noService, .overloaded, .throttled, .serverError, .refused, .cancelled: nil
        }
    }
}
