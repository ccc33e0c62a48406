// Tells which of several resources the viewer may watch. Contract: rest-v1.md §6.11; open-questions.md OQ-49, OQ-55.

import PassJSON

let preauthorizationEndpoints = [
    V1.endpoint("GET", path: "/api/v1/preauthorize", access: .bearer, handler: preauthorizeDevice),
    V1.endpoint("GET", path: "/api/v1/preauthorize/{code}", access: .open, handler: preauthorizeCode),
]

private func preauthorizeDevice(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world, repeatable: ["resource"])
    let resources = try world.resources(device.parameters)
    let profile: Profile
    switch world.login(of: device, call) {
    case .valid(let login): profile = login
    case .none: throw .v1(V1Fault(412, code: .preauthorizationSessionMissing, message: "User not authenticated"))
    case .expired: throw .v1(V1Fault(412, code: .preauthorizationSessionExpired, message: "User not authenticated"))
    case .invalidated: throw .v1(V1Fault(412, code: .sessionInvalidated, message: "User not authenticated"))
    }
    return try world.preauthorize(resources, profile: profile, call: call)
}

/// Preauthorizes for the second screen, which has the code but no token.
private func preauthorizeCode(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
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
        let owner = Owner(profile)
        let (provider, integration) = try v1Integration(owner.serviceProvider, profile.mvpd, status: 412)
        let isEnhanced = catalogue.serviceProvider(owner.serviceProvider)?.enhancedErrors ?? false
        guard resources.count <= integration.preauthorizeLimit else { return tooMany(isEnhanced, call) }
        let context = DecisionContext(
            question: .preauthorize, owner: owner, provider: provider, integration: integration, identities: [],
            call: call,
            trial: provider.tempPass == nil ? nil : TrialKeys(owner, provider, person: profile.grant?.person))
        var items: [JSONValue] = []
        for resource in resources
        where catalogue.serviceProvider(owner.serviceProvider)?.leavesOut(resource) != true {
            let error = decide(resource, context).error.map { error in
                V1Fault(
                    error.code.status, code: V1ErrorCode(error.code), message: error.code.message,
                    details: error.details
                )
                .object(isEnhanced: true, trace: call.trace, origin: origin)
            }
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

    /// Without enhanced errors the answer also has an empty list, for clients that look for nothing else.
    private func tooMany(_ isEnhanced: Bool, _ call: Call) -> Response {
        let fault = V1Fault(403, code: .tooManyResources, message: ErrorCode.tooManyResources.message)
        var members = fault.object(isEnhanced: true, trace: call.trace, origin: origin).members ?? []
        if !isEnhanced { members.append(.init("resources", [])) }
        return Document("error", .object(members)).response(call, status: 403)
    }
}
