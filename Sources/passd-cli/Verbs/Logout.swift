// `logout`: signs out, and tells what is left to do elsewhere.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let logout = Verb(
        name: "logout", summary: "sign out", details: "Prints what the viewer still has to do elsewhere."
    ) { invocation in
        let result = try await invocation.entitledSession().call(Logout.self)
        let notes = (result["actions"]?.array ?? []).compactMap(note)
        return Outcome(data: result, text: "Signed out.", notes: notes + undurable(result))
    }

    /// A warning if the logout is not durable yet.
    static func undurable(_ result: JSONValue) -> [String] {
        result["durable"]?.bool == false
            ? ["This is not on the disk yet: a power failure may undo it. See passd-cli doctor."] : []
    }

    private static func note(_ step: JSONValue) -> String? {
        let provider = step["provider"]?.string ?? "the provider"
        switch step["action"]?.string.flatMap(Logout.Action.init(rawValue:)) {
        case .browser: return "To finish signing out of \(provider), open in a browser: \(step["url"]?.string ?? "")"
        case .platformSettings:
            return "The device's TV account is still signed in with \(provider); sign out in the device's settings."
        case .some(.none), nil: return nil
        }
    }
}
