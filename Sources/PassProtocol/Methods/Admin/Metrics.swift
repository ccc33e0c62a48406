// Returns the daemon's metrics, to operators and to whoever may observe. rpc.md §7.

import PassJSON

public enum Metrics: RPCMethod {
    /// How the metrics are written.
    public enum Format: String, CaseIterable, Sendable {
        /// OpenMetrics 1.0, as Prometheus and others scrape it.
        case openMetrics = "openmetrics"
        /// The older text format of Prometheus, which its node exporter collects from files.
        case text

        public var contentType: String {
            switch self {
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            case .text: "text/plain; version=0.0.4; charset=utf-8"
            }
        }
    }

    /// The label that all samples of an instance have in addition; `instance` would be Prometheus' own.
    public static let instanceLabel = "box"

    public static let definition = MethodDefinition(
        "passd.metrics", "Returns the daemon's metrics as text, for Prometheus and others.",
        params: [
            .optional(
                "format", .enumeration(Format.allCases.map(\.rawValue)),
                summary: "OpenMetrics 1.0, or the text format of Prometheus, version 0.0.4.",
                default: .string(Format.openMetrics.rawValue))
        ],
        result: .object([.required("contentType", .string), .required("text", .string)]),
        capability: .observe,
        example: .init([:], ["contentType": .string(Format.openMetrics.contentType), "text": "# EOF\n"]))

    public struct Params: MethodParams {
        public var format: Format

        public init(format: Format = .openMetrics) { self.format = format }

        public init(params: JSONValue) {
            format = params.optionalText("format").flatMap(Format.init) ?? .openMetrics
        }

        public var json: JSONValue { ["format": .string(format.rawValue)] }
    }

    public struct Result: MethodResult {
        public var text: String
        public var format: Format

        public init(text: String, format: Format = .openMetrics) {
            self.text = text
            self.format = format
        }

        public var json: JSONValue { ["contentType": .string(format.contentType), "text": .string(text)] }
    }
}
