// `metrics`: the daemon's numbers as OpenMetrics text.

import PassClient
import PassProtocol

extension Verb {
    static let metrics = Verb(name: "metrics", summary: "print the daemon's numbers as OpenMetrics text") {
        invocation in
        let result = try await invocation.connect(.admin).call(Metrics.self)
        let text = result["text"]?.string ?? ""
        return Outcome(data: result, text: text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
}
