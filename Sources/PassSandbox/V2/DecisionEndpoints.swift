// D1 and D2: decisions about plays. Permits and denials have status 200. Contract: rest-v2.md §4 D1, D2.

import PassJSON

func authorize(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    try decisions(.authorize, call: call, world: &world)
}

func preauthorize(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    try decisions(.preauthorize, call: call, world: &world)
}

private func decisions(
    _ question: DecisionContext.Question, call: Call, world: inout World
) throws(Refusal) -> Response {
    let (caller, _, owner) = try call.callerWithDevice(world)
    let (provider, integration) = try world.integration(caller, call["mvpd"])
    let resources = try requestedResources(call.request)
    let limit = question == .authorize ? integration.authorizeLimit : integration.preauthorizeLimit
    guard resources.count <= limit else { throw .enhanced(.tooManyResources, status: 400) }
    let identities = world.identities(of: call)
    if case .success(let login) = world.login(of: owner, provider.id, identities, at: call.now),
        let code = world.partnerStatusAllows(login, call)
    {
        throw .enhanced(code)
    }
    let context = DecisionContext(
        question: question, owner: owner, provider: provider, integration: integration, identities: identities,
        call: call, trial: try trial(question, provider: provider, owner: owner, call: call, world: world))
    var metadata: JSONValue?
    if world.settings.decisionMetadata != nil {
        let viewer = try? world.login(of: owner, provider.id, identities, at: call.now).get()
        metadata = viewer.map { world.attributes($0, owner.serviceProvider) }
    }
    var items: [JSONValue] = []
    var hasPermit = false
    for resource in resources {
        if question == .preauthorize, caller.serviceProvider.leavesOut(resource) { continue }
        let decision = world.decide(resource, context)
        hasPermit = hasPermit || decision.isAuthorized
        items.append(world.item(decision, resource: resource, context: context, metadata: metadata))
    }
    if question == .authorize, !hasPermit, world.settings.foreign?.emptyAnswers == true {
        return emptyAnswers[(resources.first?.text.utf8.count ?? 0) % emptyAnswers.count]
    }
    return .json(["decisions": .array(items)])
}

/// The answers that a service before version 3.9.0.1 gives in place of a denial. rest-v2.md D1.
private let emptyAnswers: [Response] = [
    .json(["decisions": []]), Response(status: 200), .json([:]), Response(status: 204),
]

/// The keys of the records about the use of a temporary pass. A preauthorization has no promotional identity, so only its
/// device counts. Contract: rest-v2.md §3.1 note 5.
private func trial(
    _ question: DecisionContext.Question, provider: Provider, owner: Owner, call: Call, world: World
) throws(Refusal) -> TrialKeys? {
    guard let pass = provider.tempPass else { return nil }
    if question == .preauthorize, call.request.header("AP-TempPass-Identity") == nil {
        return TrialKeys(owner, provider, person: nil)
    }
    return try world.trialKeys(pass, provider: provider, owner: owner, call: call)
}

private func requestedResources(_ request: Request) throws(Refusal) -> [RequestedResource] {
    guard request.contentType == "application/json", let body = try? JSONReader.read(request.body),
        let items = body["resources"]?.array, !items.isEmpty
    else { throw .enhanced(.invalidParameterResources) }
    var resources: [RequestedResource] = []
    for item in items {
        guard let resource = item.string.flatMap(RequestedResource.init) else {
            throw .enhanced(.invalidParameterResources)
        }
        resources.append(resource)
    }
    return resources
}

extension World {
    fileprivate mutating func item(
        _ decision: Decision, resource: RequestedResource, context: DecisionContext, metadata: JSONValue?
    ) -> JSONValue {
        let isAuthorization = context.question == .authorize
        var token: JSONValue?
        if isAuthorization, decision.isAuthorized { token = mediaToken(for: resource, decision, context) }
        let validity = isAuthorization ? decision.validity : nil
        return .members([
            "resource": .string(resource.text), "serviceProvider": .string(context.owner.serviceProvider),
            "mvpd": .string(context.provider.id), "source": .string(decision.source.rawValue),
            "authorized": .bool(decision.isAuthorized), "token": token,
            "error": decision.error.map { $0.code.object(context.call, details: $0.details) },
            "notBefore": validity.map { .int($0.begins) }, "notAfter": validity.map { .int($0.ends) },
            settings.decisionMetadata?.rawValue ?? "": metadata,
        ])
    }
}
