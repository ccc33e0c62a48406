// `metrics`: prints the daemon's numbers for Prometheus and others, or puts them into a file that its node exporter
// collects.

import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let format = Option(
        name: "--format", value: Metrics.Format.allCases.map(\.rawValue).joined(separator: "|"),
        help: "the format; default: \(Metrics.Format.openMetrics.rawValue)")
    static let outputFile = Option(
        name: "--output", value: "FILE", help: "replace this file as a whole instead of printing")
}

extension Verb {
    static let metrics: Verb = Verb(
        name: "metrics", summary: "print the daemon's metrics", options: [.format, .outputFile],
        details: """
            The formats are OpenMetrics 1.0, and the older text format of Prometheus, which its node exporter reads. If the \
            daemon does not answer, FILE says only that passd_up is 0, and the exit code tells why. \
            passd-metrics.timer writes such a file, passd-metrics@NAME.timer that of an instance; their program is this verb. \
            Operators may ask, and whoever a stanza lets observe.
            """
    ) { invocation in
        let format: Metrics.Format =
            try invocation.arguments[.format].map { text throws(Failure) in try knownFormat(text) } ?? .openMetrics
        guard let file = invocation.arguments[.outputFile] else {
            let result = try await answer(invocation, format)
            let text = content(of: result)
            let lines = text.hasSuffix("\n") ? String(text.dropLast()) : text
            guard invocation.console.output.isTerminal else { return Outcome(data: result, text: lines) }
            let shown = lines.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).onOneLine }
            return Outcome(data: result, text: shown.joined(separator: "\n"))
        }
        do {
            try FileReplacement.replace(file, with: content(of: try await answer(invocation, format)))
        } catch let fault as ClientFault {
            try FileReplacement.replace(file, with: format.textWithoutDaemon(of: invocation.instance))
            throw fault
        }
        return Outcome(data: ["file": .string(file)])
    }

    private static func answer(_ invocation: Invocation, _ format: Metrics.Format) async throws -> JSONValue {
        try await invocation.connectToObserve().call(Metrics.self, .init(format: format))
    }

    private static func content(of result: JSONValue) -> String { result["text"]?.string ?? "" }

    private static func knownFormat(_ text: String) throws(Failure) -> Metrics.Format {
        guard let format = Metrics.Format(rawValue: text) else {
            throw Failure.usage("There is no format \"\(text)\".", Verb.metrics)
        }
        return format
    }
}

extension Metrics.Format {
    fileprivate func textWithoutDaemon(of instance: InstanceName?) -> String {
        let labels = instance.map { "{\(Metrics.instanceLabel)=\"\($0.text)\"}" } ?? ""
        return "# TYPE passd_up gauge\n# HELP passd_up Whether the daemon answered; 0 comes from passd-cli.\n"
            + "passd_up\(labels) 0\n" + (self == .openMetrics ? "# EOF\n" : "")
    }
}
