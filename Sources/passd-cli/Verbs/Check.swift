// `check`: tells whether the viewer is signed in, by text and by exit code.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let check = Verb(
        name: "check", summary: "show whether the viewer is signed in", details: "Exits with 0 if so, with 3 if not."
    ) { invocation in
        let result = try await invocation.entitledSession().call(CheckAuthentication.self)
        guard result["authenticated"]?.bool == true else {
            return Outcome(exit: .no, data: result, text: nobody)
        }
        let provider = result["provider"]?.string.map { " with \($0.onOneLine)" } ?? ""
        let expires = result["expires"]?.int64.map { ", until \(Moment.text($0))" } ?? ""
        return Outcome(data: result, text: "Signed in\(provider)\(expires).")
    }
}
