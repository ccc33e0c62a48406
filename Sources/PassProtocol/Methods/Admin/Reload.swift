// Reads the configuration again. rpc.md §7.

import PassJSON

public enum Reload: RPCMethod {
    public typealias Params = NoParams

    public static let definition = MethodDefinition(
        "passd.reload", "Reads the configuration again; a bad one changes nothing.",
        result: .object([
            .required("applied", .boolean),
            .required("problems", .array(.string), summary: "Each as \"file:line: problem\"."),
        ]),
        capability: .admin, socket: .admin, callbacks: ["event"],
        example: .init([:], ["applied": true, "problems": []]))

    public struct Result: MethodResult {
        public var isApplied: Bool
        /// Each like `file:line: problem`.
        public var problems: [String]

        public init(isApplied: Bool, problems: [String]) {
            self.isApplied = isApplied
            self.problems = problems
        }

        public var json: JSONValue { ["applied": .bool(isApplied), "problems": .strings(problems)] }
    }
}
