// What is in the daemon at the moment: sessions, tokens, numbers. It contains no secrets. rpc.md §7.

import PassJSON

public enum Sessions: RPCMethod {
    public typealias Params = NoParams

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
                        .optional("client", .string, summary: "As it introduced itself."),
                        .required("pendingCalls", .integer(0...Int64.max)),
                    ])))
        ]),
        capability: .admin, socket: .admin, example: .init([:], ["sessions": []]))

    public struct ConnectedApp: Sendable, Equatable {
        public var session: Int64
        public var identity: PeerIdentity
        /// In milliseconds since 1970.
        public var since: Int64
        public var requestorID: String?
        /// The name under which the client introduced itself.
        public var client: String?
        public var pendingCalls: Int

        public init(
            session: Int64, identity: PeerIdentity, since: Int64, requestorID: String?, client: String?,
            pendingCalls: Int
        ) {
            self.session = session
            self.identity = identity
            self.since = since
            self.requestorID = requestorID
            self.client = client
            self.pendingCalls = pendingCalls
        }

        fileprivate var json: JSONValue {
            .members([
                "session": .int(session), "identity": identity.json, "since": .int(since),
                "requestorID": requestorID.map(JSONValue.string), "client": client.map(JSONValue.string),
                "pendingCalls": .int(pendingCalls),
            ])
        }
    }

    public struct Result: MethodResult {
        public var sessions: [ConnectedApp]

        public init(sessions: [ConnectedApp]) { self.sessions = sessions }

        public var json: JSONValue { ["sessions": .array(sessions.map(\.json))] }
    }
}

public enum Tokens: RPCMethod {
    public typealias Params = NoParams

    public static let definition = MethodDefinition(
        "passd.tokens", "Lists what is stored, without any secret.",
        result: .object([
            .required(
                "tokens",
                .array(
                    .object([
                        .required("requestorID", .string),
                        .required("provider", .string, summary: "The provider's ID."),
                        .required("kind", .string), .optional("resource", .string), .optional("expires", .time),
                    ])))
        ]),
        capability: .admin, socket: .admin, example: .init([:], ["tokens": []]))

    /// A stored token without its secret.
    public struct StoredToken: Sendable, Equatable {
        public var requestorID: String
        public var provider: String
        public var kind: String
        /// In milliseconds since 1970.
        public var expires: Int64

        public init(requestorID: String, provider: String, kind: String, expires: Int64) {
            self.requestorID = requestorID
            self.provider = provider
            self.kind = kind
            self.expires = expires
        }

        fileprivate var json: JSONValue {
            [
                "requestorID": .string(requestorID), "provider": .string(provider), "kind": .string(kind),
                "expires": .int(expires),
            ]
        }
    }

    public struct Result: MethodResult {
        public var tokens: [StoredToken]

        public init(tokens: [StoredToken]) { self.tokens = tokens }

        public var json: JSONValue { ["tokens": .array(tokens.map(\.json))] }
    }
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

    /// The result of one check.
    public struct Check: Sendable, Equatable {
        public enum Outcome: String, Sendable { case pass, warn, fail }

        public var name: String
        public var outcome: Outcome
        public var message: String
        public var remedy: String?

        public init(_ name: String, _ outcome: Outcome, message: String, remedy: String? = nil) {
            self.name = name
            self.outcome = outcome
            self.message = message
            self.remedy = remedy
        }

        fileprivate var json: JSONValue {
            .members([
                "name": .string(name), "outcome": .string(outcome.rawValue), "message": .string(message),
                "remedy": remedy.map(JSONValue.string),
            ])
        }
    }

    public struct Result: MethodResult {
        public var checks: [Check]

        public init(checks: [Check]) { self.checks = checks }

        public var json: JSONValue { ["checks": .array(checks.map(\.json))] }
    }
}
