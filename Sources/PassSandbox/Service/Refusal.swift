// Refusals of calls: the errors of handlers, the service's error codes, and the answers made from both.

import PassJSON

enum Refusal: Error {
    /// The enhanced error object alone, as in REST V2. Contract: rest-v2.md §6.1.
    case enhanced(ErrorCode, status: Int? = nil, details: String? = nil)
    /// The error of registration, `{"error": …}`. Contract: dcr.md §3, §4.
    case oauth(String, status: Int = 400)
    /// A missing, unknown or expired bearer token. Contract: dcr.md §6.
    case unauthorized
    /// A malformed request for which the contract's table of errors has no code.
    case badRequest(String)
    /// An error of the older interface. The newer interface does not throw it. Contract: rest-v1.md §4, §12.
    case v1(V1Fault)
    /// A response that is sent unchanged.
    case response(Response)
    /// A wrong guess at a code. The guess is counted, and then answered with the refusal.
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

struct ErrorCode: RawRepresentable, CaseIterable, Hashable, Codable, Error {
    let rawValue: String
    let action: String
    let status: Int
    let message: String

    init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }

    private enum Action: String {
        case none, authentication, retry, configuration
        case registration = "application-registration"

        var status: Int {
            switch self {
            case .none: 400
            case .registration: 401
            case .authentication, .retry: 403
            case .configuration: 500
            }
        }
    }

    /// Makes a code. By default, the action determines the status.
    private init(_ rawValue: String, _ message: String, _ action: Action = .none, status: Int? = nil) {
        (self.rawValue, self.action, self.message) = (rawValue, action.rawValue, message)
        self.status = status ?? action.status
    }

    private static func misconfiguration(_ part: String) -> ErrorCode {
        ErrorCode(
            "invalid_configuration_" + part, "The integration is set up wrongly: \(part.with(" ", for: "_")).",
            .configuration)
    }

    var isMisconfiguration: Bool { rawValue.hasPrefix("invalid_configuration_") }

