// Decides about plays on the device, and issues media tokens. Also decides about several resources in one call. Contract:
// rest-v1.md §6.8–§6.10, §6.15.

import PassJSON

func authorizeResource(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world)
    let resource = try device.parameters.resource()
    let profile = try world.loginForAuthorization(device, call)
    let (provider, integration) = try world.v1Integration(device.owner.serviceProvider, profile.mvpd)
    let person = try world.person(device.parameters, provider) ?? profile.v1?.person
    let context = DecisionContext(
        question: .authorize, owner: device.owner, provider: provider, integration: integration, identities: [],
        call: call, trial: provider.tempPass == nil ? nil : TrialKeys(device.owner, provider, person: person))
    let key = authorizationKey(device.owner, resource)
    let decision = world.authorize(resource, profile: profile, context: context)
    if let error = decision.error {
        world.state.authorizations[key] = nil
        return V1.answer(V1Fault(error, status: 403), isEnhanced: call.hasEnhancedErrors(world), call)
    }
    let authorization = Authorization(
        mvpd: provider.id, viewer: decision.viewer, begins: call.now,
        ends: decision.validity?.ends ?? call.now + world.settings.degradedLifetime.milliseconds)
    world.state.authorizations[key] = authorization
    return world.answer(
        authorization, resource: resource, device: device, call: call,
        headers: world.originHeader(decision, context: context, profile: profile))
}

func readAuthorization(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world)
    let resource = try device.parameters.resource()
    _ = try world.login(of: device, call).required(412, "User not authenticated")
    guard let authorization = world.state.authorizations[authorizationKey(device.owner, resource)] else {
        throw .v1(V1Fault(404, code: .authorizationNotFound))
    }
    guard call.now < authorization.ends else { throw .v1(V1Fault(410, code: .authorizationExpired)) }
    return world.answer(authorization, resource: resource, device: device, call: call)
}

/// Issues a new token at each call, for a valid permit.
func makePlayToken(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world)
    let resource = try device.parameters.resource()
    _ = try world.login(of: device, call).required(403)
    guard let authorization = world.state.authorizations[authorizationKey(device.owner, resource)],
        let provider = world.catalogue.provider(authorization.mvpd)
    else { throw .v1(V1Fault(403, code: .authorizationNotFound)) }
    guard call.now < authorization.ends else { throw .v1(V1Fault(403, code: .authorizationExpired)) }
    let token = world.makeMediaToken(
        for: resource, viewer: authorization.viewer, device.owner.serviceProvider, provider, at: call.now)
    return Document(
        "play",
        [
            "resource": .string(resource.text), "requestor": .string(token.requestor),
            "expires": .string(String(token.ends)),
            "serializedToken": .string(token.serialized(signedBy: world.state.key(.mediaToken))),
            "userId": .string(token.session), "mvpdId": .string(token.mvpd),
        ]
    ).response(call)
}

private func authorizationKey(_ owner: Owner, _ resource: RequestedResource) -> String {
    owner.key("") + hexadecimal(sha256(resource.text.utf8))
}

extension Parameters {
    func resource() throws(Refusal) -> RequestedResource {
        let text = try required("resource", .missingResource)
        guard let resource = RequestedResource(text) else { throw .v1(.wrong("resource", .malformedRequest)) }
        return resource
    }
}

extension World {
    /// The login for the decision. It may be an expired login by a temporary pass, because the answer then reports the expiry.
    fileprivate mutating func loginForAuthorization(_ device: V1Device, _ call: Call) throws(Refusal) -> Profile {
        let login = login(of: device, call)
        if case .failure(.profileExpired) = login, let own = ownLogin(of: device), own.source == .temporary {
            return own
        }
        return try login.required(403)
    }

    /// Authorizes the resource with the login. The time of a temporary pass begins with its first use. From then on, the login
    /// ends when this time ends.
    fileprivate mutating func authorize(
        _ resource: RequestedResource, profile: Profile, context: DecisionContext
    ) -> Decision {
        let before = context.trial.flatMap { trial($0)?.trial }
        let decision = decide(resource, context)
        guard let trial = context.trial.flatMap({ trial($0)?.trial }), trial != before else { return decision }
        state.profiles[profile.key]?.ends = trial.ends
        state.profiles[profile.key]?.v1?.updated = context.now
        return decision
    }

    fileprivate func answer(
        _ authorization: Authorization, resource: RequestedResource, device: V1Device, call: Call,
        headers: [Field] = []
    ) -> Response {
        Document(
            "authorization",
            .members([
                "mvpd": .string(authorization.mvpd), "resource": .string(resource.text),
                "requestor": .string(device.owner.serviceProvider),
                "expires": .string(String(authorization.ends)),
                "proxyMvpd": catalogue.provider(authorization.mvpd)?.proxy.map(JSONValue.string),
            ])
        ).response(call, headers: headers)
    }

