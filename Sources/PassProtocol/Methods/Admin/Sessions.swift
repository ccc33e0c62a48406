// Lists the apps that are connected. rpc.md §7.

public import PassJSON

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
                        .optional("provider", .string, summary: "The ID of the provider of the viewer's login."),
                        .optional("providerName", .string),
                        .optional("client", .string, summary: "The name it gave in passd.hello."),
                        .required("pendingCalls", .integer(0...Int64.max)),
                        .required(
                            "open", .array(.enumeration(Open.allCases.map(\.rawValue))),
                            summary: "The open operations of the viewer or the app."),
                    ])))
        ]),
        capability: .admin, socket: .admin, example: .init([:], ["sessions": []]))

    /// What is open in a session.
    public enum Open: String, Sendable, CaseIterable {
        /// The list of providers.
        case choice
        /// A code on the second screen.
        case code
        case browser
        /// The dialog of the box's TV account.
        case platform
        /// A subscription to events.
        case events
    }

    public struct ConnectedApp: Sendable, Equatable {
        public var session: Int64
        public var identity: PeerIdentity
        /// When it connected, in milliseconds since the epoch.
        public var since: Int64
        public var requestorID: String?
        public var provider: String?
        public var providerName: String?
        /// The name that the app gave in passd.hello.
        public var client: String?
        public var pendingCalls: Int
        public var open: [Open] = []

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
                "requestorID": requestorID.map(JSONValue.string), "provider": provider.map(JSONValue.string),
                "providerName": providerName.map(JSONValue.string), "client": client.map(JSONValue.string),
                "pendingCalls": .int(pendingCalls), "open": .strings(open.map(\.rawValue)),
            ])
        }
    }

    public struct Result: MethodResult {
        public var sessions: [ConnectedApp]

        public init(sessions: [ConnectedApp]) { self.sessions = sessions }

        public var json: JSONValue { ["sessions": .array(sessions.map(\.json))] }
    }
}
