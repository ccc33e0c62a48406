// `metrics`: prints the daemon's metrics for Prometheus and other programs, or writes them into a file for the node exporter.

import PassArguments
import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let outputFile = Option(
        "--output", "FILE",
        help: "write the metrics to this file, and replace its old "
            + "contents")
}

extension Verb {
    static let metrics = Verb(
        "metrics", "print the daemon's metrics", options: [.outputFile],
        details: """
            The format is the text format of Prometheus. This verb is for operators, and for apps with may = observe \
            in their stanza. If the daemon does not answer, the file of --output gets only passd_up 0, and the exit \
            code gives the reason.
            """
    ) { invocation in
        guard let file = invocation.arguments[.outputFile] else {
            let result = try await invocation.ask(Metrics.self)
            let text = result["text"]?.string ?? ""
            let lines = text.hasSuffix("\n") ? String(text.dropLast()) : text
            return Outcome(data: result, text: invocation.console.output.isTerminal ? lines.onTheirLines : lines)
        }
        do {
            try OutputFile.replace(file, with: try await invocation.ask(Metrics.self)["text"]?.string ?? "")
        } catch let fault as ClientFault {
            let labels = invocation.instance.map { "{\(Metrics.instanceLabel)=\"\($0.text)\"}" } ?? ""
            let text = "# TYPE passd_up gauge\n# HELP passd_up 1: the daemon answered; 0: passd-cli got no answer.\n"
            try OutputFile.replace(file, with: text + "passd_up\(labels) 0\n")
            throw fault
        }
        return Outcome(data: ["file": .string(file)])
    }
}
