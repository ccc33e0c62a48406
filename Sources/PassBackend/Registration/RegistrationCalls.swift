// The requests of R1 and R2. Credentials are sent in the body only. Contract: dcr.md §3, §4.

import AccessEnabler
import PassJSON

struct RegistrationCalls: Sendable {
    let origin: Origin
    let deviceInfo: String

    static let registrationPath = "/o/client/register"

    /// R1: registers. Some pages of the service require `redirect_uri` (E26).
    func register(_ statement: Secret, redirectURL: String?) -> HTTPRequest {
        let body = JSONWriter.bytes(
            .members([
                "software_statement": .string(statement.reveal()),
                "redirect_uri": redirectURL.map(JSONValue.string),
            ]))
        var headers = headers
        headers.append("Content-Type", "application/json;charset=utf-8")
        return routed(
            HTTPRequest(.post, ServiceURL(origin: origin, target: Self.registrationPath), headers: headers, body: body))
    }

    /// R2: fetches an access token.
    func token(_ clientID: String, _ clientSecret: Secret) -> HTTPRequest {
        routed(
            HTTPRequest.form(
                ServiceURL(origin: origin, target: "/o/client/token"), headers: headers,
                [
                    ("client_id", clientID), ("client_secret", clientSecret.reveal()),
                    ("grant_type", "client_credentials"),
                ]))
    }

    /// These paths contain no values, so they may be logged unchanged.
    private func routed(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.route = String(request.url.path)
        return request
    }

    private var headers: HTTPHeaders { ["X-Device-Info": deviceInfo, "Accept": "application/json"] }
}
