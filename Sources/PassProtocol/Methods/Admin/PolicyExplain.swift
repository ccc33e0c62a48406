// Explains why a peer may or may not do something, to somebody other than that peer. rpc.md §7.

import PassJSON

public enum PolicyExplain: RPCMethod {
    public static let definition = MethodDefinition(
        "passd.policyExplain", "Tells what policy would decide, and by which rule.",
        params: [
            .required("uid", .integer(0...Int64(UInt32.max))), .optional("unit", .string),
            .optional("executable", .string), .required("method", .string), .optional("requestorID", .string),
        ],
        result: .object([
            .required("allowed", .boolean), .required("rule", .string, summary: "What decided, for people."),
            .optional("app", .string, summary: "The [app] stanza that matched."),
        ]),
        capability: .admin, socket: .admin,
        example: .init(
            ["uid": 1000, "method": "getAuthorization", "requestorID": "NEWS24"],
            ["allowed": false, "rule": "no app stanza names this peer"]))

    public struct Params: MethodParams {
        public var uid: UInt32
        public var unit: String?
        public var executable: String?
        public var method: String
        public var requestorID: String?

        public init(
            uid: UInt32, unit: String? = nil, executable: String? = nil, method: String, requestorID: String? = nil
        ) {
            self.uid = uid
            self.unit = unit
            self.executable = executable
            self.method = method
            self.requestorID = requestorID
        }

        public init(params: JSONValue) throws(SchemaFault) {
            guard let uid = params["uid"]?.int64.flatMap(UInt32.init(exactly:)) else {
                throw params.missing("uid", "a user ID")
            }
            self.uid = uid
            unit = params.optionalText("unit")
            executable = params.optionalText("executable")
            method = try params.text("method")
            requestorID = params.optionalText("requestorID")
        }

        public var json: JSONValue {
            .members([
                "uid": .int(uid), "unit": unit.map(JSONValue.string), "executable": executable.map(JSONValue.string),
                "method": .string(method), "requestorID": requestorID.map(JSONValue.string),
            ])
        }
    }

    public struct Result: MethodResult {
        public var allowed: Bool
        public var rule: String
        public var app: String?

        public init(allowed: Bool, rule: String, app: String? = nil) {
            self.allowed = allowed
            self.rule = rule
            self.app = app
        }

        public var json: JSONValue {
            .members(["allowed": .bool(allowed), "rule": .string(rule), "app": app.map(JSONValue.string)])
        }
    }
}
