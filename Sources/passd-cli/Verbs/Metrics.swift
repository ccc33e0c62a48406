// `metrics`: prints the daemon's numbers as OpenMetrics text.

import PassClient
import PassProtocol

extension Verb {
    static let metrics = Verb(name: "metrics", summary: "print the daemon's metrics as OpenMetrics text") {
        invocation in
        let result = try await invocation.connect(.admin).call(Metrics.self)
        let text = result["text"]?.string ?? ""
        let lines = text.hasSuffix("\n") ? String(text.dropLast()) : text
        guard invocation.console.output.isTerminal else { return Outcome(data: result, text: lines) }
        let shown = lines.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).onOneLine }
        return Outcome(data: result, text: shown.joined(separator: "\n"))
    }
}
