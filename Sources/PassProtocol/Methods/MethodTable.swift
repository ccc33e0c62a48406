// The only table of methods. The router finds methods in it, and the OpenRPC document is made from it.

import PassJSON

public enum MethodTable {
    /// All methods, in the order of rpc.md §3 to §7.
    public static let all: [any RPCMethod.Type] = [
        Hello.self, WhoAmI.self, Subscribe.self, Unsubscribe.self, Suggestions.self, Discover.self,
        SetOptions.self, SetRequestor.self, CheckAuthentication.self, GetAuthentication.self,
        SetSelectedProvider.self, GetSelectedProvider.self, HandleExternalURL.self, CheckAuthorization.self,
        GetAuthorization.self, CheckPreauthorizedResources.self, Preauthorize.self, GetMetadata.self, Logout.self,
        ListProviders.self, ListProfiles.self, Household.self, SignOut.self,
        Status.self, Sessions.self, Tokens.self, Forget.self, LogoutAll.self, Reload.self, Metrics.self,
        PolicyExplain.self, Doctor.self, Record.self, Decisions.self, ConfigurationInForce.self, Export.self,
        Import.self,
    ]

    private static let byName: [String: any RPCMethod.Type] = Dictionary(
        uniqueKeysWithValues: all.map { ($0.definition.name, $0) })

    public static func find(_ name: String) -> (any RPCMethod.Type)? { byName[name] }

    private static let spellings = all.map { ($0.definition.name, Array($0.definition.name.utf8)) }

    /// The max size of a compared name, in bytes. A longer name cannot be a mistyped method.
    private static let maxComparedSize = 40

    /// The most similar known name for a mistyped name; nil if no name is similar.
    public static func nearest(to name: String) -> String? {
        guard name.utf8.count <= maxComparedSize else { return nil }
        let typed = Array(name.utf8)
        let maxEdits = max(2, typed.count / 3)
        let known = spellings.filter { abs($0.1.count - typed.count) <= maxEdits }
            .map { ($0.0, Spelling.edits(from: typed, to: $0.1)) }
        guard let best = known.min(by: { $0.1 < $1.1 }), best.1 <= maxEdits else { return nil }
        return best.0
    }
}
