// `authorize`: asks whether a resource may be played now. Only the media token goes to standard output, for scripts.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let authorize = Verb(
        name: "authorize", summary: "get a media token for a resource",
        operands: [Operand("RESOURCE", known: .resources)],
        details: "Exits with 3 if the provider refuses or nobody is signed in; it never starts a login."
    ) { invocation in
        let resource = invocation.arguments.operands[0]
        let client = try await invocation.entitledSession()
        var outcome = outcome(try await client.call(CheckAuthorization.self, .init(resource: resource)))
        if invocation.console.output.isTerminal { outcome.text = outcome.text.onOneLine }
        return outcome
    }

    private static func outcome(_ result: JSONValue) -> Outcome {
        if result["authorized"]?.bool == true, let token = result["token"]?.string {
            let details = [
                result["expires"]?.int64.map { "Valid until \(Moment.text($0))" },
                result["source"]?.string.map { "decided by \($0)" },
            ].compactMap(\.self)
            return Outcome(
                data: result, text: token, notes: details.isEmpty ? [] : [details.joined(separator: ", ") + "."])
        }
        let note = needsLogin(result) ? "\(nobody) Sign in with passd-cli login." : refusal(result)
        return Outcome(exit: .no, data: result, notes: [note])
    }

    /// Whether the answer is no because nobody is signed in.
    static func needsLogin(_ result: JSONValue) -> Bool {
        result["pending"]?.bool == true
            || result["errorCode"]?.string == FlowErrorCode.userNotAuthenticated.rawValue
            || result["error"]?["action"]?.string == ErrorAction.authentication.rawValue
    }

    /// The reason of a refusal: the provider's words if there are any, else the service's, else the bare code.
    static func refusal(_ result: JSONValue) -> String {
        let error = result["error"]
        for words in [error?["details"]?.string, error?["message"]?.string] {
            if let words, !words.isEmpty { return words }
        }
        let code = error?["code"]?.string ?? result["errorCode"]?.string
        return code.map { "Not authorized: \($0)." } ?? "Not authorized."
    }
}
