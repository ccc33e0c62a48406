// `reload`: makes the daemon read its configuration again. A faulty one changes nothing.

import PassClient
import PassProtocol

extension Verb {
    static let reload = Verb(
        name: "reload", summary: "reload the configuration",
        details: "Exits with 78 if the new one is bad; the old one then stays in force."
    ) { invocation in
        let result = try await invocation.connect(.admin).call(Reload.self)
        let problems = (result["problems"]?.array ?? []).compactMap(\.string)
        let isApplied = result["applied"]?.bool == true
        return Outcome(
            exit: isApplied ? .done : .configuration, data: result,
            text: isApplied ? "The configuration was reloaded." : "",
            notes: problems + (isApplied ? [] : ["The old configuration stays in force."]))
    }
}
