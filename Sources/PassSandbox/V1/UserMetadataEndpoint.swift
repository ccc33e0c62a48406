// Returns the user metadata of the viewer. Contract: rest-v1.md §6.12; open-questions.md OQ-21, OQ-23, OQ-45.

import PassJSON

let userMetadataEndpoints = [
    V1.endpoint("GET", path: "/api/v1/tokens/usermetadata", access: .bearer, handler: readMetadata)
]

private func readMetadata(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world)
    let profile = try world.login(of: device, call).required(412, "User not authenticated")
    let (data, encrypted) = world.metadata(profile, device.owner)
    // There is no metadata of a viewer who has not logged in.
    guard !data.isEmpty else { throw .v1(V1Fault(404, code: .badRequest)) }
    return Document(
        "userMetadata",
        [
            "updated": .int((profile.grant?.updated ?? profile.begins) / 1000),
            "encrypted": .array(encrypted.map(JSONValue.string)), "data": .object(data),
        ]
    ).response(call)
}

extension World {
    /// The values, and the names of the encrypted ones.
    fileprivate func metadata(_ profile: Profile, _ owner: Owner) -> (data: [JSONObject.Member], encrypted: [String]) {
        if profile.source == .degraded { return ([], []) }
        if let provider = catalogue.provider(profile.mvpd), let pass = provider.tempPass {
            let keys = TrialKeys(owner, provider, person: profile.grant?.person)
            return (trialAttributes(pass, keys: keys, trial: trial(keys)?.trial, ends: profile.ends), [])
        }
        var data: [JSONObject.Member] = []
        var encrypted: [String] = []
        for member in attributes(Login(profile), owner.serviceProvider).members ?? [] {
            guard let value = member.value["value"], value != .null else { continue }
            data.append(.init(member.name, value))
            if member.value["state"] == "enc" { encrypted.append(member.name) }
        }
        if case .partner(let name) = profile.source { data.append(.init("tokenSource", .string(name))) }
        return (data, encrypted)
    }
}
