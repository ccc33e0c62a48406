// `logout`: signs out, and says what is left to do elsewhere.

import PassClient
import PassProtocol

extension Verb {
    static let logout = Verb(
        name: "logout", summary: "sign out", details: "Says what is left to do elsewhere."
    ) { invocation in
        let result = try await invocation.entitledSession().call(Logout.self)
        return Outcome(data: result, text: "Signed out.", notes: (result["actions"]?.array ?? []).compactMap(note))
    }

    private static func note(_ step: JSONValue) -> String? {
        let provider = step["provider"]?.string ?? "The provider"
        switch step["action"]?.string.flatMap(Logout.Action.init(rawValue:)) {
        case .browser: return "\(provider) wants a browser for the rest: \(step["url"]?.string ?? "")"
        case .platformSettings: return "\(provider): the platform is still signed in; sign out in its settings."
        case .some(.none), nil: return nil
        }
    }
}
