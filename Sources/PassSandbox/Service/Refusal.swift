// Refusals of calls: the errors that handlers throw, the service's error codes, and the answers made from them.

import PassJSON

enum Refusal: Error {
    /// The enhanced error object alone, as in REST V2. Contract: rest-v2.md §6.1.
    case enhanced(ErrorCode, status: Int? = nil, details: String? = nil)
    /// The error of registration, `{"error": …}`. Contract: dcr.md §3, §4.
    case oauth(String, status: Int = 400)
    /// The bearer token is missing, unknown or expired. Contract: dcr.md §6.
    case unauthorized
    /// A malformed request for which the table has no code.
    case badRequest(String)
    /// An error of the older interface, which is the only one to throw it. Contract: rest-v1.md §4, §12.
    case v1(V1Fault)
    /// A response that is sent unchanged.
    case response(Response)
    /// A wrong guess at a code: it is counted, and then answered with the refusal.
    indirect case wrongCode(Guessing, Refusal)

    func response(_ call: Call) -> Response {
        switch self {
        case .wrongCode(_, let refusal): return refusal.response(call)
        case .enhanced(let code, let status, let details):
            return .json(code.object(call, details: details), status: status ?? code.status)
        case .oauth(let error, let status): return .json(["error": .string(error)], status: status)
        case .unauthorized:
            return .json(
                ["error": "access_denied"], status: 401,
                headers: [Field("WWW-Authenticate", "Bearer error=\"invalid_token\"")])
        case .badRequest(let reason):
            return .json(
                [
                    "status": 400, "code": "bad_request", "action": "none", "message": .string(reason),
                    "trace": .string(call.trace),
                ], status: 400)
        case .v1(let fault): return V1.answer(fault, isEnhanced: true, call)
        case .response(let response): return response
        }
    }
}

extension ErrorCode {
    func object(_ call: Call, status: Int? = nil, details: String? = nil) -> JSONValue {
        .members([
            "status": .int(Int64(status ?? self.status)), "code": .string(rawValue), "action": .string(action),
            "message": .string(message), "details": details.map(JSONValue.string),
            "helpUrl": .string("\(call.origin)/errors#\(rawValue)"), "trace": .string(call.trace),
        ])
    }
}

// The service's error codes, with the actions and statuses of the contract's table. Contract: rest-v2.md §6.2.

enum ErrorCode: String, CaseIterable, Codable, Error {
    case invalidParameterServiceProvider = "invalid_parameter_service_provider"
    case invalidParameterMVPD = "invalid_parameter_mvpd"
    case invalidParameterCode = "invalid_parameter_code"
    case invalidParameterResources = "invalid_parameter_resources"
    case invalidParameterRedirectURL = "invalid_parameter_redirect_url"
    /// Not in the contract's table: the sandbox uses it for a domain that the service provider has not registered.
    case invalidParameterDomainName = "invalid_parameter_domain_name"
    case invalidParameterPartner = "invalid_parameter_partner"
    case invalidParameterSAMLResponse = "invalid_parameter_saml_response"
    case invalidHeaderDeviceInfo = "invalid_header_device_info"
    case invalidHeaderDeviceIdentifier = "invalid_header_device_identifier"
    case invalidHeaderTempPassIdentity = "invalid_header_identity_for_temporary_access"
    case partnerAccessNotPresent = "invalid_header_pfs_permission_access_not_present"
    case partnerAccessNotDetermined = "invalid_header_pfs_permission_access_not_determined"
    case partnerAccessNotGranted = "invalid_header_pfs_permission_access_not_granted"
    case partnerProviderNotDetermined = "invalid_header_pfs_provider_id_not_determined"
    case partnerProviderMismatch = "invalid_header_pfs_provider_id_mismatch"
    case partnerProviderExpired = "invalid_header_pfs_provider_info_expired"
    case invalidIntegration = "invalid_integration"
    case invalidAuthenticationSession = "invalid_authentication_session"
    case preauthorizationDenied = "preauthorization_denied_by_mvpd"
    case authorizationDenied = "authorization_denied_by_mvpd"
    case deniedByParentalControls = "authorization_denied_by_parental_controls"
    case deniedByDegradation = "authorization_denied_by_degradation_rule"
    case internalServerError = "internal_server_error"
    case tooManyResources = "too_many_resources"
    case invalidMetadataCertificate = "invalid_configuration_user_metadata_certificate"
    case invalidTempPassConfiguration = "invalid_configuration_temporary_access"
    case invalidPlatform = "invalid_configuration_platform"
    case invalidPlatformID = "invalid_configuration_platform_id"
    case invalidPlatformTrait = "invalid_configuration_platform_trait"
    case invalidPlatformCategoryTrait = "invalid_configuration_platform_category_trait"
    case invalidPlatformServices = "invalid_configuration_platform_services"
    case invalidMVPDPlatform = "invalid_configuration_mvpd_platform"
    case invalidBoardingStatus = "invalid_configuration_mvpd_platform_boarding_status"
    case invalidProfileExchange = "invalid_configuration_mvpd_platform_profile_exchange"
    case accessTokenServiceProvider = "invalid_access_token_service_provider"
    case accessTokenClientApplication = "invalid_access_token_client_application"
    case profileMissing = "authenticated_profile_missing"
    case profileExpired = "authenticated_profile_expired"
    case profileInvalidated = "authenticated_profile_invalidated"
    case tempPassDurationExceeded = "temporary_access_duration_limit_exceeded"
    case tempPassResourcesExceeded = "temporary_access_resources_limit_exceeded"
    case deniedByHomePolicies = "authorization_denied_by_hba_policies"
    case deniedBySessionInvalidated = "authorization_denied_by_session_invalidated"
    case identityNotRecognized = "identity_not_recognized_by_mvpd"
    case networkReceivedError = "network_received_error"
    case networkConnectionTimeout = "network_connection_timeout"
    case maximumExecutionTime = "maximum_execution_time_exceeded"

