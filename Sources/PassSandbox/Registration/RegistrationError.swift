// The OAuth errors of registration. Contract: dcr.md §3, §4.

enum RegistrationError: String, CaseIterable, Sendable {
    case invalidRequest = "invalid_request"
    case invalidRedirectURI = "invalid_redirect_uri"
    case invalidSoftwareStatement = "invalid_software_statement"
    case unapprovedSoftwareStatement = "unapproved_software_statement"
    case invalidClient = "invalid_client"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
}

extension Refusal {
    static func registration(_ error: RegistrationError) -> Refusal { .oauth(error.rawValue) }
}
