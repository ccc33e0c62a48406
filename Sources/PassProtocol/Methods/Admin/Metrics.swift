// Returns the daemon's metrics, to operators and to apps that may observe. rpc.md §7.

import PassJSON

public enum Metrics: RPCMethod {
    /// Prometheus' text format. The node exporter of Prometheus collects such text from files.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"
    /// The label with the name of a daemon's instance. It is not called `instance`, because Prometheus itself uses that label.
    public static let instanceLabel = "box"

    public static let definition = MethodDefinition(
        "passd.metrics", "Returns the daemon's metrics in the text format of Prometheus.",
        result: .object([.required("contentType", .string), .required("text", .string)]),
        capability: .observe,
        example: .init(
            [:],
            [
                "contentType": .string(contentType),
                "text": "# TYPE passd_up gauge\n# HELP passd_up Whether the daemon answered.\npassd_up 1\n",
            ]))
}
