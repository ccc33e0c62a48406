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

enum ErrorCode: String, CaseIterable, Codable, Error {
    case invalidParameterServiceProvider = "invalid_parameter_service_provider"
    case invalidParameterMVPD = "invalid_parameter_mvpd"
    case invalidParameterCode = "invalid_parameter_code"
    case invalidParameterResources = "invalid_parameter_resources"
    case invalidParameterRedirectURL = "invalid_parameter_redirect_url"
    /// The sandbox's own code for an unregistered domain. The contract's table has no code for this case.
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
    case invalidConfigurationPlatform = "invalid_configuration_platform"
    case invalidConfigurationPlatformID = "invalid_configuration_platform_id"
    case invalidConfigurationPlatformTrait = "invalid_configuration_platform_trait"
    case invalidConfigurationPlatformCategoryTrait = "invalid_configuration_platform_category_trait"
    case invalidPlatformServices = "invalid_configuration_platform_services"
    case invalidConfigurationMVPDPlatform = "invalid_configuration_mvpd_platform"
    case invalidConfigurationMVPDPlatformBoardingStatus = "invalid_configuration_mvpd_platform_boarding_status"
    case invalidConfigurationMVPDPlatformProfileExchange = "invalid_configuration_mvpd_platform_profile_exchange"
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

    var action: String { row.action }
    var status: Int { row.status }
    var message: String { row.message }
    var isMisconfiguration: Bool { rawValue.hasPrefix("invalid_configuration_") }

    private typealias Row = (action: String, status: Int, message: String)

    private var row: Row { Self.table[rawValue] ?? ("none", 500, "") }

    /// The rows of errors.txt.
    private static let table: [String: Row] = {
        let text = String(decoding: PackageResources.errors_txt, as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
        var table: [String: Row] = [:]
        for index in stride(from: 0, to: lines.count, by: 2) {
            let words = lines[index].split(separator: " ").map(String.init)
            table[words[0]] = (words[1], Int(words[2]) ?? 500, lines[index + 1])
        }
        return table
    }()

    /// The codes with which a provider can refuse a resource.
    static let providerAnswers: [ErrorCode] = [
        .authorizationDenied, .deniedByParentalControls, .deniedBySessionInvalidated, .identityNotRecognized,
        .networkReceivedError, .networkConnectionTimeout, .maximumExecutionTime,
    ]
}
