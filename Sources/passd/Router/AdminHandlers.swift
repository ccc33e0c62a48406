// The operator's methods, on the admin socket alone. rpc.md §7.

import AccessEnabler
import PassJSON
import PassProtocol

extension Handlers {
    mutating func offerAdmin(_ house: House) {
        on(Status.self) { [unowned house] _, _, _ in await house.status() }
        on(Sessions.self) { [unowned house] _, _, _ in house.sessionsReport }
        on(Tokens.self) { [unowned house] _, _, _ in house.tokensReport }
        on(Doctor.self) { [unowned house] _, _, _ in await house.examine() }
        on(Metrics.self) { [unowned house] _, _, _ in Metrics.Result(text: house.metrics) }
        on(Forget.self) { [unowned house] params, _, _ in
            let outcome = await house.engine.logout(
                requestor: params.requestorID.map { RequestorID(rawValue: $0) },
                provider: params.provider.map { ProviderID(rawValue: $0) }, tellingService: false)
            return ForgottenLogins(count: outcome.count, isDurable: outcome.isDurable)
        }
        on(LogoutAll.self) { [unowned house] _, _, _ in
            let outcome = await house.engine.logout(tellingService: true)
            return ForgottenLogins(count: outcome.count, isDurable: outcome.isDurable)
        }
        on(Reload.self) { [unowned house] _, _, _ in
            let (applied, problems) = house.operations.reload()
            return Report(
                JSONObject([
                    ("applied", .bool(applied)), ("problems", .strings(problems.map(\.description))),
                ]))
        }
        on(PolicyExplain.self) { [unowned house] params, _, _ in
            house.router.policy.explain(params, groups: house.operations.environment.groups(params.uid))
        }
    }
}
