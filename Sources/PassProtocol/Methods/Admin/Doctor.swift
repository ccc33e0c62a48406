// Runs checks of the running daemon. rpc.md §7.

public import PassJSON

public enum Doctor: RPCMethod {
    public typealias Result = JSONValue

    public static let definition = MethodDefinition(
        "passd.doctor",
        "Runs named checks, and explains how to fix failures. Asks the service whether it answers, and registers apps that are "
            + "not registered yet.",
        params: [
            .optional("offline", .boolean, summary: "Whether the service is not asked.", default: .bool(false))
        ],
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

    public struct Params: MethodParams {
        public var isOffline: Bool

        public init(isOffline: Bool = false) { self.isOffline = isOffline }

        public init(params: JSONValue) { isOffline = params["offline"]?.bool ?? false }

        public var json: JSONValue { ["offline": .bool(isOffline)] }
    }

    /// The outcome of one check.
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

        public var json: JSONValue {
            .members([
                "name": .string(name), "outcome": .string(outcome.rawValue), "message": .string(message),
                "remedy": remedy.map(JSONValue.string),
            ])
        }
    }
}
