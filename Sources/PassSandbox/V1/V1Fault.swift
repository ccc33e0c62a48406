// The errors of the older interface and their codes. Contract: rest-v1.md §4, §12, dcr.md §6.

import PassJSON

struct V1Fault: Sendable {
    var status: Int
    var code: V1ErrorCode
    var message: String?
    /// The text of the provider.
    var details: String?
    /// The error code of a faulty access token.
    var tokenError: String?
    var headers: [Field] = []

    init(_ status: Int, code: V1ErrorCode, message: String? = nil, details: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        if status == 401 { tokenError = "access_denied" }
    }

    init(_ error: DecisionError, status: Int? = nil) {
        self.init(
            status ?? error.code.status, code: V1ErrorCode(error.code), message: error.code.message,
            details: error.details)
    }

    /// The fault for a missing parameter. The sentence comes from the contract: rest-v1.md §6.1.
    static func missing(_ name: String, _ code: V1ErrorCode = .badRequest) -> V1Fault {
        V1Fault(400, code: code, message: "Required '\(name)' is not present")
    }

    static func wrong(_ name: String, _ code: V1ErrorCode = .badRequest) -> V1Fault {
        V1Fault(400, code: code, message: "The value of '\(name)' is not valid")
    }

    /// The error as an object, for the top of an answer or for a denied item.
    func object(isEnhanced: Bool, _ call: Call) -> JSONValue {
        let reason = [
            400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
            410: "Gone", 412: "Precondition Failed",
        ]
        let message = JSONValue.string(message ?? reason[status] ?? "Internal Server Error")
        guard isEnhanced else {
            return .members([
                "status": .int(Int64(status)), "message": message, "details": details.map(JSONValue.string) ?? .null,
                "error": tokenError.map(JSONValue.string),
            ])
        }
        return .members([
            "action": .string(code.action), "status": .int(Int64(status)), "code": .string(code.rawValue),
            "message": message, "details": details.map(JSONValue.string),
            "helpUrl": .string("\(call.origin)/errors#\(code.rawValue)"), "trace": .string(call.trace),
            "error": tokenError.map(JSONValue.string),
        ])
    }
}

extension Refusal {
    /// The refusal in the form of the older interface; nil for a finished response.
    var v1Fault: V1Fault? {
        switch self {
        case .v1(let fault): return fault
        case .enhanced(let code, let status, let details):
            return V1Fault(DecisionError(code: code, details: details), status: status)
        case .badRequest(let reason): return V1Fault(400, code: .badRequest, message: reason)
        case .unauthorized:
            var fault = V1Fault(401, code: .accessTokenClientApplication)
            fault.headers = [Field("WWW-Authenticate", "Bearer error=\"invalid_token\"")]
            return fault
        case .oauth(let error, let status):
            var fault = V1Fault(status, code: .accessTokenClientApplication)
            fault.tokenError = error
            return fault
        case .response: return nil
        case .wrongCode(_, let refusal): return refusal.v1Fault
        }
    }
}

// The error codes of the older interface, with the actions of the contract's table. Contract: rest-v1.md §12.

struct V1ErrorCode: Sendable {
    let rawValue: String
    let action: String

    private init(_ rawValue: String, action: String = "none") { (self.rawValue, self.action) = (rawValue, action) }

    static let invalidRequestor = V1ErrorCode("invalid_requestor")
    static let invalidDeviceInfo = V1ErrorCode("invalid_device_info")
    static let invalidDeviceID = V1ErrorCode("invalid_device_id")
    static let missingResource = V1ErrorCode("missing_resource")
    static let malformedRequest = V1ErrorCode("malformed_authz_request")
    static let internalError = V1ErrorCode("internal_error")
    static let unknownIntegration = V1ErrorCode("unknown_integration", action: "configuration")
    static let tooManyResources = V1ErrorCode(ErrorCode.tooManyResources)
    static let sessionInvalidated = V1ErrorCode("authentication_session_invalidated", action: "authentication")
    static let sessionMissing = V1ErrorCode("authentication_session_missing", action: "authentication")
    static let sessionExpired = V1ErrorCode("authentication_session_expired", action: "authentication")
    static let preauthorizationSessionMissing = V1ErrorCode(
        "preauthorization_authentication_session_missing", action: "authentication")
    static let preauthorizationSessionExpired = V1ErrorCode(
        "preauthorization_authentication_session_expired", action: "authentication")
    static let authorizationNotFound = V1ErrorCode("authorization_not_found", action: "authorization")
    static let authorizationExpired = V1ErrorCode("authorization_expired", action: "authorization")
    /// A code from the vendor's samples. The contract's table has no such code.
    static let badRequest = V1ErrorCode("bad_request")
    static let accessTokenServiceProvider = V1ErrorCode(ErrorCode.accessTokenServiceProvider)
    static let accessTokenClientApplication = V1ErrorCode(ErrorCode.accessTokenClientApplication)

    /// Converts an error code from the parts that both interfaces share. A code without an equivalent in the older interface
    /// keeps its name.
    init(_ code: ErrorCode) {
        self =
            switch code {
            case .profileMissing: .sessionMissing
            case .profileExpired: .sessionExpired
            case .profileInvalidated: .sessionInvalidated
            case .invalidIntegration: .unknownIntegration
            case .invalidHeaderDeviceInfo: .invalidDeviceInfo
            case .invalidHeaderDeviceIdentifier: .invalidDeviceID
            case .invalidParameterServiceProvider: .invalidRequestor
            case .internalServerError: .internalError
            default:
                code.isMisconfiguration
                    ? .internalError
                    : code.status == 400 ? .badRequest : V1ErrorCode(code.rawValue, action: code.action)
            }
    }
}
