// Removes logins from this device, or logs out every requestor. Only callers on the admin socket may do this. The file of this
// socket belongs to root and the group passd. A peer that can open the socket may do everything (see `Policy.privilege`).
// rpc.md §7, §6.

public import PassJSON

public enum Forget: RPCMethod {
    static let members: [Member] = [
        .required("forgotten", .integer(0...Int64.max), summary: "How many logins were removed."), Logout.durability,
    ]

    public static let definition = MethodDefinition(
        "passd.forget", "Removes stored logins from this device only: all logins, or those that the params select.",
        params: [
            .optional("requestorID", .string, summary: "Only logins of this requestor."),
            .optional("provider", .string, summary: "Only logins with this provider."),
        ],
        result: .object(members), capability: .admin,
        callbacks: ["setAuthenticationStatus", "event"],
        example: .init(["requestorID": "NEWS24"], ["forgotten": 1]))

    public struct Params: MethodParams {
        public var requestorID: String?
        public var provider: String?

        public init(requestorID: String? = nil, provider: String? = nil) {
            self.requestorID = requestorID
            self.provider = provider
        }

        public init(params: JSONValue) {
            requestorID = params.optionalText("requestorID")
            provider = params.optionalText("provider")
        }

        public var json: JSONValue {
            .members([
                "requestorID": requestorID.map(JSONValue.string), "provider": provider.map(JSONValue.string),
            ])
        }
    }
}

public enum LogoutAll: RPCMethod {
    public static let definition = MethodDefinition(
        "passd.logoutAll",
        "Logs the viewer out of every requestor, on this box and at the service. Waits at most 15 s for the "
            + "service. passd reports the "
            + "remaining logouts again later.",
        result: .object(
            Forget.members + [
                .optional(
                    "untold",
                    .array(.object([.required("requestorID", .string), .required("provider", .string)])),
                    summary: "The logouts that the service has not accepted yet. Absent: there are none.")
            ]),
        capability: .admin, callbacks: ["setAuthenticationStatus", "event"],
        example: .init([:], ["forgotten": 2]))
}
