// Who is who, what there is, and what happens: open to every peer but for the events. rpc.md §3, §6.

import AccessEnabler
import PassProtocol

extension Handlers {
    mutating func offerSession(_ house: House) {
        on(Hello.self) { [unowned house] params, client, _ in
            if let introduced = params.client {
                client.introduction =
                    introduced.name.cut(toBytes: 64).onOneLine + " " + introduced.version.cut(toBytes: 32).onOneLine
            }
            return Hello.Result(
                version: daemonVersion, features: ["secondScreen", "browser", "events"],
                identity: house.router.identity(of: client))
        }
        on(WhoAmI.self) { [unowned house] _, client, _ in house.router.whoAmI(client) }
        on(Subscribe.self) { [unowned house] params, client, _ in
            house.hub.subscribe(client, params.types)
            return Subscribe.Result(sequence: house.hub.sequence, snapshot: house.snapshot)
        }
        on(Unsubscribe.self) { [unowned house] _, client, _ in
            house.hub.unsubscribe(client)
            return EmptyResult()
        }
    }
}