    static let invalidParameterServiceProvider = ErrorCode(
        "invalid_parameter_service_provider", "The service provider parameter value is missing or invalid.")
    static let invalidParameterMVPD = ErrorCode("invalid_parameter_mvpd", "The MVPD is missing or unknown.")
    static let invalidParameterCode = ErrorCode("invalid_parameter_code", "The code is missing or malformed.")
    static let invalidParameterResources = ErrorCode(
        "invalid_parameter_resources", "The list of resources is missing or invalid.")
    static let invalidParameterRedirectURL = ErrorCode(
        "invalid_parameter_redirect_url", "The redirect URL is missing or not allowed.")
    /// The sandbox's own code for an unregistered domain. The contract's table has no code for this case.
    static let invalidParameterDomainName = ErrorCode(
        "invalid_parameter_domain_name", "The domain is not registered with the service provider.")
    static let invalidParameterPartner = ErrorCode("invalid_parameter_partner", "The partner is missing or unknown.")
    static let invalidParameterSAMLResponse = ErrorCode(
        "invalid_parameter_saml_response", "The SAML response is missing or invalid.")
    static let invalidHeaderDeviceInfo = ErrorCode(
        "invalid_header_device_info", "The header X-Device-Info is missing or cannot be read.")
    static let invalidHeaderDeviceIdentifier = ErrorCode(
        "invalid_header_device_identifier", "The header AP-Device-Identifier is missing or malformed.")
    static let invalidHeaderTempPassIdentity = ErrorCode(
        "invalid_header_identity_for_temporary_access", "The header AP-TempPass-Identity is missing or invalid.")
    static let partnerAccessNotPresent = ErrorCode(
        "invalid_header_pfs_permission_access_not_present", "The partner framework status has no permission.")
    static let partnerAccessNotDetermined = ErrorCode(
        "invalid_header_pfs_permission_access_not_determined", "The user has not yet been asked for the permission.")
    static let partnerAccessNotGranted = ErrorCode(
        "invalid_header_pfs_permission_access_not_granted", "The permission was refused.")
    static let partnerProviderNotDetermined = ErrorCode(
        "invalid_header_pfs_provider_id_not_determined", "The partner's provider id belongs to no MVPD.")
    static let partnerProviderMismatch = ErrorCode(
        "invalid_header_pfs_provider_id_mismatch", "The partner's provider id belongs to another MVPD.")
    static let partnerProviderExpired = ErrorCode(
        "invalid_header_pfs_provider_info_expired", "The login at the partner has expired.")
    static let invalidIntegration = ErrorCode(
        "invalid_integration", "The integration of the service provider with the MVPD does not exist or is disabled.")
    static let invalidAuthenticationSession = ErrorCode(
        "invalid_authentication_session", "The authentication session is unknown, used up or expired.")
    static let preauthorizationDenied = ErrorCode(
        "preauthorization_denied_by_mvpd", "The MVPD denies the preauthorization.", status: 403)
    static let authorizationDenied = ErrorCode(
        "authorization_denied_by_mvpd", "The MVPD denies the authorization.", status: 403)
    static let deniedByParentalControls = ErrorCode(
        "authorization_denied_by_parental_controls", "The MVPD denies the authorization because of parental controls.",
        status: 403)
    static let deniedByDegradation = ErrorCode(
        "authorization_denied_by_degradation_rule", "A degradation rule denies the authorization.", status: 403)
    static let internalServerError = ErrorCode("internal_server_error", "The service failed.", status: 500)
    static let tooManyResources = ErrorCode(
        "too_many_resources", "More resources were asked for than the integration allows.", .configuration, status: 403)
    static let invalidMetadataCertificate = misconfiguration("user_metadata_certificate")
    static let invalidTempPassConfiguration = misconfiguration("temporary_access")
    static let invalidPlatformServices = misconfiguration("platform_services")
    static let accessTokenServiceProvider = ErrorCode(
        "invalid_access_token_service_provider", "The access token is not valid for this service provider.",
        .registration)
    static let accessTokenClientApplication = ErrorCode(
        "invalid_access_token_client_application", "The application of the access token may not use this API.",
        .registration)
    static let profileMissing = ErrorCode("authenticated_profile_missing", "No one is logged in.", .authentication)
    static let profileExpired = ErrorCode("authenticated_profile_expired", "The login has expired.", .authentication)
    static let profileInvalidated = ErrorCode(
        "authenticated_profile_invalidated", "The login was revoked.", .authentication)
    static let tempPassDurationExceeded = ErrorCode(
        "temporary_access_duration_limit_exceeded", "The time of the temporary access is used up.", .authentication)
    static let tempPassResourcesExceeded = ErrorCode(
        "temporary_access_resources_limit_exceeded", "The titles of the temporary access are used up.", .authentication)
    static let deniedByHomePolicies = ErrorCode(
        "authorization_denied_by_hba_policies", "The device has left the home network that the login came from.",
        .authentication)
    static let deniedBySessionInvalidated = ErrorCode(
        "authorization_denied_by_session_invalidated", "The MVPD ended the session.", .authentication)
    static let identityNotRecognized = ErrorCode(
        "identity_not_recognized_by_mvpd", "The MVPD no longer knows the subscriber.", .authentication)
    static let networkReceivedError = ErrorCode(
        "network_received_error", "The answer of the MVPD could not be read.", .retry)
    static let networkConnectionTimeout = ErrorCode(
        "network_connection_timeout", "The MVPD could not be reached in time.", .retry)
    static let maximumExecutionTime = ErrorCode("maximum_execution_time_exceeded", "The request took too long.", .retry)

    static let allCases: [ErrorCode] = [
        invalidParameterServiceProvider, invalidParameterMVPD, invalidParameterCode, invalidParameterResources,
        invalidParameterRedirectURL, invalidParameterDomainName, invalidParameterPartner,
        invalidParameterSAMLResponse, invalidHeaderDeviceInfo, invalidHeaderDeviceIdentifier,
        invalidHeaderTempPassIdentity, partnerAccessNotPresent, partnerAccessNotDetermined, partnerAccessNotGranted,
        partnerProviderNotDetermined, partnerProviderMismatch, partnerProviderExpired, invalidIntegration,
        invalidAuthenticationSession, preauthorizationDenied, authorizationDenied, deniedByParentalControls,
        deniedByDegradation, internalServerError, tooManyResources, invalidMetadataCertificate,
        invalidTempPassConfiguration, misconfiguration("platform"), misconfiguration("platform_id"),
        misconfiguration("platform_trait"), misconfiguration("platform_category_trait"), invalidPlatformServices,
        misconfiguration("mvpd_platform"), misconfiguration("mvpd_platform_boarding_status"),
        misconfiguration("mvpd_platform_profile_exchange"), accessTokenServiceProvider, accessTokenClientApplication,
        profileMissing, profileExpired, profileInvalidated, tempPassDurationExceeded, tempPassResourcesExceeded,
        deniedByHomePolicies, deniedBySessionInvalidated, identityNotRecognized, networkReceivedError,
        networkConnectionTimeout, maximumExecutionTime,
    ]

    /// The codes with which a provider can refuse a resource.
    static let providerAnswers: [ErrorCode] = [
        .authorizationDenied, .deniedByParentalControls, .deniedBySessionInvalidated, .identityNotRecognized,
        .networkReceivedError, .networkConnectionTimeout, .maximumExecutionTime,
    ]
}
