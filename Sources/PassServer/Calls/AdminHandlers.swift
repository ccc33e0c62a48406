// Handlers of `passd.signOut` and of the operator's methods. The operator's methods exist only on the admin socket. rpc.md §6,
// §7.

import AccessEnabler
import PassConfiguration
import PassJSON
import PassProtocol
import PassSystem

extension Handlers {
    mutating func offerAdmin(parts: ServerParts, reports: Reports, policyInForce: PolicyInForce, log: DecisionLog) {
        let engine = parts.engine
        on(Status.self) { _, _, _ in await reports.status() }
        on(Sessions.self) { _, _, _ in reports.sessions }
        on(Tokens.self) { _, _, _ in reports.tokens }
        on(Decisions.self) { params, _, _ in
            let decisions = log.decisions(params).map { decision in
                var decision = reports.addressed(decision)
                decision.title = policyInForce.policy.titles[decision.app ?? ""]
                return decision.json
            }
            return ["decisions": .array(decisions)]
        }
        on(Doctor.self) { params, _, _ in await reports.examine(params) }
        on(Record.self) { params, _, _ in parts.recordExchanges(params.isOn) }
        on(Forget.self) { params, _, _ in
            if params.provider == nil { log.forget(params.requestorID) }
            let outcome = await engine.logout(
                requestor: params.requestorID.map { RequestorID(rawValue: $0) },
                provider: params.provider.map { ProviderID(rawValue: $0) }, tellingService: false)
            await log.save(ifChanged: true)
            return forgotten(outcome)
        }
        on(LogoutAll.self) { _, _, _ in
            let (outcome, untold) = await engine.logOutAll(nil, log)
            return forgotten(outcome, untold: untold.isEmpty ? nil : .array(untold))
        }
        on(SignOut.self) { _, client, grant in
            let app = client.socket == .admin ? nil : grant.app.map { AppID(rawValue: $0) }
            let platform = Set(
                engine.currentLogins.filter { $0.value.kind == .appleSSO }.map {
                    engine.provider(of: $0.key).displayName
                })
            let (outcome, untold) = await engine.logOutAll(app, log)
            return forgotten(
                outcome, untold: untold.isEmpty ? nil : .int(untold.count),
                onPlatform: platform.isEmpty ? nil : .array(platform.sorted().map(JSONValue.string)))
        }
        on(Reload.self) { _, _, _ in await parts.actions.reload() }
        on(ConfigurationInForce.self) { _, _, _ in
            let files = await parts.actions.readFiles()
            return ConfigurationView.result(of: reports.state.loaded, files: files)
        }
        on(Export.self) { _, client, _ in
            let result = try await parts.actions.exportStore()
            parts.journal.record(.storeExported, logins: result.logins, by: client)
            return [
                "backup": .string(result.backup), "logins": .int(result.logins), "apps": .int(result.apps),
            ]
        }
        on(Import.self) { params, client, _ in
            let result = try await parts.actions.importStore(params.backup)
            parts.journal.record(.storeImported, logins: result.logins, by: client)
            return ["logins": .int(result.logins), "restarts": .bool(result.restarts)]
        }
        on(PolicyExplain.self) { params, _, _ throws(RPCError) in
            let peer = try parts.facts(about: params)
            var answer = policyInForce.policy.explain(params, about: peer, seeing: .current)
            (answer.uid, answer.unit) = (peer.user, peer.unit)
            answer.origin = peer.origin?.description
            if peer.socket == nil, let process = params.pid, ProcessFacts.isContained(process) {
                answer.notes.append(Denial.containerHint.asSentence)
            }
            return answer
        }
    }
}

extension Engine {
    /// Logs out every requestor. `app` is the app that asked for this; nil for an operator. Also returns the logouts that the
    /// service has not accepted.
    fileprivate func logOutAll(
        _ app: AppID?, _ log: DecisionLog
    ) async -> (outcome: (count: Int, isDurable: Bool), untold: [JSONValue]) {
        log.forget(nil)
        let outcome = await logout(tellingService: true, by: app)
        await log.save(ifChanged: true)
        var untold: [JSONValue] = []
        for key in await tellLogouts() {
            let name: JSONValue = [
                "requestorID": .string(key.requestor.rawValue), "provider": .string(key.provider.rawValue),
            ]
            // Several apps may have had a login of the same requestor and provider. The answer names each pair once. Equal
            // pairs follow each other, because the keys are sorted.
            if untold.last != name { untold.append(name) }
        }
        return (outcome, untold)
    }
}

/// The result of the methods that remove logins.
private func forgotten(
    _ outcome: (count: Int, isDurable: Bool), untold: JSONValue? = nil, onPlatform: JSONValue? = nil
) -> JSONValue {
    .members([
        "forgotten": .int(outcome.count), "durable": outcome.isDurable ? nil : .bool(false), "untold": untold,
        "onPlatform": onPlatform,
    ])
}
