// The backend's enhanced error, passed on unchanged. Contract: access-enabler.md §14.2; rpc.md §4.

public import PassJSON

public struct EnhancedError: Sendable, Equatable {
    /// The HTTP status; 0 if no server was involved.
    public var status: Int
    public var code: String
    public var action: ErrorAction
    public var message: String
    public var details: String?
    public var helpUrl: String?
    public var trace: String?

    public init(
        status: Int, code: String, action: ErrorAction, message: String, details: String? = nil,
        helpUrl: String? = nil, trace: String? = nil
    ) {
        self.status = status
        self.code = code
        self.action = action
        self.message = message
        self.details = details
        self.helpUrl = helpUrl
        self.trace = trace
    }

    public static let component = Component(
        "EnhancedError", summary: "Why the backend or the provider said no.",
        schema: .object([
            .required("status", .integer(0...599), summary: "The HTTP status; 0 if no server was involved."),
            .required("code", .string, summary: "The backend's stable name."),
            .required("action", .string, summary: "What the backend recommends, e.g. none, retry, authentication."),
            .required("message", .string),
            .optional("details", .string, summary: "The provider's own words, for the viewer."),
            .optional("helpUrl", .string(format: "uri")),
            .optional("trace", .string, summary: "For the backend's support."),
        ]))

    public var json: JSONValue {
        .members([
            "status": .int(status), "code": .string(code), "action": .string(action.rawValue),
            "message": .string(message), "details": details.map(JSONValue.string),
            "helpUrl": helpUrl.map(JSONValue.string), "trace": trace.map(JSONValue.string),
        ])
    }
}
