// Logins with the platform's TV account in REST V1. Contract: rest-v1.md §10.

public import AccessEnabler

extension V1Backend {
    /// The service's bytes are meant for the provider and are passed on unchanged.
    public func partnerRequest(
        _ provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> PartnerStep {
        let token = try await parts.alone(for: caller) { [self] timeLimit in
            try await ask(caller, timeLimit: timeLimit, repeating: .freely) {
                $0.profileRequest(provider, deviceType: partner.deviceType)
            } reading: { response -> Result<[UInt8], CallTrouble> in
                guard response.status == 200 else {
                    return .failure(CallTrouble(response, V1Endpoint.profileRequest.refusal))
                }
                // A page from a machine on the way is not a request.
                let isPage = response.headers["Content-Type"]?.lowercased().hasPrefix("text/html") ?? false
                guard !response.body.isEmpty, !isPage else { return .failure(.fault(BackendFault(.unusableAnswer))) }
                return .success(response.body)
            }
        }
        return .forward(PartnerRequest(verificationToken: token))
    }

    /// The response can be used once, so the call is repeated only if the service certainly has not seen the first. The
    /// login is read afterwards.
    public func exchange(
        _ response: Secret, at provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> Profile {
        let parameter = SAMLParameter.encoded(response)
        let found = try await parts.alone(for: caller) { [self] timeLimit in
            _ = try await ask(caller, timeLimit: timeLimit, repeating: .whenUnseen) {
                $0.exchange(parameter, at: provider, deviceType: partner.deviceType)
            } reading: {
                V1Endpoint.exchange.done($0)
            }
            return try await readProfile(caller, timeLimit: timeLimit, repeating: .freely)
        }
        guard let profile = found, profile.provider == provider else {
            throw BackendFault(.unusableAnswer)
        }
        return profile
    }
}
