// What is in the daemon right now: sessions, tokens, numbers. Never a secret. rpc.md §7.

import PassJSON

public enum Sessions: RPCMethod {
    public typealias Params = NoParams
    public typealias Result = Report

    public static let definition = MethodDefinition(
        "passd.sessions", "Lists the connected apps.",
        result: .object([
            .required(
                "sessions",
                .array(
                    .object([
                        .required("session", .integer(1...Int64.max)),
                        .required("identity", .component(PeerIdentity.component)),
                        .required("since", .time), .optional("requestorID", .string),
                        .optional("client", .string, "As it introduced itself."),
                        .required("pendingCalls", .integer(0...Int64.max)),
                    ])))
        ]),
        capability: .admin, socket: .admin, example: .init([:], ["sessions": []]))
}

public enum Tokens: RPCMethod {
    public typealias Params = NoParams
    public typealias Result = Report

    public static let definition = MethodDefinition(
        "passd.tokens", "Lists what is stored, without any secret.",
        result: .object([
            .required(
                "tokens",
                .array(
                    .object([
                        .required("requestorID", .string), .required("provider", .string, "The provider's ID."),
                        .required("kind", .string), .optional("resource", .string), .optional("expires", .time),
                    ])))
        ]),
        capability: .admin, socket: .admin, example: .init([:], ["tokens": []]))
}

public enum Metrics: RPCMethod {
    public typealias Params = NoParams

    public static let definition = MethodDefinition(
        "passd.metrics", "Returns the daemon's numbers as OpenMetrics text.",
        result: .object([.required("contentType", .string), .required("text", .string)]),
        capability: .admin, socket: .admin,
        example: .init([:], ["contentType": .string(Result.contentType), "text": "# EOF\n"]))

    public struct Result: MethodResult {
        public static let contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

        public var text: String

        public init(text: String) { self.text = text }

        public var json: JSONValue { ["contentType": .string(Self.contentType), "text": .string(text)] }
    }
}

public enum Doctor: RPCMethod {
    public typealias Params = NoParams
    public typealias Result = Report

    public static let definition = MethodDefinition(
        "passd.doctor", "Runs named checks and tells how to mend what fails.",
        result: .object([
            .required(
                "checks",
                .array(
                    .object([
                        .required("name", .string), .required("outcome", .enumeration(["pass", "warn", "fail"])),
                        .required("message", .string), .optional("remedy", .string),
                    ])))
        ]),
        capability: .admin, socket: .admin,
        example: .init(
            [:], ["checks": [["name": "store", "outcome": "pass", "message": "The store can be read and written."]]]))
}
