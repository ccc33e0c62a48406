// `logout`: signs out, and tells what is left to do elsewhere.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let logout = Verb(
        name: "logout", summary: "sign out", details: "Prints what the viewer still has to do elsewhere."
    ) { invocation in
        let result = try await invocation.entitledSession().call(Logout.self)
        let actions = result["actions"]?.array ?? []
        let isTold = !actions.contains { $0["told"]?.bool == false }
        return Outcome(
            data: result, text: isTold ? "Signed out." : "Signed out of this box.",
            notes: (isTold ? [] : [untold]) + actions.compactMap(note) + undurable(result))
    }

    private static let untold = "The service has not taken this yet; passd-cli doctor says why."

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
        case .some(.none), nil:
            return step["link"]?.string.map { "To sign out at \(provider), too, open on the phone: \($0.onOneLine)" }
        }
    }
}
