// Writes metrics as text in the format of Prometheus. This type does no I/O.

import PassProtocol

struct MetricSamples: Sendable {
    enum Value: Sendable {
        case whole(Int)
        case fraction(Double)
        case histogram(LatencyHistogram)
    }

    let family: MetricFamily
    /// The values of the family's labels, with the value of the sample.
    let samples: [(labels: [String], value: Value)]

    init(_ family: MetricFamily, _ samples: [(labels: [String], value: Value)]) {
        self.family = family
        self.samples = samples.sorted { $0.labels.lexicographicallyPrecedes($1.labels) }
    }

    init(_ family: MetricFamily, _ value: Int?) { self.init(family, value.map { [([], .whole($0))] } ?? []) }

    init(_ family: MetricFamily, seconds: Duration?) {
        self.init(family, seconds.map { [([], .fraction($0 / .seconds(1)))] } ?? [])
    }

    init(_ family: MetricFamily, _ counts: [[String]: Int]) {
        self.init(family, counts.map { ($0.key, .whole($0.value)) })
    }
}

enum MetricsText {
    /// Writes the families that have samples. If `instance` is given, its name is a label of each sample, because one node
    /// exporter collects the samples of all daemons of a host.
    static func text(of families: [MetricSamples], instance: InstanceName? = nil) -> String {
        let box = instance.map { [(Metrics.instanceLabel, $0.text)] } ?? []
        var lines: [String] = []
        for samples in families where !samples.samples.isEmpty {
            let family = samples.family
            let name = family.kind == .histogram ? family.name : family.sampleNames[0]
            lines.append("# TYPE \(name) \(family.kind == .info ? .gauge : family.kind)")
            lines.append("# HELP \(name) \(family.help)")
            for (labels, value) in samples.samples {
                lines += Self.lines(family, labels: box + Array(zip(family.labels, labels)), value: value)
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func lines(
        _ family: MetricFamily, labels: [(String, String)], value: MetricSamples.Value
    ) -> [String] {
        switch value {
        case .whole(let number): [line(family.sampleNames[0], labels, value: "\(number)")]
        case .fraction(let number): [line(family.sampleNames[0], labels, value: "\(number)")]
        case .histogram(let histogram):
            histogram.cumulative.map {
                line(family.name + "_bucket", labels + [("le", $0.bound)], value: "\($0.count)")
            } + [
                line(family.name + "_sum", labels, value: "\(histogram.sum / .seconds(1))"),
                line(family.name + "_count", labels, value: "\(histogram.count)"),
            ]
        }
    }

    private static func line(_ name: String, _ labels: [(String, String)], value: String) -> String {
        let inside = labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
        return "\(name)\(inside.isEmpty ? "" : "{\(inside)}") \(value)"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
    }
}
