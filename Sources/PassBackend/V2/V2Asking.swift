// Makes a protected call of REST V2: adds its headers and reads its answer.

import AccessEnabler

extension ProtectedCalls {
    func ask<Answer: Decodable & Sendable>(
        _ type: Answer.Type, caller: BackendCaller, timeLimit: TimeLimit,
        repeating repetition: RequestSender.Repetition,
        signOn: Bool, call: @Sendable (V2Calls) -> ServiceCall
    ) async throws(BackendFault) -> Answer {
        try await make(caller, timeLimit, repeating: repetition) { grant in
            V2Calls(
                requestor: caller.requestor, headers: await headers(caller, grant, within: timeLimit, signOn: signOn))
        } call: {
            call($0)
        } reading: { response in
            V2Reading.read(type, status: response.status, headers: response.headers, body: response.body)
        }
    }

    private func headers(
        _ caller: BackendCaller, _ grant: Registrar.Grant, within timeLimit: TimeLimit, signOn: Bool
    ) async -> CallHeaders {
        var headers = CallHeaders(
            accessToken: grant.token, device: caller.device, deviceInfo: deviceInfo(caller),
            visitorID: caller.visitorID)
        headers.temporaryIdentity = (try? TemporaryIdentity(caller.temporaryIdentity))?.header
        headers.partnerStatus = caller.partnerStatus.map { PartnerStatusHeader($0).value }
        if signOn {
            let now = sender.time.now
            async let identity = token(timeLimit) { await $0.identityToken(at: now) }
            async let service = token(timeLimit) { await $0.serviceToken(at: now) }
            (headers.platformIdentity, headers.serviceToken) = await (identity, service)
        }
        return headers
    }
}
