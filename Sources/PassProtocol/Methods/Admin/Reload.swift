// Reads the configuration again. rpc.md §7.

public import PassJSON

public enum Reload: RPCMethod {
    public typealias Params = NoParams

    public static let definition = MethodDefinition(
        "passd.reload", "Reads the configuration again; a bad one changes nothing.",
        result: .object([
            .required("applied", .boolean),
            .required("problems", .array(.string), summary: "Each as \"file:line: problem\"."),
            .required("changed", .array(.string), summary: "The settings and apps that took effect, and when."),
            .required("waiting", .array(.string), summary: "The settings that wait for a restart."),
        ]),
        capability: .admin, socket: .admin, callbacks: ["event"],
        example: .init([:], ["applied": true, "problems": [], "changed": ["app news24: changed"], "waiting": []]))

    public struct Result: MethodResult {
        public var isApplied: Bool
        /// Each like `file:line: problem`.
        public var problems: [String]
        public var changed: [String]
        public var waiting: [String]

        public init(isApplied: Bool, problems: [String], changed: [String] = [], waiting: [String] = []) {
            self.isApplied = isApplied
            self.problems = problems
            self.changed = changed
            self.waiting = waiting
        }

        public var json: JSONValue {
            [
                "applied": .bool(isApplied), "problems": .strings(problems), "changed": .strings(changed),
                "waiting": .strings(waiting),
            ]
        }
    }
}
