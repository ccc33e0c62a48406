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

    /// The fault for a missing parameter. Contract: rest-v1.md §6.1, the sentence around the parameter's name.
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
    /// The refusal in the form of the older interface; nil for a response that is ready.
    var v1Fault: V1Fault? {
        switch self {
        case .v1(let fault): return fault
        case .enhanced(let code, let status, let details):
            return V1Fault(status ?? code.status, code: V1ErrorCode(code), message: code.message, details: details)
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

enum V1ErrorCode: String, CaseIterable, Sendable {
    case invalidRequestor = "invalid_requestor"
    case invalidDeviceInfo = "invalid_device_info"
    case invalidDeviceID = "invalid_device_id"
    case missingResource = "missing_resource"
    case malformedRequest = "malformed_authz_request"
    case preauthorizationDenied = "preauthorization_denied_by_mvpd"
    case authorizationDenied = "authorization_denied_by_mvpd"
    case deniedByParentalControls = "authorization_denied_by_parental_controls"
    case internalError = "internal_error"
    case unknownIntegration = "unknown_integration"
    case tooManyResources = "too_many_resources"
    case issuerMismatch = "authentication_session_issuer_mismatch"
    case deniedByHomePolicies = "authorization_denied_by_hba_policies"
    case deniedBySessionInvalidated = "authorization_denied_by_session_invalidated"
    case identityNotRecognized = "identity_not_recognized_by_mvpd"
    case sessionInvalidated = "authentication_session_invalidated"
    case sessionMissing = "authentication_session_missing"
    case sessionExpired = "authentication_session_expired"
    case preauthorizationSessionMissing = "preauthorization_authentication_session_missing"
    case preauthorizationSessionExpired = "preauthorization_authentication_session_expired"
    case authorizationNotFound = "authorization_not_found"
    case authorizationExpired = "authorization_expired"
    case networkReceivedError = "network_received_error"
    case networkConnectionTimeout = "network_connection_timeout"
    case maximumExecutionTime = "maximum_execution_time_exceeded"
    /// Found in samples, but not in the table.
    case badRequest = "bad_request"
    /// Codes of the newer interface, for which the older one has no word.
    case deniedByDegradation = "authorization_denied_by_degradation_rule"
    case tempPassDurationExceeded = "temporary_access_duration_limit_exceeded"
    case tempPassResourcesExceeded = "temporary_access_resources_limit_exceeded"
    case accessTokenServiceProvider = "invalid_access_token_service_provider"
    case accessTokenClientApplication = "invalid_access_token_client_application"

    /// The code for a fault that a part shared by both interfaces has found.
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
            default: V1ErrorCode(rawValue: code.rawValue) ?? (code.status == 400 ? .badRequest : .internalError)
            }
    }

    var action: String {
        switch self {
        case .unknownIntegration, .tooManyResources: "configuration"
        case .issuerMismatch, .deniedByHomePolicies, .deniedBySessionInvalidated, .identityNotRecognized,
            .sessionInvalidated, .sessionMissing, .sessionExpired, .preauthorizationSessionMissing,
            .preauthorizationSessionExpired, .tempPassDurationExceeded, .tempPassResourcesExceeded:
            "authentication"
        case .authorizationNotFound, .authorizationExpired: "authorization"
        case .networkReceivedError, .networkConnectionTimeout, .maximumExecutionTime: "retry"
        case .accessTokenServiceProvider, .accessTokenClientApplication: "application-registration"
        default: "none"
        }
    }
}
