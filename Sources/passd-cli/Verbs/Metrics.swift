// `metrics`: prints the daemon's numbers for Prometheus and others, or puts them into a file that its node exporter
// collects.

import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let outputFile = Option(
        name: "--output", value: "FILE", help: "replace this file as a whole instead of printing")
}

extension Verb {
    static let metrics: Verb = Verb(
        name: "metrics", summary: "print the daemon's metrics", options: [.outputFile],
        details: """
            In the text format of Prometheus, which its node exporter collects from files. If the daemon does not answer, FILE \
            says only that passd_up is 0, and the exit code tells why. \
            passd-metrics.timer writes such a file, passd-metrics@NAME.timer that of an instance; their program is this verb. \
            Operators may ask, and apps that a stanza lets observe.
            """
    ) { invocation in
        guard let file = invocation.arguments[.outputFile] else {
            let result = try await answer(invocation)
            let text = content(of: result)
            let lines = text.hasSuffix("\n") ? String(text.dropLast()) : text
            guard invocation.console.output.isTerminal else { return Outcome(data: result, text: lines) }
            let shown = lines.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).onOneLine }
            return Outcome(data: result, text: shown.joined(separator: "\n"))
        }
        do {
            try FileReplacement.replace(file, with: content(of: try await answer(invocation)))
        } catch let fault as ClientFault {
            let labels = invocation.instance.map { "{\(Metrics.instanceLabel)=\"\($0.text)\"}" } ?? ""
            let text = "# TYPE passd_up gauge\n# HELP passd_up Whether the daemon answered; 0 comes from passd-cli.\n"
            try FileReplacement.replace(file, with: text + "passd_up\(labels) 0\n")
            throw fault
        }
        return Outcome(data: ["file": .string(file)])
    }

    private static func answer(_ invocation: Invocation) async throws -> JSONValue {
        try await invocation.connectToObserve().call(Metrics.self)
    }

    private static func content(of result: JSONValue) -> String { result["text"]?.string ?? "" }
}
