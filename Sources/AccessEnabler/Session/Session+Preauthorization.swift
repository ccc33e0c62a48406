// Hints for menus: what would be permitted, from memory where the same set was asked for already.
// Contract: access-enabler.md §14; open-questions.md OQ-18; rest-v2.md D2, §8.

import PassProtocol

extension Session {
    public func checkPreauthorizedResources(
        _ params: CheckPreauthorizedResources.Params
    ) async throws(RPCError) -> CheckPreauthorizedResources.Result {
        guard let standing = await settled() else {
            report(.P100)
            emit(.preauthorizedResources([]))
            throw .requestorNotSet()
        }
        guard let profile = engine.login(of: standing.key) else {
            report(.N000)
            emit(.preauthorizedResources([]))
            return .init(resources: [])
        }
        do throws(BackendFault) {
            let decisions = try await hints(params.resources, profile, standing, usesMemory: params.cache)
            let permitted = decisions.filter(\.isAuthorized).map(\.resource.rawValue)
            emit(.preauthorizedResources(permitted))
            return .init(resources: permitted)
        } catch {
            report(.P100)
            emit(.preauthorizedResources([]))
            throw error.error(.preauthorization)
        }
    }

    /// Not queued: before `setRequestor` is done it fails at once. Contract: §6.2, §14.2.
    public func preauthorize(_ params: Preauthorize.Params) async throws(RPCError) -> Preauthorize.Result {
        guard let standing else {
            throw .requestorNotConfigured
        }
        guard let profile = engine.login(of: standing.key) else {
            let hasEnded = engine.hasEndedLogin(standing.key)
            let error = EnhancedError(
                status: 0, code: "authentication_session_\(hasEnded ? "expired" : "missing")",
                actionName: "authentication",
                message: hasEnded ? "The viewer's login has ended." : "The viewer is not logged in.")
            return .init(decisions: [], status: error.shown)
        }
        do throws(BackendFault) {
            let usesMemory = !params.disabledFeatures.contains(.localCache)
            let decisions = try await hints(params.resources, profile, standing, usesMemory: usesMemory)
            return .init(decisions: decisions.map(\.hint))
        } catch {
            var answer = error.error(.preauthorization)
            if answer.details == nil, let code = error.clientCode {
                answer.details = ["status": 0, "code": .string(code), "action": "none"]
            }
            throw answer
        }
    }

    private func hints(
        _ names: [String], _ profile: Profile, _ standing: Standing, usesMemory: Bool
    ) async throws(BackendFault) -> [Decision] {
        let resources = names.map { ResourceID(rawValue: $0) }
        guard !resources.isEmpty else { return [] }
        let place = standing.key.profile(at: profile.provider)
        let now = engine.ports.clock.boot
        if usesMemory, let known = engine.recollections[place]?.hints(for: resources, at: now) { return known }
        let epoch = engine.epochs.current(standing.key)
        let caller = caller(standing)
        func tell(_ verdicts: [(ResourceID, EngineEvent.Verdict)]) {
            engine.tell(.preauthorization(session: number, standing.key.requestor, profile.provider, verdicts))
        }
        let decisions: [Decision]
        do throws(BackendFault) {
            decisions = try await engine.epochs.ask(standing.key) {
                try await standing.backend.preauthorize(resources, at: profile.provider, caller)
            }
        } catch {
            tell(resources.map { ($0, .undecided) })
            throw error
        }
        tell(decisions.map { ($0.resource, $0.hintVerdict) })
        // What could not be decided is asked again the next time, and another viewer's hints are not this one's.
        if decisions.allSatisfy(\.isFinal), epoch == engine.epochs.current(standing.key) {
            engine.recollections[place, default: Recollection()].hints = .init(
                resources: Set(resources.map(ExactText.init)), decisions: decisions,
                ends: now.advanced(by: engine.settings.preauthorizationLifetime))
        }
        return decisions
    }
}

extension Decision {
    /// Yes, or a no that is meant.
    fileprivate var isFinal: Bool {
        guard !isAuthorized, let error else { return true }
        if case .denied = DecisionOutcome(error) { return true }
        return false
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

extension BackendFault {
    /// The SDK's own failures. Contract: §14.2.
    fileprivate var clientCode: String? {
        switch kind {
        case .registrationRefused, .tokenRefused: "access_token_unavailable"
        case .unusableAnswer: "server_response_format_unknown"
        case .unreachable, .insecure, .deadline: "network_error"
        case .noService, .overloaded, .throttled, .serverError, .refused, .cancelled: nil
        }
    }
}
