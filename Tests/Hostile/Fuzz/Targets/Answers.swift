// Fuzzes the service's answers, in both interfaces and with every relevant status. Every input must become an answer or
// a typed fault, and may use only a small multiple of its size.

import AccessEnabler

@testable import PassBackend

/// The first byte chooses the status. The other bytes are the body.
func answers(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let status = statuses[Int(input.byte()) % statuses.count]
    let body = Array(input.rest)
    let most = 16 << 10 + body.count * 192
    let response = HTTPResponse(status: status, body: body)
    within(most) { v2(response) }.forEach { $0() }
    within(most) { v1(response) }.forEach { $0() }
    _ = try? ClientAnswer.read(registration: response)
    if let token = try? TokenAnswer.read(registration: response) {
        expect(token.life > .zero && token.life <= .seconds(7 * 86_400), "a token lives for \(token.life)")
    }
    if let error = ServiceError(body) { _ = (error.action, error.asksForRepetition, error.meansNoProfile) }
}

private let statuses = [200, 201, 204, 301, 400, 401, 403, 404, 405, 410, 412, 429, 500, 503, 999]
private let origin: Origin = {
    guard let origin = try? Origin("https://sp.example") else { preconditionFailure("it is an origin") }
    return origin
}()
private let resources = ["film", "other ", "a,b", "é", "e\u{301}"].map { ResourceID(rawValue: $0) }
private let begin = ServerTime(milliseconds: 1_795_564_800_000)

/// Reads the body, keeps the results, and uses them as the engine does.
private func v2(_ response: HTTPResponse) -> [() -> Void] {
    func read<Answer: ServiceAnswer>(_ type: Answer.Type, _ use: @escaping (Answer) -> Void) -> () -> Void {
        let answer = try? type.read(response).get()
        return { answer.map(use) }
    }
    return [
        read(ConfigurationAnswer.self) { answer in
            let domain = RequestorConfiguration(answer.providers, domains: answer.domains).domain
            expect(domain?.isEmpty != true, "an empty domain")
        },
        read(SessionAnswer.self) { answer in
            for style in [LoginStyle.browser, .secondScreen] {
                if let step = try? answer.step(origin, style: style) { check(step) }
            }
        },
        read(PartnerSessionAnswer.self) { _ = try? $0.step() },
        read(ProfilesAnswer.self) { $0.profiles.forEach(check) },
        read(DecisionsAnswer.self) { check($0.decisions(for: resources)) },
        read(LogoutAnswer.self) { _ = $0.step(for: ProviderID(rawValue: "M"), origin) },
    ]
}

private func v1(_ response: HTTPResponse) -> [() -> Void] {
    func read<Answer: ServiceAnswer>(
        _ type: Answer.Type, _ endpoint: V1Endpoint, _ use: @escaping (Answer) -> Void = { _ in }
    ) -> () -> Void {
        let answer = try? type.read(response, refusal: endpoint.refusal).get()
        return { answer.map(use) }
    }
    for endpoint in V1Endpoint.allCases {
        _ = endpoint.done(response)
        _ = ServiceError(response, from: endpoint)
    }
    return [
        read(RegistrationCodeAnswer.self, .code) { check($0.login("https://x.test", at: nil, besides: nil)) },
        read(ProviderListAnswer.self, .configuration),
        read(AuthenticationAnswer.self, .authentication) { _ = $0.mark },
        read(MetadataAnswer.self, .metadata),
        read(V1AuthorizationAnswer.self, .authorize) { check($0.expires) },
        read(MediaTokenAnswer.self, .mediaToken) { check($0.token.notAfter) },
        read(PreauthorizationAnswer.self, .preauthorize) { check($0.decisions(for: resources)) },
    ]
}

private func check(_ step: LoginStep) {
    switch step {
    case .openURL(let login), .showCode(let login): check(login)
    default: break
    }
}

private func check(_ login: OpenLogin) {
    check(login.notBefore)
    check(login.notAfter)
    expect(login.notBefore <= login.notAfter, "a login ends before it begins")
    expect(login.notBefore.duration(to: login.notAfter) <= .seconds(86_400), "a login is open for more than a day")
}

private func check(_ profile: Profile) {
    check(profile.notBefore)
    check(profile.notAfter)
}

private func check(_ decisions: [ServiceDecision]) {
    expect(decisions.map(\.resource) == resources, "the decisions are about something else")
    expect(decisions.allSatisfy { $0.token == nil || $0.isAuthorized }, "a denial has a token")
}

/// The time must be between 1970 and 9999, so that arithmetic cannot overflow.
private func check(_ time: ServerTime) {
    expect((0...253_402_300_799_999).contains(time.milliseconds), "\(time.milliseconds) is out of all reason")
}
