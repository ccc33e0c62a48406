// A call under an access token: made with a good one, once more with a new one when the service refuses it, and once
// more under new credentials when it refuses those; never a third time for either. Contract: dcr.md §5, rest-v2.md §6.4.

import AccessEnabler

struct ProtectedCalls: Sendable {
    let origin: Origin
    let courier: Courier
    let registrar: Registrar
    let platform: any PlatformSSO
    let facts: DeviceFacts

    func applicant(_ caller: BackendCaller) -> Registrar.Applicant {
        Registrar.Applicant(
            key: caller.registration, statement: caller.softwareStatement, deviceInfo: deviceInfo(caller))
    }

    func ask<Answer: Decodable & Sendable>(
        _ type: Answer.Type, _ caller: BackendCaller, _ horizon: Horizon, repeating repetition: Courier.Repetition,
        signOn: Bool, _ call: @Sendable (V2Calls) -> ServiceCall
    ) async throws(BackendFault) -> Answer {
        var hasNewToken = false
        var hasNewClient = false
        while true {
            let grant = try await registrar.grant(applicant(caller), for: horizon)
            let headers = await headers(caller, grant, signOn: signOn)
            let call = call(V2Calls(requestor: caller.requestor, headers: headers))
            let response = try await courier.deliver(try request(call), call.urgency, repetition, horizon)
            switch V2Reading.read(type, status: response.status, body: response.body) {
            case .success(let answer):
                registrar.proved(grant, caller.registration)
                return answer
            case .failure(.tokenRefused(let error)):
                if hasNewToken { throw Self.refusal(error) }
                registrar.discardToken(of: grant, caller.registration)
                hasNewToken = true
            case .failure(.clientRefused):
                guard !hasNewClient, registrar.discardClient(of: grant, caller.registration) else {
                    throw BackendFault(.registrationRefused("invalid_client"))
                }
                hasNewClient = true
            case .failure(.throttled): throw .throttled
            case .failure(.fault(let fault)):
                if fault.kind == .unusableAnswer {
                    courier.contact.failed("the answer makes no sense", at: courier.patience.clock.boot)
                } else if case .refused = fault.kind {
                    registrar.proved(grant, caller.registration)
                }
                throw fault
            }
        }
    }

    /// A fresh token was refused as well. With a code of its own it is the application that is not let in, or not
    /// with this requestor. Contract: rest-v2.md §18.3.
    private static func refusal(_ error: EnhancedError?) -> BackendFault {
        guard let error else { return BackendFault(.tokenRefused) }
        if error.code == "invalid_access_token_service_provider" {
            return BackendFault(.refused(error), trace: error.trace)
        }
        return error.action == .applicationRegistration
            ? BackendFault(.registrationRefused(error.code), trace: error.trace)
            : BackendFault(.tokenRefused, trace: error.trace)
    }

    private func headers(_ caller: BackendCaller, _ grant: Registrar.Grant, signOn: Bool) async -> CallHeaders {
        var headers = CallHeaders(
            accessToken: grant.token, device: caller.device, deviceInfo: deviceInfo(caller),
            visitorID: caller.visitorID)
        headers.temporaryIdentity = (try? TemporaryIdentity(caller.temporaryIdentity))?.header
        headers.partnerStatus = caller.partnerStatus.flatMap { PartnerStatusHeader($0).value }
        if signOn {
            headers.platformIdentity = await platform.identityToken(at: courier.time.now)
            headers.serviceToken = await platform.serviceToken(at: courier.time.now)
        }
        return headers
    }

    private func deviceInfo(_ caller: BackendCaller) -> String {
        caller.deviceInfo ?? facts.header(for: caller.registration.app)
    }

    private func request(_ call: ServiceCall) throws(BackendFault) -> HTTPRequest {
        let method: HTTPRequest.Method? = .init(rawValue: call.method)
        let path = call.path.prefix { $0 != "?" }.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        // A dot segment would be another path, and an empty one another number of segments.
        guard let method, path.allSatisfy({ !["", ".", ".."].contains($0) }) else { throw BackendFault(of: .badURL) }
        var headers = HTTPHeaders()
        for header in call.headers { headers.append(header.name, header.value) }
        return HTTPRequest(method, ServiceURL(origin: origin, target: call.path), headers: headers, body: call.body)
    }
}
