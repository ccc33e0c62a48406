// Explains to an operator whether another peer may do something, and why. rpc.md §7.

public import PassJSON

public enum PolicyExplain: RPCMethod {
    public static let definition = MethodDefinition(
        "passd.policyExplain", "Tells what policy would decide, and by which rule.",
        params: [
            .required("method", .string),
            .optional(
                "uid", .integer(0...Int64(UInt32.max)),
                summary: "The user of a process. The process does not have "
                    + "to exist."),
            .optional("pid", .integer(1...Int64(Int32.max)), summary: "A running process, instead of uid."),
            .optional("unit", .string), .optional("origin", .string, summary: "The origin of a web app."),
            .optional("socket", .string, summary: "The NAME of socket:NAME, if the process uses that socket."),
            .optional("requestorID", .string),
        ],
        result: .object([
            .required("allowed", .boolean), .required("rule", .string, summary: "The rule that decided, in words."),
            .optional("app", .string, summary: "The [app] stanza that matched."),
            .optional("uid", .integer(0...Int64(UInt32.max)), summary: "The user whose rights were checked."),
            .optional("unit", .string), .optional("origin", .string),
            .optional(
                "notes", .array(.string),
                summary: "Rules that never match, because the daemon cannot check them, and what to do."),
        ]),
        capability: .admin,
        example: .init(
            ["uid": 1000, "method": "getAuthorization", "requestorID": "NEWS24"],
            ["allowed": false, "rule": "no app stanza matches this peer", "uid": 1000]))

    public struct Params: MethodParams {
        public var uid: UInt32?
        public var pid: Int32?
        public var unit: String?
        public var origin: String?
        public var socket: String?
        public var method: String
        public var requestorID: String?

        public init(
            uid: UInt32? = nil, pid: Int32? = nil, unit: String? = nil, origin: String? = nil, socket: String? = nil,
            method: String, requestorID: String? = nil
        ) {
            self.uid = uid
            self.pid = pid
            self.unit = unit
            self.origin = origin
            self.socket = socket
            self.method = method
            self.requestorID = requestorID
        }

        public init(params: JSONValue) throws(SchemaFault) {
            uid = params["uid"]?.int64.flatMap(UInt32.init(exactly:))
            pid = params["pid"]?.int64.flatMap(Int32.init(exactly:))
            unit = params.optionalText("unit")
            origin = params.optionalText("origin")
            socket = params.optionalText("socket")
            method = try params.text("method")
            requestorID = params.optionalText("requestorID")
        }

        public var json: JSONValue {
            .members([
                "uid": uid.map { .int($0) }, "pid": pid.map { .int($0) }, "unit": unit.map(JSONValue.string),
                "origin": origin.map(JSONValue.string), "socket": socket.map(JSONValue.string),
                "method": .string(method), "requestorID": requestorID.map(JSONValue.string),
            ])
        }
    }

    public struct Result: MethodResult {
        public var allowed: Bool
        public var rule: String
        public var app: String?
        public var uid: UInt32?
        public var unit: String?
        public var origin: String?
        public var notes: [String] = []

        public init(allowed: Bool, rule: String, app: String? = nil) {
            self.allowed = allowed
            self.rule = rule
            self.app = app
        }

        public var json: JSONValue {
            .members([
                "allowed": .bool(allowed), "rule": .string(rule), "app": app.map(JSONValue.string),
                "uid": uid.map { .int($0) }, "unit": unit.map(JSONValue.string), "origin": origin.map(JSONValue.string),
                "notes": notes.isEmpty ? nil : .array(notes.map(JSONValue.string)),
            ])
        }
    }
}
