// Sign-on by a partner's TV account: the platform's status, the SAML messages, and the partner's identity provider, which
// answers a platform in tests. Contract: rest-v2.md §3.8, §12.3.

import PassJSON

/// The platform's statement about its TV account, in the header of a call.
enum PartnerStatus {
    /// The partner's id for the provider. The faults of the header are checked in the order of the contract's table.
    static func providerID(_ header: String?, at now: Instant) throws(ErrorCode) -> String {
        guard
            let value = header.flatMap(decodeBase64).flatMap({ try? JSONReader.read($0) }),
            let permission = value["frameworkPermissionInfo"], let provider = value["frameworkProviderInfo"]
        else { throw .partnerAccessNotPresent }
        switch permission["accessStatus"]?.string {
        case "granted": break
        case "notDetermined": throw .partnerAccessNotDetermined
        case "denied", "restricted": throw .partnerAccessNotGranted
        default: throw .partnerAccessNotPresent
        }
        guard let id = provider["id"]?.string, !id.isEmpty else { throw .partnerProviderNotDetermined }
        guard let expires = provider["expirationDate"]?.string.flatMap({ Instant($0) }), now < expires else {
            throw .partnerProviderExpired
        }
        return id
    }
}

extension Call {
    func partnerProviderID() throws(ErrorCode) -> String {
        try PartnerStatus.providerID(request.header("AP-Partner-Framework-Status"), at: now)
    }
}

extension World {
    /// Stores a request for the partner's platform, and returns it as SAML.
    mutating func makePartnerRequest(
        _ partner: Partner, provider: Provider, owner: Owner, at now: Instant
    ) -> String {
        let id = "_" + state.random.identifier()
        state.partnerRequests[id] = PartnerRequest(
            id: id, partner: partner.id, client: owner.client, device: owner.device,
            serviceProvider: owner.serviceProvider, mvpd: provider.id,
            ends: now + settings.sessionLifetime.milliseconds)
        // The partner's key is made here, not during the platform's answer, for which a box allows less time.
        _ = state.key(.partner(partner.id))
        return SAML.request(id: id, issuer: owner.serviceProvider, at: now)
    }

    /// Reads the platform's answer and finds the open request of this owner. Nil if the answer is invalid, or if there is no
    /// such request.
    mutating func partnerAnswer(
        _ text: String?, _ partner: Partner, _ provider: Provider, of owner: Owner, at now: Instant
    ) -> (answer: SAML.Answer, request: PartnerRequest)? {
        guard let text, let answer = SAML.read(text, signedBy: state.key(.partner(partner.id)).publicKey),
            let request = state.partnerRequests[answer.inResponseTo], request.partner == partner.id,
            Owner(client: request.client, device: request.device, serviceProvider: request.serviceProvider) == owner,
            now < request.ends, now < answer.ends, provider.subscriber(answer.user) != nil
        else { return nil }
        return (answer, request)
    }

    /// The provider of the platform's TV account.
    func partnerProvider(_ call: Call) throws(ErrorCode) -> Provider {
        let id = try call.partnerProviderID()
        guard let provider = catalogue.providers.first(where: { $0.platformMappingID == id }) else {
            throw .partnerProviderNotDetermined
        }
        return provider
    }

    /// The reason why a partner's profile is not usable with the call's status. Nil if the profile is usable. Other profiles
    /// need no status. Contract: rest-v2.md §3.1 note 2.
    func partnerStatusAllows(_ login: Profile, _ call: Call) -> ErrorCode? {
        guard case .partner = login.source else { return nil }
        do { return try partnerProvider(call).id == login.mvpd ? nil : .partnerProviderMismatch } catch { return error }
    }
}

// The part of SAML for partner sign-on. A request has an id. The answer is a signed assertion. Some clients remove line breaks
// and runs of blanks. Responses have neither, so this changes nothing. The signature covers the exact bytes of the assertion.
// Contract: open-questions.md OQ-51.

enum SAML {
    static func request(id: String, issuer: String, at now: Instant) -> String {
        "<samlp:AuthnRequest xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"\(escapedXML(id))\""
            + " Version=\"2.0\" IssueInstant=\"\(now)\"><saml:Issuer>\(escapedXML(issuer))</saml:Issuer>"
            + "</samlp:AuthnRequest>"
    }

    static func requestID(_ text: String) -> String? {
        guard text.begins(with: "<samlp:AuthnRequest ") else { return nil }
        return attribute("ID", in: text)
    }

    static func response(to id: String, user: String, provider: String, at now: Instant, signedBy key: RSAKey) -> String
    {
        let assertion =
            "<saml:Assertion InResponseTo=\"\(escapedXML(id))\" NotOnOrAfter=\"\(now + 300_000)\">"
            + "<saml:Issuer>\(escapedXML(provider))</saml:Issuer>"
            + "<saml:Subject>\(escapedXML(user))</saml:Subject></saml:Assertion>"
        let signature = base64(key.sign(assertion.utf8))
        return "<samlp:Response xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\">"
            + "<ds:SignatureValue>\(signature)</ds:SignatureValue>\(assertion)</samlp:Response>"
    }

    struct Answer: Sendable {
        let inResponseTo: String
        let ends: Instant
        let user: String
        let provider: String
    }

    /// Reads a `SAMLResponse` parameter, encoded in Base64 once. Nil if the parameter is not a signed answer.
    static func read(_ parameter: String, signedBy key: PublicKey) -> Answer? {
        guard parameter.utf8.count <= 32 * 1024, let bytes = decodeBase64(parameter),
            let text = String(validating: bytes, as: UTF8.self),
            let signature = xmlElement("ds:SignatureValue", in: text).flatMap(decodeBase64),
            let start = text.place(of: "<saml:Assertion "),
            let end = text[start.upperBound...].place(of: "</samlp:Response>"),
            end.upperBound == text.endIndex
        else { return nil }
        let assertion = String(text[start.lowerBound..<end.lowerBound])
        guard key.verifies(signature, of: assertion.utf8, by: .rs256),
            let id = attribute("InResponseTo", in: assertion),
            let ends = attribute("NotOnOrAfter", in: assertion).flatMap({ Instant($0) }),
            let user = xmlElement("saml:Subject", in: assertion),
            let provider = xmlElement("saml:Issuer", in: assertion)
        else { return nil }
        return Answer(inResponseTo: id, ends: ends, user: user, provider: provider)
    }

    private static func attribute(_ name: String, in text: String) -> String? {
        text.between(" \(name)=\"", "\"").map { unescapedXML($0.text) }
    }
}

// The partner's identity provider. It answers a platform in tests. Contract: rest-v2.md §12.

/// Answers the partner request of a subscriber.
func partnerResponse(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    guard let partner = world.catalogue.partner(call["partner"]) else { throw .enhanced(.invalidParameterPartner) }
    guard let form = call.request.form, let encoded = form.one("request"),
        let id = decodeBase64(encoded).flatMap({ SAML.requestID(String(decoding: $0, as: UTF8.self)) }),
        let request = world.state.partnerRequests[id], request.partner == partner.id, call.now < request.ends
    else { throw .badRequest("\"request\" should be the authenticationRequest of an open partner session") }
    guard let provider = world.catalogue.provider(request.mvpd), let user = form.one("user"),
        let subscriber = provider.subscriber(user), let password = form.one("password"),
        sameSecret(subscriber.password, password)
    else { throw .response(.message(403, "There is no such account at the partner")) }
    let response = SAML.response(
        to: id, user: user, provider: provider.id, at: call.now, signedBy: world.state.key(.partner(partner.id)))
    return .json(["SAMLResponse": .string(base64(response.utf8))])
}