    var action: String {
        switch self {
        case .accessTokenServiceProvider, .accessTokenClientApplication: "application-registration"
        case .profileMissing, .profileExpired, .profileInvalidated, .tempPassDurationExceeded,
            .tempPassResourcesExceeded, .deniedByHomePolicies, .deniedBySessionInvalidated, .identityNotRecognized:
            "authentication"
        case .networkReceivedError, .networkConnectionTimeout, .maximumExecutionTime: "retry"
        case .tooManyResources: "configuration"
        default: isMisconfiguration ? "configuration" : "none"
        }
    }

    var status: Int {
        switch self {
        case .internalServerError: 500
        case .accessTokenServiceProvider, .accessTokenClientApplication: 401
        case .tooManyResources, .preauthorizationDenied, .authorizationDenied, .deniedByParentalControls,
            .deniedByDegradation:
            403
        default:
            switch action {
            case "configuration": 500
            case "authentication", "retry": 403
            default: 400
            }
        }
    }

    var isMisconfiguration: Bool { rawValue.hasPrefix("invalid_configuration_") }

    /// The codes with which a provider can refuse a resource.
    static let providerAnswers: [ErrorCode] = [
        .authorizationDenied, .deniedByParentalControls, .deniedBySessionInvalidated, .identityNotRecognized,
        .networkReceivedError, .networkConnectionTimeout, .maximumExecutionTime,
    ]

    var message: String {
        switch self {
        case .invalidParameterServiceProvider: "The service provider parameter value is missing or invalid."
        case .invalidParameterMVPD: "The MVPD is missing or unknown."
        case .invalidParameterCode: "The code is missing or malformed."
        case .invalidParameterResources: "The list of resources is missing or invalid."
        case .invalidParameterRedirectURL: "The redirect URL is missing or not allowed."
        case .invalidParameterDomainName: "The domain is not registered with the service provider."
        case .invalidParameterPartner: "The partner is missing or unknown."
        case .invalidParameterSAMLResponse: "The SAML response is missing or invalid."
        case .invalidHeaderDeviceInfo: "The header X-Device-Info is missing or cannot be read."
        case .invalidHeaderDeviceIdentifier: "The header AP-Device-Identifier is missing or malformed."
        case .invalidHeaderTempPassIdentity: "The header AP-TempPass-Identity is missing or invalid."
        case .partnerAccessNotPresent: "The partner framework status has no permission."
        case .partnerAccessNotDetermined: "The user has not yet been asked for the permission."
        case .partnerAccessNotGranted: "The permission was refused."
        case .partnerProviderNotDetermined: "The partner's provider id belongs to no MVPD."
        case .partnerProviderMismatch: "The partner's provider id belongs to another MVPD."
        case .partnerProviderExpired: "The login at the partner has expired."
        case .invalidIntegration: "The integration of the service provider with the MVPD does not exist or is disabled."
        case .invalidAuthenticationSession: "The authentication session is unknown, used up or expired."
        case .preauthorizationDenied: "The MVPD denies the preauthorization."
        case .authorizationDenied: "The MVPD denies the authorization."
        case .deniedByParentalControls: "The MVPD denies the authorization because of parental controls."
        case .deniedByDegradation: "A degradation rule denies the authorization."
        case .internalServerError: "The service failed."
        case .tooManyResources: "More resources were asked for than the integration allows."
        case .accessTokenServiceProvider: "The access token is not valid for this service provider."
        case .accessTokenClientApplication: "The application of the access token may not use this API."
        case .profileMissing: "No one is logged in."
        case .profileExpired: "The login has expired."
        case .profileInvalidated: "The login was revoked."
        case .tempPassDurationExceeded: "The time of the temporary access is used up."
        case .tempPassResourcesExceeded: "The titles of the temporary access are used up."
        case .deniedByHomePolicies: "The device has left the home network that the login came from."
        case .deniedBySessionInvalidated: "The MVPD ended the session."
        case .identityNotRecognized: "The MVPD no longer knows the subscriber."
        case .networkReceivedError: "The answer of the MVPD could not be read."
        case .networkConnectionTimeout: "The MVPD could not be reached in time."
        case .maximumExecutionTime: "The request took too long."
        default:
            "The integration is set up wrongly: \(rawValue.dropFirst(22).split(separator: "_").joined(separator: " "))."
        }
    }
}
