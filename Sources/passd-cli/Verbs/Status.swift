// `status`: shows the state of the daemon.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let status = Verb(name: "status", summary: "show the state of the daemon") { invocation in
        let result = try await invocation.connect(.admin).call(Status.self)
        let members = (result.object?.members ?? []).filter { $0.name != "warnings" }
        let warnings = (result["warnings"]?.array ?? []).map { warning in
            let words = ["code", "message", "remedy"].map { warning[$0]?.string?.onOneLine ?? "" }
            return "\(invocation.paint.doubtful("warning")) \(words[0]): \(words[1])\n        \(words[2])"
        }
        return Outcome(
            data: result,
            text: ([Table.lines(.object(JSONObject(members)))] + warnings).joined(separator: "\n"))
    }
}
