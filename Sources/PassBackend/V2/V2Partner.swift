// Logins with the platform's TV account in REST V2. Contract: rest-v2.md X1, X2, §12.3.

public import AccessEnabler

extension V2Backend {
    public func partnerRequest(
        _ provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> PartnerStep {
        let domainName = parts.knownDomainName(caller)
        return try await parts.alone(for: caller) { [self] timeLimit in
            try await ask(
                PartnerSessionAnswer.self, caller: caller, timeLimit: timeLimit, repeating: .whenUnseen, signOn: true
            ) {
                $0.createPartnerSession(partner.name, domainName: domainName, redirectURL: nil)
            }.step()
        }
    }

    /// The response can be used once, so the call is repeated only if the service certainly has not seen the first.
    public func exchange(
        _ response: Secret, at provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> Profile {
        let parameter = SAMLParameter.encoded(response)
        let found = try await parts.alone(for: caller) { [self] timeLimit in
            try await ask(
                ProfilesAnswer.self, caller: caller, timeLimit: timeLimit, repeating: .whenUnseen, signOn: true
            ) {
                $0.createPartnerProfile(partner.name, parameter)
            }.profiles
        }
        guard let profile = found.first(where: { $0.provider == provider }) else { throw BackendFault(.unusableAnswer) }
        return profile
    }
}
