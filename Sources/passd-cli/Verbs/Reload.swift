// `reload`: makes the daemon read its configuration again. A faulty one changes nothing.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let reload = Verb(
        name: "reload", summary: "reload the configuration",
        details: "Exits with 78 if the new one is bad; the old one then stays in force."
    ) { invocation in
        let result = try await invocation.connect(.admin).call(Reload.self)
        let problems = (result["problems"]?.array ?? []).compactMap(\.string)
        let isApplied = result["applied"]?.bool == true
        func list(_ name: String) -> [String] { (result[name]?.array ?? []).compactMap { $0.string?.onOneLine } }
        let (changed, waiting) = (list("changed"), list("waiting"))
        var lines = [
            "The configuration was reloaded"
                + (changed.isEmpty ? waiting.isEmpty ? "; nothing has changed." : "; nothing takes effect yet." : ".")
        ]
        lines += changed.map { "changed  \($0)" } + waiting.map { "waits for a restart  \($0)" }
        return Outcome(
            exit: isApplied ? .done : .configuration, data: result,
            text: isApplied ? lines.joined(separator: "\n") : "", isProse: true,
            notes: problems + (isApplied ? [] : ["The old configuration stays in force."]))
    }
}
