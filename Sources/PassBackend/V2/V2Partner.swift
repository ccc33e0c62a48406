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

/// The answer of X1. If it is not a request for the platform, it leads to an ordinary login.
struct PartnerSessionAnswer: Decodable, Sendable {
    private struct Request: Decodable, Sendable {
        var type: String?
        var request: String
        var attributesNames: [String]?
    }

    private let session: SessionAnswer
    private let authenticationRequest: Request?

    private enum CodingKeys: CodingKey { case authenticationRequest }

    init(from decoder: any Decoder) throws {
        session = try SessionAnswer(from: decoder)
        authenticationRequest = try decoder.container(keyedBy: CodingKeys.self)
            .decodeIfPresent(Request.self, forKey: .authenticationRequest)
    }

    func step() throws(BackendFault) -> PartnerStep {
        switch session.actionName {
        case "partner_profile":
            guard let asked = authenticationRequest, !asked.request.isEmpty, asked.type == nil || asked.type == "saml"
            else {
                throw BackendFault(.unusableAnswer)
            }
            return .forward(
                PartnerRequest(verificationToken: Array(asked.request.utf8), attributes: asked.attributesNames ?? []))
        case "authorize":
            guard let mvpd = session.mvpd else { throw BackendFault(.unusableAnswer) }
            return .alreadyIn(ProviderID(rawValue: mvpd), session.reason)
        case "authenticate", "resume": return .regular(session.reasonType ?? session.actionName)
        default: throw BackendFault(.unusableAnswer)
        }
    }
}