    fileprivate func originHeader(
        _ decision: Decision, context: DecisionContext, profile: Profile
    ) -> [Field] {
        guard decision.source == .degradation else { return originHeader(profile) }
        let isLogin = admitsEveryone(context.owner.serviceProvider, context.provider.id, at: context.now)
        return [Field("X-Sandbox-Origin", isLogin ? "authnall" : "authzall")]
    }
}

// Tells which of several resources the viewer may watch. Contract: rest-v1.md §6.11; open-questions.md OQ-49, OQ-55.

func preauthorizeDevice(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world, repeatable: ["resource"])
    let resources = try world.resources(device.parameters)
    let profile: Profile
    switch world.login(of: device, call) {
    case .success(let login): profile = login
    case .failure(let absence):
        let codes: [ErrorCode: V1ErrorCode] = [
            .profileMissing: .preauthorizationSessionMissing, .profileExpired: .preauthorizationSessionExpired,
        ]
        throw .v1(V1Fault(412, code: codes[absence] ?? .sessionInvalidated, message: "User not authenticated"))
    }
    return try world.preauthorize(resources, profile: profile, call: call)
}

/// Preauthorizes for the second screen, which has the code but no token.
func preauthorizeCode(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let parameters = try Parameters(call.request, repeatable: ["resource"])
    let serviceProvider = try world.requestor(parameters["requestor"], "requestor")
    let resources = try world.resources(parameters)
    _ = try world.guessedCode(call, serviceProvider, orElse: .wrong("code"))
    guard let profile = world.loginOfCode(call["code"], serviceProvider, at: call.now) else {
        throw .v1(V1Fault(412, code: .preauthorizationSessionMissing, message: "User not authenticated"))
    }
    return try world.preauthorize(resources, profile: profile, call: call)
}

extension World {
    fileprivate func resources(_ parameters: Parameters) throws(Refusal) -> [RequestedResource] {
        guard let values = parameters.all("resource") else { throw .v1(.missing("resource", .missingResource)) }
        let texts = values.flatMap { value in
            settings.splitCommas ? value.split(separator: ",").map(String.init) : [value]
        }.filter { !$0.trimmed.isEmpty }
        guard !texts.isEmpty else { throw .v1(V1Fault(412, code: .missingResource, message: "No resource is named")) }
        var resources: [RequestedResource] = []
        for text in texts {
            guard let resource = RequestedResource(text) else { throw .v1(.wrong("resource", .malformedRequest)) }
            resources.append(resource)
        }
        return resources
    }

    fileprivate mutating func preauthorize(
        _ resources: [RequestedResource], profile: Profile, call: Call
    ) throws(Refusal) -> Response {
        let owner = profile.owner
        let (provider, integration) = try v1Integration(owner.serviceProvider, profile.mvpd, status: 412)
        let isEnhanced = catalogue.serviceProvider(owner.serviceProvider)?.enhancedErrors ?? false
        guard resources.count <= integration.preauthorizeLimit else { return tooMany(isEnhanced, call) }
        let context = DecisionContext(
            question: .preauthorize, owner: owner, provider: provider, integration: integration, identities: [],
            call: call,
            trial: provider.tempPass == nil ? nil : TrialKeys(owner, provider, person: profile.v1?.person))
        var items: [JSONValue] = []
        for resource in resources
        where catalogue.serviceProvider(owner.serviceProvider)?.leavesOut(resource) != true {
            let error = decide(resource, context).error.map { V1Fault($0).object(isEnhanced: true, call) }
            items.append(
                .members([
                    "id": .string(resource.text), "authorized": .bool(error == nil),
                    "error": isEnhanced ? error : nil,
                ]))
        }
        return Document("resources", ["resources": .array(items)]).response(
            call,
            headers: [Field("Adobe-Request-Id", call.trace), Field("Adobe-Response-Confidence", "full")])
    }

    /// The answer to a request with too many resources. Without enhanced errors, the answer also has an empty list, for clients
    /// that read only the list.
    private func tooMany(_ isEnhanced: Bool, _ call: Call) -> Response {
        let fault = V1Fault(403, code: .tooManyResources, message: ErrorCode.tooManyResources.message)
        var members = fault.object(isEnhanced: true, call).members ?? []
        if !isEnhanced { members.append(.init("resources", [])) }
        return Document("error", .object(members)).response(call, status: 403)
    }
}
