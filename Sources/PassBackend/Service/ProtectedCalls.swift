// Calls with an access token. If the service refuses the token, the call is repeated once with a new token. If the
// service refuses the credentials, the call is repeated once with new credentials. Contract: dcr.md §5, rest-v2.md
// §6.4.

import AccessEnabler
import PassProtocol

extension ServiceParts {
    /// `prepare` gathers the input of the request once for each access token. `call` makes the request from this input for each
    /// attempt.
    func make<Answer: Sendable, Preparation: Sendable>(
        _ caller: BackendCaller, _ timeLimit: TimeLimit, repeating repetition: Repetition.Policy,
        prepare: @Sendable (Registrar.AccessToken) async -> Preparation, call: @Sendable (Preparation) -> HTTPRequest,
        reading: @Sendable (HTTPResponse) -> Result<Answer, CallTrouble>
    ) async throws(BackendFault) -> Answer {
        var prepared: (token: Registrar.AccessToken, preparation: Preparation)?
        return try await sender.repeating(repetition, within: timeLimit) {
            () async throws(BackendFault) -> RequestSender.Attempt<Answer> in
            let token: Registrar.AccessToken
            let preparation: Preparation
            if let prepared {
                (token, preparation) = prepared
            } else {
                token = try await registrar.accessToken(caller, for: timeLimit)
                preparation = await prepare(token)
                _ = try request(call(preparation), caller)
                try sender.admit(timeLimit)
                prepared = (token, preparation)
            }
            var (result, outcome) = try await sender.send(
                of: caller.owner, repetition: repetition, timeLimit: timeLimit
            ) {
                () throws(BackendFault) in try request(call(preparation), caller)
            }
            let answer = result.map(reading)
            switch answer {
            case .success(.failure(.tokenRefused)): outcome.refused = .token
            case .success(.failure(.clientRefused)): outcome.refused = .client
            default: break
            }
            return RequestSender.Attempt(outcome: outcome) { [self] () throws(BackendFault) in
                switch answer {
                case .success(let answer) where !outcome.isThrottled: try settle(answer, token, caller)
                case .success: throw .throttled
                case .failure(let fault): throw BackendFault(of: fault)
                }
            } renew: { [self] () throws(BackendFault) in
                guard let refused = outcome.refused, !outcome.isThrottled else { return }
                prepared = nil
                switch refused {
                case .token: registrar.discard(token, caller.registration)
                case .client:
                    guard registrar.discardClient(of: token, caller.registration) else { throw Self.deadClient }
                }
            }
        }
    }

    /// Returns the answer or throws the fault. Records what the answer shows about the credentials and the service.
    private func settle<Answer>(
        _ answer: Result<Answer, CallTrouble>, _ token: Registrar.AccessToken, _ caller: BackendCaller
    ) throws(BackendFault) -> Answer {
        switch answer {
        case .success(let answer):
            registrar.proved(token, caller.registration)
            return answer
        case .failure(.tokenRefused(let error)): throw Self.refusal(error)
        case .failure(.clientRefused): throw Self.deadClient
        case .failure(.throttled): throw .throttled
        case .failure(.fault(let fault)):
            if fault.kind == .unusableAnswer {
                sender.contact.wasUnusable(fault.reason, at: sender.clock.boot)
            } else if case .refused = fault.kind {
                registrar.proved(token, caller.registration)
            }
            throw fault
        }
    }

    private static var deadClient: BackendFault { BackendFault(.registrationRefused("invalid_client")) }

    /// Makes the next call register the app again, so that the service no longer uses what it has stored for the former
    /// registration.
    func replaceClient(of caller: BackendCaller, _ timeLimit: TimeLimit) async throws(BackendFault) {
        let token = try await registrar.accessToken(caller, for: timeLimit)
        _ = registrar.discardClient(of: token, caller.registration)
    }

    /// The fault if the service also refuses a new token. A code in the answer means that the service refuses the application,
    /// or its use of this requestor. Contract: rest-v2.md §18.3.
    private static func refusal(_ error: ServiceError?) -> BackendFault {
        guard let error else { return BackendFault(.tokenRefused) }
        if error.code == "invalid_access_token_service_provider" {
            return BackendFault(.refused(error), trace: error.trace)
        }
        return error.action == .applicationRegistration
            ? BackendFault(.registrationRefused(error.code), trace: error.trace)
            : BackendFault(.tokenRefused, trace: error.trace)
    }

    /// A token for single sign-on. `source` has a third of the remaining time to return the token. After that, the request
    /// is sent without a token, and `source` may finish later. Contract: access-enabler.md §6.1.
    func token(
        _ timeLimit: TimeLimit, _ source: @escaping @Sendable (any PlatformSSO) async -> Secret?
    ) async -> Secret? {
        let now = sender.clock.boot
        guard now < timeLimit.deadline else { return nil }
        let end = now.advanced(by: now.duration(to: timeLimit.deadline) / 3)
        let token = try? await sender.clock.alone(until: end, timeLimit.urgency, outlivesCaller: true) {
            [platform] _ in await source(platform)
        }
        return token ?? nil
    }

    private func request(_ call: HTTPRequest, _ caller: BackendCaller) throws(BackendFault) -> HTTPRequest {
        guard call.url.keepsItsSegments else { throw BackendFault(of: .badURL) }
        // No service has published a name for this parameter, so only a service on this machine gets it. Contract:
        // open-questions.md OQ-25.
        guard let profile = caller.options.texts[.applicationProfile], call.url.origin.isLoopback else { return call }
        var request = call
        let sign = call.url.target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        request.url = ServiceURL(
            origin: call.url.origin, target: call.url.target + sign + formEncoded([("applicationProfile", profile)]))
        return request
    }
}
