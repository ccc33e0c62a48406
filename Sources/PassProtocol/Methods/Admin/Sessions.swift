// Lists the apps that are connected. rpc.md §7.

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
                        .optional("client", .string, summary: "The name it gave in passd.hello."),
                        .required("pendingCalls", .integer(0...Int64.max)),
                    ])))
        ]),
        capability: .admin, socket: .admin, example: .init([:], ["sessions": []]))

    public struct ConnectedApp: Sendable, Equatable {
        public var session: Int64
        public var identity: PeerIdentity
        /// When it connected, in milliseconds since the epoch.
        public var since: Int64
        public var requestorID: String?
        /// The name that the app gave in passd.hello.
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
