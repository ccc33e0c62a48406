// Resets a temporary pass on behalf of the operator: for a device, a person, or all. Contract: rest-v1.md §9.4.

let trialResetEndpoints = [
    V1.endpoint("DELETE", path: "/reset-tempass/v3/reset", access: .bearer) { call, world throws(Refusal) in
        try resetTrials("device", parameter: "device_id", call: call, world: &world)
    },
    V1.endpoint("DELETE", path: "/reset-tempass/v3/reset/generic", access: .bearer) { call, world throws(Refusal) in
        try resetTrials("person", parameter: "key", call: call, world: &world)
    },
]

private func resetTrials(
    _ kind: String, parameter: String, call: Call, world: inout World
) throws(Refusal) -> Response {
    guard let app = call.client.flatMap(world.app(of:)) else { throw .unauthorized }
    guard app.scopes.contains(V1.operatorScope) else { throw .oauth("invalid_client", status: 403) }
    let parameters = try Parameters(call.request)
    let serviceProvider = try world.requestor(parameters["requestor_id"], "requestor_id")
    guard app.serviceProviders.contains(serviceProvider.id) else { throw .oauth("invalid_client", status: 403) }
    let (provider, _) = try world.v1Integration(serviceProvider.id, try parameters.required("mvpd_id"))
    guard let pass = provider.tempPass, kind == "device" || pass.promotion != nil else {
        throw .v1(.wrong("mvpd_id"))
    }
    let id = parameters[parameter] ?? "all"
    world.forgetTrials(
        TrialKeys.key(serviceProvider.id, provider: provider.id, kind: kind, id: id == "all" ? "" : id),
        isPrefix: id == "all")
    return V1.empty(204)
}

extension World {
    /// Removes trials, and all trials that continue them.
    fileprivate mutating func forgetTrials(_ place: String, isPrefix: Bool) {
        let gone = state.trials.rows.keys.filter { isPrefix ? $0.hasPrefix(place) : $0 == place }
        for key in gone { state.trials[key] = nil }
        for (key, trial) in state.trials.rows where trial.continues.map(gone.contains) == true {
            state.trials[key] = nil
        }
    }
}
