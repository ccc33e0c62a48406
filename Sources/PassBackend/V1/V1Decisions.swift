// Decisions in REST V1. For each resource, one call asks for the permit and a second call asks for the media token.
// Contract: rest-v1.md §6.8 to §6.11; access-enabler.md §13.2; rest-v2.md §19 items 13 to 15, §21; open-questions.md OQ-53,
// OQ-55.

public import AccessEnabler
import PassProtocol

extension V1Backend {
    /// The max number of resources that the service accepts in one call by default. Contract: §6.11.
    static let maxPreauthorizations = 5

    private enum Verdict: Sendable {
        case permitted(V1AuthorizationAnswer, V1Origin?)
        /// A denial that has neither a code nor a text of the provider. The cause may be that no viewer is logged in.
        case unexplained(ServiceError)
    }

    /// Callers never share an answer, because each media token can be used only once.
    public func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        try await parts.alone(for: caller) { [self] timeLimit in
            var decisions: [ServiceDecision] = []
            for resource in resources {
                decisions.append(try await decide(resource, at: provider, caller: caller, timeLimit: timeLimit))
            }
            return decisions
        }
    }

    private func decide(
        _ resource: ResourceID, at provider: ProviderID, caller: BackendCaller, timeLimit: TimeLimit
    ) async throws(BackendFault) -> ServiceDecision {
        do throws(BackendFault) {
            do throws(BackendFault) {
                return try await fetchMediaToken(resource, at: provider, caller: caller, timeLimit: timeLimit)
            } catch {
                // If the service lost the permit between the two calls, both calls are repeated once. Contract:
                // access-enabler.md §13.2.
                guard error.refusal?.action == .authorization else { throw error }
                return try await fetchMediaToken(resource, at: provider, caller: caller, timeLimit: timeLimit)
            }
        } catch {
            guard let refusal = error.refusal else { throw error }
            return ServiceDecision(resource: resource, isAuthorized: false, source: .mvpd, error: refusal)
        }
    }

    private func fetchMediaToken(
        _ resource: ResourceID, at provider: ProviderID, caller: BackendCaller, timeLimit: TimeLimit
    ) async throws(BackendFault) -> ServiceDecision {
        let key = PermitBook.Key(
            registration: caller.registration, requestor: caller.requestor, provider: provider,
            resource: resource)
        let logouts = parts.logoutCount
        if var kept = permits.permit(key, at: parts.sender.time.now, after: logouts) {
            do throws(BackendFault) {
                let (media, origin) = try await mediaToken(for: resource, caller: caller, timeLimit: timeLimit)
                let source = kept.source ?? source(origin, provider: provider, caller: caller)
                if kept.source == nil {
                    kept.source = source
                    permits.note(kept, key)
                }
                return ServiceDecision(
                    resource: resource, isAuthorized: true, source: source, token: media.token, notAfter: kept.ends)
            } catch {
                // If the service refuses the media token, it no longer has a permit, so a new permit is requested.
                guard error.refusal != nil else { throw error }
                permits.note(nil, key)
            }
        }
        let verdict = try await ask(caller, timeLimit: timeLimit, repeating: .freely) {
            $0.authorize(resource)
        } reading: {
            response -> Result<Verdict, CallTrouble> in
            if response.status == 403, ServiceError(response.body) == nil, !response.isDeadClient,
                BasicErrorAnswer(body: response.body)?.details == nil,
                let error = ServiceError(response, from: .authorize)
            {
                return .success(.unexplained(error))
            }
            return V1AuthorizationAnswer.read(response, refusal: V1Endpoint.authorize.refusal)
                .map { .permitted($0, V1Origin(response)) }
        }
        switch verdict {
        case .permitted(let answer, let origin):
            let media = try await mediaToken(for: resource, caller: caller, timeLimit: timeLimit).answer
            let source = source(origin, provider: provider, caller: caller)
            permits.note(.init(source: source, ends: answer.expires, logouts: logouts), key)
            return ServiceDecision(
                resource: resource, isAuthorized: true, source: source, token: media.token, notAfter: answer.expires)
        case .unexplained(let error):
            throw try await explained(error, resource: resource, caller: caller, timeLimit: timeLimit)
        }
    }

    private func mediaToken(
        for resource: ResourceID, caller: BackendCaller, timeLimit: TimeLimit
    ) async throws(BackendFault) -> (answer: MediaTokenAnswer, origin: V1Origin?) {
        try await ask(
            MediaTokenAnswer.self, from: .mediaToken, caller, timeLimit: timeLimit, repeating: .freely
        ) { $0.mediaToken(resource) }
    }

    /// Explains a denial by reading the permit. The status of the answer shows whether the viewer is logged in.
    /// Contract: §6.9, §6.15.
    private func explained(
        _ error: ServiceError, resource: ResourceID, caller: BackendCaller, timeLimit: TimeLimit
    ) async throws(BackendFault) -> BackendFault {
        do throws(BackendFault) {
            _ = try await ask(
                V1AuthorizationAnswer.self, from: .authorization, caller, timeLimit: timeLimit, repeating: .never
            ) { $0.authorization(resource) }
        } catch {
            if error.meansNoProfile { return error }
        }
        return BackendFault(.refused(error))
    }

    private func source(_ origin: V1Origin?, provider: ProviderID, caller: BackendCaller) -> ServiceDecision.Source {
        switch origin {
        case .authnall, .authzall: return .degradation
        case .temppass: return .tempPass
        case .hba, .partner: return .mvpd
        case nil:
            let known = parts.knownProviders(caller)?.first { $0.id == provider }
            return known?.isTempPass == true ? .tempPass : .mvpd
        }
    }

    /// The service separates IDs with commas, so an ID with a comma is sent alone.
    public func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        try await parts.preauthorize(resources, at: provider, caller) {
            [self] resources, timeLimit throws(BackendFault) in
            var decisions: [ServiceDecision] = []
            for batch in Self.batches(resources) {
                decisions += try await hints(batch, caller: caller, timeLimit: timeLimit)
            }
            return decisions.echoing(resources)
        }
    }

    private func hints(
        _ batch: [ResourceID], caller: BackendCaller, timeLimit: TimeLimit
    ) async throws(BackendFault) -> [ServiceDecision] {
        do throws(BackendFault) {
            return try await ask(
                PreauthorizationAnswer.self, from: .preauthorize, caller, timeLimit: timeLimit, repeating: .freely
            ) { $0.preauthorize(batch) }.answer.decisions(for: batch)
        } catch {
            // The service splits this ID at its commas, perhaps into too many parts. The error is only about this ID
            // and must not affect the others.
            guard let id = batch.first, Self.goesAlone(id), let refusal = error.refusal, !refusal.meansNoProfile
            else { throw error }
            return [ServiceDecision(resource: id, isAuthorized: false, source: .mvpd, error: refusal)]
        }
    }

    private static func goesAlone(_ resource: ResourceID) -> Bool { resource.rawValue.utf8.contains(UInt8(ascii: ",")) }

    static func batches(_ resources: [ResourceID]) -> [[ResourceID]] {
        var batches: [[ResourceID]] = []
        var open: [ResourceID] = []
        for resource in resources {
            if goesAlone(resource) {
                batches.append([resource])
            } else {
                open.append(resource)
                if open.count == maxPreauthorizations {
                    batches.append(open)
                    open = []
                }
            }
        }
        return open.isEmpty ? batches : batches + [open]
    }
}
