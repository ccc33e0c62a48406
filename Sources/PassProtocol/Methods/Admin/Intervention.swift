// What an operator can change in the running daemon. rpc.md §7.

import PassJSON

private let forgotten = Schema.object([
    .required("forgotten", .integer(0...Int64.max), summary: "Logins that are gone."), Logout.durability,
])

public struct ForgottenLogins: MethodResult {
    public var count: Int
    /// Their end is durable.
    public var isDurable: Bool

    public init(count: Int, isDurable: Bool = true) {
        self.count = count
        self.isDurable = isDurable
    }

    public var json: JSONValue {
        .members(["forgotten": .int(count), "durable": isDurable ? nil : .bool(false)])
    }
}

public enum Forget: RPCMethod {
    public typealias Result = ForgottenLogins

    public static let definition = MethodDefinition(
        "passd.forget", "Removes stored logins from this device only; without params, all of them.",
        params: [
            .optional("requestorID", .string, summary: "Only this requestor's."),
            .optional("provider", .string, summary: "Only this provider's."),
        ],
        result: forgotten, capability: .admin, socket: .admin, callbacks: ["setAuthenticationStatus", "event"],
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
    public typealias Params = NoParams
    public typealias Result = ForgottenLogins

    public static let definition = MethodDefinition(
        "passd.logoutAll", "Logs out every requestor, here and at the service.", result: forgotten,
        capability: .admin, socket: .admin, callbacks: ["setAuthenticationStatus", "event"],
        example: .init([:], ["forgotten": 2]))
}

public enum Reload: RPCMethod {
    public typealias Params = NoParams

    public static let definition = MethodDefinition(
        "passd.reload", "Reads the configuration again; a bad one changes nothing.",
        result: .object([
            .required("applied", .boolean), .required("problems", .array(.string), summary: "As file:line: what."),
        ]),
        capability: .admin, socket: .admin, callbacks: ["event"],
        example: .init([:], ["applied": true, "problems": []]))

    public struct Result: MethodResult {
        public var isApplied: Bool
        /// Each as `file:line: problem`.
        public var problems: [String]

        public init(isApplied: Bool, problems: [String]) {
            self.isApplied = isApplied
            self.problems = problems
        }

        public var json: JSONValue { ["applied": .bool(isApplied), "problems": .strings(problems)] }
    }
}
