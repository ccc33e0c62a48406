// The errors of a decision: the backend's enhanced error, and the older, fixed codes. The enhanced error is passed on
// unchanged. Contract: access-enabler.md §3, §14.2; rpc.md §4.

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
        "EnhancedError", summary: "Why the service or the provider said no.",
        schema: .object([
            .required("status", .integer(0...599), summary: "The HTTP status; 0 if no server was involved."),
            .required("code", .string, summary: "The backend's stable name of the error."),
            .required("action", .string, summary: "What the backend recommends, e.g. none, retry, authentication."),
            .required("message", .string),
            .optional("details", .string, summary: "The provider's own words, for the viewer."),
            .optional("helpUrl", .string(format: "uri")),
            .optional("trace", .string, summary: "The ID by which the backend's support finds the request."),
        ]))

    public var json: JSONValue {
        .members([
            "status": .int(status), "code": .string(code), "action": .string(action.rawValue),
            "message": .string(message), "details": details.map(JSONValue.string),
            "helpUrl": helpUrl.map(JSONValue.string), "trace": trace.map(JSONValue.string),
        ])
    }
}

/// The older, fixed error codes: `errorCode` of results and callbacks. The raw values are the names of the SDK's constants, and
/// are what apps get. Contract: access-enabler.md §3.
public enum FlowErrorCode: String, Sendable, CaseIterable {
    case authenticated = ""
    case userNotAuthenticated = "USER_NOT_AUTHENTICATED_ERROR"
    case providerNotSelected = "PROVIDER_NOT_SELECTED_ERROR"
    case genericAuthentication = "GENERIC_AUTHENTICATION_ERROR"
    case internalAuthentication = "INTERNAL_AUTHENTICATION_ERROR"
    case userNotAuthorized = "USER_NOT_AUTHORIZED_ERROR"
    case genericAuthorization = "GENERIC_AUTHORIZATION_ERROR"
    case internalAuthorization = "INTERNAL_AUTHORIZATION_ERROR"
    case providerNotAvailable = "PROVIDER_NOT_AVAILABLE_ERROR"
    case multipleAuthenticationRequests = "MULTIPLE_AUTHENTICATION_REQUESTS_ERROR"
    case internalError = "INTERNAL_ERROR"

    public static let component = Component(
        "ErrorCode",
        summary:
            "Why the viewer is not signed in or may not play, as a constant of the SDK AccessEnabler; empty on "
            + "success.",
        schema: .words(Self.self)
    )

    var json: JSONValue { .string(rawValue) }

    /// The meaning of the code, for app developers. Contract: access-enabler.md §7.8, §13.3.
    public var meaning: String {
        switch self {
        case .authenticated: "Success."
        case .userNotAuthenticated: "Nobody is signed in; getAuthentication begins a login."
        case .providerNotSelected:
            "The login was cancelled before a provider was chosen, or before the login was complete."
        case .genericAuthentication: "The login failed; the members outcome and cause have the reason."
        case .internalAuthentication: "The login failed because of an internal error of the daemon."
        case .userNotAuthorized: "The provider does not permit this resource; the members display and log say more."
        case .genericAuthorization:
            "passd could not find out whether this may be played; the member log has the "
                + "reason."
        case .internalAuthorization:
            "passd could not find out whether this may be played, because of an internal error."
        case .providerNotAvailable: "The requestor has no provider to sign in with."
        case .multipleAuthenticationRequests:
            "Another login is open in this session. Finish it, or cancel it with setSelectedProvider and providerID "
                + "null."
        case .internalError: "The daemon failed."
        }
    }
}
