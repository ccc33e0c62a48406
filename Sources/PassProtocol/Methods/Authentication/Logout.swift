// Ends the logins of the current requestor. Contract: access-enabler.md §18; rpc.md §4.

public import PassJSON

public enum Logout: RPCMethod {
    public enum Action: String, Sendable, CaseIterable { case none, browser, platformSettings }

    public static let definition = MethodDefinition(
        "logout",
        "Logs the viewer out of all apps on the box. With the setting logout-scope = requestor, the viewer stays "
            + "logged in for other requestors. In the result, actions says for each provider what is left to do. none: "
            + "nothing. browser: open url. platformSettings: the viewer signs out in the settings of the box.",
        result: .object([
            .required("status", .integer(0...0)),
            .required(
                "actions",
                .array(
                    .object([
                        .required("provider", .string, summary: "The provider's ID."),
                        .required("action", .words(Action.self)),
                        .optional(
                            "url", .string(format: "uri"), summary: "The address that the app opens in a browser."),
                        .optional(
                            "link", .string(format: "uri"),
                            summary:
                                "The provider's logout page, for a phone. The app may show it as a QR code."
                        ),
                        .optional(
                            "told", .boolean,
                            summary:
                                "False: the service has not accepted the logout, because the service cannot "
                                + "be reached or refuses. Absent: the service has accepted the logout."
                        ),
                    ]))),
            durability,
        ]),
        statuses: [.R401, .N500], capability: .entitlement, needsRequestor: true,
        callbacks: ["setAuthenticationStatus", "navigateToUrl", "sendTrackingData", "status"],
        example: .init([:], ["status": 0, "actions": [["provider": "cablevista", "action": "none"]]]))

    public struct Result: MethodResult {
        public struct Step: Sendable, Equatable {
            public var provider: String
            public var action: Action
            public var url: String?
            /// The provider's own page for a logout, for a phone.
            public var link: String?
            /// Whether the service has accepted the logout.
            public var isTold: Bool

            public init(
                provider: String, action: Action, url: String? = nil, link: String? = nil, isTold: Bool = true
            ) {
                self.provider = provider
                self.action = action
                self.url = url
                self.link = link
                self.isTold = isTold
            }
        }

        public var actions: [Step]
        /// Whether the end of the logins is on the disk.
        public var isDurable: Bool

        public init(actions: [Step], isDurable: Bool = true) {
            self.actions = actions
            self.isDurable = isDurable
        }

        public var json: JSONValue {
            let steps = actions.map { step in
                JSONValue.members([
                    "provider": .string(step.provider), "action": .string(step.action.rawValue),
                    "url": step.url.map(JSONValue.string), "link": step.link.map(JSONValue.string),
                    "told": step.isTold ? nil : .bool(false),
                ])
            }
            return .members([
                "status": 0, "actions": .array(steps), "durable": isDurable ? nil : .bool(false),
            ])
        }
    }

    /// The member `durable` of all results that report the end of logins.
    static let durability = Member.optional(
        "durable", .boolean,
        summary: "False: the change is not on the disk yet, and the daemon keeps trying. Absent: it is on the disk.")
}
