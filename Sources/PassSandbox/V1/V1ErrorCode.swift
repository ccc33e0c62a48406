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
