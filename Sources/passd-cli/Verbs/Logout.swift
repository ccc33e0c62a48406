// `logout`: signs out, and tells what is left to do elsewhere.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let logout = Verb(
        name: "logout", summary: "sign out", details: "Says what is left to do elsewhere."
    ) { invocation in
        let result = try await invocation.entitledSession().call(Logout.self)
        let notes = (result["actions"]?.array ?? []).compactMap(note)
        return Outcome(data: result, text: "Signed out.", notes: notes + undurable(result))
    }

    /// A warning if the logout is not durable yet.
    static func undurable(_ result: JSONValue) -> [String] {
        result["durable"]?.bool == false
            ? ["It could not be written down yet: a loss of power may undo it. See passd-cli doctor."] : []
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
