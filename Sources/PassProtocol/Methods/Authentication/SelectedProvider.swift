// Chooses, cancels and reads the provider of a session. Contract: access-enabler.md §7.4, §7.9; rpc.md §4.

public import PassJSON

public enum SetSelectedProvider: RPCMethod {
    public typealias Result = LoginAnswer

    public static let definition = MethodDefinition(
        "setSelectedProvider",
        "Chooses the provider and continues the login. The state selected means that no login is open; the "
            + "next login uses the choice. With providerID null, cancels the login and forgets the choice. "
            + "With the setting cancel-signs-out, null also signs this requestor out, until the next choice or login, or "
            + "until a later setRequestor finds a login at the service.",
        params: [
            .required("providerID", .nullable(.string), summary: "Null cancels the login and forgets the choice.")
        ],
        result: .object(
            [
                .required(
                    "state",
                    .enumeration(["secondScreen", "browser", "authenticated", "selected", "cancelled"]))
            ] + LoginInvitation.members),
        statuses: GetAuthentication.statuses, errors: [.flowConflict], capability: .entitlement, needsRequestor: true,
        callbacks: ["setAuthenticationStatus", "navigateToUrl", "sendTrackingData", "status"],
        example: .init(
            ["providerID": "cablevista"],
            [
                "state": "secondScreen", "code": "K7MPQ2", "url": "https://activate.example/?code=K7MPQ2",
                "expires": 1_795_564_800_000,
            ]))

    public struct Params: MethodParams {
        /// The chosen provider. Nil cancels the login and forgets the choice.
        public var providerID: String?

        public init(providerID: String?) { self.providerID = providerID }

        public init(params: JSONValue) { providerID = params.optionalText("providerID") }

        public var json: JSONValue { ["providerID": providerID.map(JSONValue.string) ?? .null] }
    }
}

public enum GetSelectedProvider: RPCMethod {
    /// The values of AE_State in the JavaScript SDK.
    public enum State: String, Sendable, CaseIterable {
        case newUser = "New User"
        case notAuthenticated = "User Not Authenticated"
        case authenticated = "User Authenticated"
    }

    static let resultMembers: [Member] = [
        .required("provider", .nullable(.component(MVPD.component))),
        .required("state", .words(State.self)),
    ]

    public static let definition = MethodDefinition(
        "getSelectedProvider", "Tells which provider is chosen. Does not ask the service.",
        result: .object(resultMembers),
        capability: .entitlement, needsRequestor: true, callbacks: ["selectedProvider"],
        example: .init([:], ["provider": nil, "state": "New User"]))

    public struct Result: MethodResult {
        public var provider: MVPD?
        public var state: State

        public init(provider: MVPD?, state: State) {
            self.provider = provider
            self.state = state
        }

        public var json: JSONValue { ["provider": provider?.json ?? .null, "state": .string(state.rawValue)] }
    }
}
