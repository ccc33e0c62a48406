// `passd.suggestions`: words for the completion of shells. They come from memory only. rpc.md §6.

import AccessEnabler
import PassConfiguration
import PassJSON
import PassProtocol

extension Reports {
    func suggestions(_ params: Suggestions.Params, for client: ConnectedClient) -> JSONValue {
        let allowed = policyInForce.whoAmI(client).requestors
        var requestors = allowed.filter { $0 != "*" }
        if requestors.count < allowed.count { requestors += state.loaded.apps.flatMap(\.requestors) }
        requestors = Set(requestors).sorted()
        let asked = params.requestorID.map { [$0] } ?? requestors
        let mine = asked.filter { allowed.contains("*") || allowed.contains($0) }
        let providers = mine.flatMap { engine.knownProviders(of: RequestorID(rawValue: $0)) }.map(\.rawValue)
        // Only operators get names of resources, because these names show what was watched.
        let resources =
            client.socket == .admin ? log.resources(of: params.requestorID, limit: Suggestions.limit) : []
        return [
            "requestors": .strings(Array(requestors.prefix(Suggestions.limit))),
            "providers": .strings(Array(Set(providers).sorted().prefix(Suggestions.limit))),
            "resources": .strings(resources),
        ]
    }
}
