// `profiles`: lists the requestor's logins on this device.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let profiles = Verb(name: "profiles", summary: "list the requestor's logins on this device") { invocation in
        let result = try await invocation.entitledSession().call(ListProfiles.self)
        // The attributes are left out because they are many and long. `metadata` prints each, and --json all.
        let profiles = (result["profiles"]?.array ?? []).map { profile in
            JSONValue.object(JSONObject((profile.object?.members ?? []).filter { $0.name != "attributes" }))
        }
        return Outcome(
            data: result, text: Table.columns(profiles, paint: invocation.paint),
            notes: profiles.isEmpty ? [nobody] : [])
    }
}
