// `sessions`: lists the connected apps.

import PassClient
import PassProtocol

extension Verb {
    static let sessions = Verb(name: "sessions", summary: "list the connected apps") { invocation in
        let result = try await invocation.connect(.admin).call(Sessions.self)
        return Outcome(
            data: result, text: Table.columns(result["sessions"]?.array ?? [], paint: invocation.paint))
    }
}
