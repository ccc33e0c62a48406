// Translates errors of REST V1 into errors of V2, which the engine knows. An error with a code is translated by the code, and
// other errors by status and endpoint. One error has no code, and shares its status with other errors, so it is recognized by
// its message.
// Contract: rest-v1.md §4, §6.15, §12; rest-v2.md §6.3; open-questions.md OQ-44; evidence E11.

import AccessEnabler
import PassJSON

enum V1Endpoint: CaseIterable, Sendable {
    case code, configuration, authentication, metadata, authorize, authorization, mediaToken, preauthorize
    case freePreview, logout, profileRequest, exchange

    /// The code and the action that belong to a status. Nil if the contract has no such answer.
    func meaning(of status: Int) -> (code: String, action: String)? {
        switch (self, status) {
        case (.configuration, 400): ("invalid_parameter_service_provider", "none")
        case (_, 400), (_, 405): ("bad_request", "none")
        case (.code, 404): ("invalid_parameter_code", "none")
        case (.authentication, 403), (.authentication, 404), (.logout, 404), (_, 412):
            ("authenticated_profile_missing", "authentication")
        case (.authentication, 410): ("authenticated_profile_expired", "authentication")
        case (.authorize, 403): ("authorization_denied_by_mvpd", "none")
        case (.authorization, 404), (.mediaToken, 403), (.mediaToken, 404): ("authorization_not_found", "authorization")
        case (.authorization, 410), (.mediaToken, 410): ("authorization_expired", "authorization")
        case (.preauthorize, 403): ("too_many_resources", "configuration")
        case (.freePreview, 403): ("temporary_access_duration_limit_exceeded", "authentication")
        default: nil
        }
    }
}

extension V1Endpoint {
    /// The error in an answer with a status of 4xx. Nil if the answer is not from the service.
    func refusal(_ response: HTTPResponse) -> ServiceError? {
        (400...499).contains(response.status) ? ServiceError(response, from: self) : nil
    }

    /// Reads the answer to a call without a result. The call has succeeded if the status is 204, or if the body is empty and
    /// the status is 200 or 201. A web page is not accepted.
    func done(_ response: HTTPResponse) -> Result<Void, CallTrouble> {
        switch response.status {
        case 204: .success(())
        case 200, 201: response.body.isEmpty ? .success(()) : .failure(.fault(.unusable(response)))
        default: .failure(CallTrouble(response, refusal))
        }
    }
}

/// The error `{"status", "message", "details"}`. A body that has neither a status nor a message is not from the service.
struct BasicErrorAnswer: ServiceAnswer {
    let message: String?
    let details: String?

    init(_ json: JSONValue) throws {
        message = json["message"]?.string
        details = json["details"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        guard message != nil || json["status"]?.int64.flatMap({ Int(exactly: $0) }) != nil else { throw AnswerFault() }
    }

    /// Whether the service no longer connects the requestor with the provider. E11.
    var meansLapsedIntegration: Bool { message?.place(of: "does not exist or is disabled") != nil }
}

/// The kind of event that created a login or a permit. In V1 the service does not report this: only answers of the sandbox have
/// a header for it. Contract: open-questions.md OQ-27.
enum V1Origin: String, Sendable {
    case authnall, authzall, temppass, hba, partner

    init?(_ response: HTTPResponse) {
        guard let origin = response.headers["X-Sandbox-Origin"].flatMap(Self.init) else { return nil }
        self = origin
    }
}

extension ServiceError {
    /// Nil if the answer is not from the service. A page from a machine between box and service says nothing about
    /// logins.
    init?(_ response: HTTPResponse, from endpoint: V1Endpoint) {
        if var error = ServiceError(response.body) {
            error.useV2Code()
            if error.status == 0 { error.status = response.status }
            self = error
        } else if let basic = BasicErrorAnswer(body: response.body),
            let meaning = basic.meansLapsedIntegration
                ? Self.lapsedIntegration : endpoint.meaning(of: response.status)
        {
            self.init(
                status: response.status, code: meaning.code, actionName: meaning.action, message: basic.message,
                details: basic.details)
        } else {
            return nil
        }
    }

    mutating func useV2Code() { code = Self.v2Codes[code] ?? code }

    private static let lapsedIntegration: (code: String, action: String)? = ("invalid_integration", "none")

    /// The V2 names of V1's codes. Contract: rest-v2.md §6.3.
    static let v2Codes = [
        "invalid_requestor": "invalid_parameter_service_provider",
        "invalid_device_info": "invalid_header_device_info",
        "invalid_device_id": "invalid_header_device_identifier",
        "missing_resource": "invalid_parameter_resources",
        "malformed_authz_request": "invalid_parameter_resources",
        "internal_error": "internal_server_error",
        "unknown_integration": "invalid_integration",
        "authentication_session_missing": "authenticated_profile_missing",
        "authentication_session_expired": "authenticated_profile_expired",
        "authentication_session_invalidated": "authenticated_profile_invalidated",
        "preauthorization_authentication_session_missing": "authenticated_profile_missing",
        "preauthorization_authentication_session_expired": "authenticated_profile_expired",
    ]
}
