// The partner's identity provider, which answers a platform in tests. Contract: rest-v2.md §12.

import PassJSON

let identityProviderEndpoints = [
    Endpoint("POST", path: "/partner/{partner}/response", access: .open, handler: partnerResponse)
]

/// Answers the partner request of a subscriber.
private func partnerResponse(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    guard let partner = world.catalogue.partner(call["partner"]) else { throw .enhanced(.invalidParameterPartner) }
    guard let form = call.request.form, let encoded = form.one("request"),
        let id = decodeBase64(encoded).flatMap({ SAML.requestID(String(decoding: $0, as: UTF8.self)) }),
        let request = world.state.partnerRequests[id], request.partner == partner.id, call.now < request.ends
    else { throw .badRequest("\"request\" should be the authenticationRequest of an open partner session") }
    guard let provider = world.catalogue.provider(request.mvpd), let user = form.one("user"),
        let subscriber = provider.subscriber(user), let password = form.one("password"),
        sameSecret(subscriber.password, password)
    else { throw .response(.json(["status": 403, "message": "There is no such account at the partner"], status: 403)) }
    let response = SAML.response(
        to: id, user: user, provider: provider.id, at: call.now, signedBy: world.state.key(.partner(partner.id)))
    return .json(["SAMLResponse": .string(base64(response.utf8))])
}
