// Handlers of the methods about identity, events and metrics. Some of these methods need the capability `observe`. Every peer
// may call the others. rpc.md §3, §6, §7.

import AccessEnabler
import PassJSON
import PassProtocol

extension Handlers {
    mutating func offerSession(reports: Reports, policyInForce: PolicyInForce, hub: EventHub) {
        on(Hello.self) { params, client, _ in
            if let introduced = params.client {
                client.introduction =
                    introduced.name.cut(toBytes: 64).onOneLine + " " + introduced.version.cut(toBytes: 32).onOneLine
            }
            return [
                "protocol": 1, "version": .string(PassdVersion.text),
                "features": ["secondScreen", "browser", "events"],
                "identity": policyInForce.identity(of: client).json,
            ]
        }
        on(SpeakFor.self) { params, client, _ throws(RPCError) in
            guard let server = client.server else { throw .notReady(.stopping) }
            try server.speak(for: params, through: client)
            return [:]
        }
        on(WhoAmI.self) { _, client, _ in policyInForce.whoAmI(client) }
        on(Suggestions.self) { params, client, _ in reports.suggestions(params, for: client) }
        on(Subscribe.self) { params, client, _ in
            hub.subscribe(client, params.types)
            return ["seq": .int(hub.sequence), "snapshot": .object(reports.snapshot)]
        }
        on(Household.self) { _, _, _ in reports.household }
        on(Metrics.self) { _, _, _ in await reports.metrics() }
        on(Unsubscribe.self) { _, client, _ in
            hub.unsubscribe(client)
            return [:]
        }
    }
}
