// Reports the state of the daemon, the connected apps and the stored logins. rpc.md §7.

import PassJSON

public enum Status: RPCMethod {
    public static let warning = Component(
        "Warning", summary: "A problem that an operator should look at.",
        schema: .object([
            .required("code", .string, summary: "Stable name."), .required("message", .string),
            .required("remedy", .string),
        ]))

    public static let readiness = Schema.words(Readiness.self)

    public static let definition = MethodDefinition(
        "passd.status",
        "Returns the version, the readiness, the service, the logins, the codes on screens, the last "
            + "refusals, the store and the warnings.",
        result: .object([
            .required("version", .string),
            .optional(
                "commit", .string,
                summary: "The commit of the sources, with \"-dirty\" if they had further changes."),
            .optional("build", .string, summary: "The id of the build, a digest of its sources and tools."),
            .required("uptime", .integer(0...Int64.max), summary: "In seconds."),
            .required("readiness", readiness),
            .required(
                "backend",
                .object([
                    .required("origin", .string), .required("protocol", .enumeration(["v2", "v1"])),
                    .required("reachable", .nullable(.boolean), summary: "Null: not tried yet."),
                    .optional("lastContact", .time, summary: "When the service last answered."),
                    .optional(
                        "lastFailure", .time,
                        summary: "When passd last asked the service, if the service has not answered since."),
                ])),
            .required(
                "clock",
                .object([
                    .required(
                        "offset", .nullable(.integer),
                        summary: "How far the service's clock is ahead, in milliseconds.")
                ])),
            .optional("signIn", .string, summary: "How viewers of each app can sign in."),
            .required("store", .object([.required("health", .string), .optional("path", .string)])),
            .required(
                "signedIn",
                .array(
                    .object([
                        .required("requestorID", .string),
                        .required("provider", .string, summary: "The provider's ID."),
                        .required("name", .string, summary: "The provider's name."), .required("kind", .string),
                        .required("expires", .time),
                        .optional(
                            "confirmed", .time,
                            summary: "When the service last confirmed the login, since the daemon started."),
                    ])), summary: "The valid logins."),
            .required("openCodes", .integer(0...Int64.max), summary: "Codes on screens."),
            .required(
                "refusals", .array(.object(Decisions.members)),
                summary: "The last plays that were not permitted."),
            .required("sessions", .integer(0...Int64.max)),
            .required("warnings", .array(.component(warning))),
        ]),
        capability: .admin,
        example: .init(
            [:],
            [
                "version": "1.0.0", "uptime": 60, "readiness": "ready",
                "backend": ["origin": "http://127.0.0.1:8642", "protocol": "v2", "reachable": true],
                "clock": ["offset": 12], "store": ["health": "good"], "signedIn": [], "openCodes": 0,
                "refusals": [], "sessions": 2, "warnings": [],
            ]))

    public enum Readiness: String, Sendable, CaseIterable { case starting, ready, reloading, stopping }
}

/// Lists the apps that are connected. rpc.md §7.
public enum Sessions: RPCMethod {
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
                        .optional("client", .string, summary: "The client's name from passd.hello."),
                        .required("pendingCalls", .integer(0...Int64.max)),
                        .required(
                            "open", .array(.words(Open.self)), summary: "The open operations of the viewer or the app."),
                    ])))
        ]),
        capability: .admin, example: .init([:], ["sessions": []]))

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

/// Lists the stored logins, without secrets. rpc.md §7.
public enum Tokens: RPCMethod {
    public static let definition = MethodDefinition(
        "passd.tokens", "Lists the stored logins, without any secret.",
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
        capability: .admin, example: .init([:], ["tokens": []]))
}
