// Lists the apps that are connected. rpc.md §7.

public import PassJSON

public enum Sessions: RPCMethod {
    public typealias Params = NoParams
    public typealias Result = JSONValue

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
}
