// The requests of R1 and R2. Credentials are sent only in the body. Contract: dcr.md §3, §4.

package import AccessEnabler
import PassJSON

struct RegistrationCalls: Sendable {
    let origin: Origin
    let deviceInfo: String

    static let registrationPath = "/o/client/register"
    static let tokenPath = "/o/client/token"

    /// R1: registers. Some pages of the service's documentation require `redirect_uri` (E26).
    func register(_ statement: Secret, redirectURL: String?) -> HTTPRequest {
        let body = JSONWriter.bytes(
            .members([
                "software_statement": .string(statement.reveal()),
                "redirect_uri": redirectURL.map(JSONValue.string),
            ]))
        return post(Self.registrationPath, "application/json;charset=utf-8", body)
    }

    /// R2: fetches an access token.
    func token(_ clientID: String, _ clientSecret: Secret) -> HTTPRequest {
        let form = formEncoded([
            ("client_id", clientID), ("client_secret", clientSecret.reveal()), ("grant_type", "client_credentials"),
        ])
        return post(Self.tokenPath, formType, Array(form.utf8))
    }

    private func post(_ path: String, _ type: String, _ body: [UInt8]) -> HTTPRequest {
        let headers: HTTPHeaders = [
            "X-Device-Info": deviceInfo, "Accept": "application/json", "Content-Type": type,
        ]
        return HTTPRequest(.post, origin, route: path, headers: headers, body: body)
    }
}

/// The answers of R1 and R2. Unused fields may be missing, because they depend on the server's version. Contract: dcr.md §3,
/// §4, open-questions.md OQ-56, OQ-57, OQ-60.
struct ClientAnswer: ServiceAnswer {
    let id: String
    let secret: Secret

    var excess: String? { ValueLimits.excess([("client ID", id), ("client secret", secret.reveal())]) }

    init(_ json: JSONValue) throws {
        id = try json.member("client_id", \.string)
        let text = try json.member("client_secret", \.string)
        // OAuth allows only printable characters here. The service would refuse credentials with other characters, and passd
        // would retry for a minute. If the service did not name the credentials as the reason, passd would even retry forever.
        guard !id.isEmpty, !text.isEmpty, (id + text).utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw AnswerFault()
        }
        secret = Secret(text)
    }
}

struct TokenAnswer: ServiceAnswer {
    /// The max life of a token: a week, in seconds. If the life in an answer is longer, passd uses this value instead, so that
    /// the arithmetic cannot overflow.
    private static let longest = 7 * 24 * 3600.0

    let token: Secret
    let life: Duration

    var excess: String? { ValueLimits.excess([("access token", token.reveal())]) }

    init(_ json: JSONValue) throws {
        let text = try json.member("access_token", \.string)
        let type = try json.optional("token_type", \.string) ?? "bearer"
        let seconds = try json.member("expires_in") { $0.number?.double ?? $0.string.flatMap(Double.init) }
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), type.lowercased() == "bearer",
            seconds > 0
        else { throw AnswerFault() }
        token = Secret(text)
        life = .milliseconds(Int64(min(seconds, Self.longest) * 1000))
    }
}

extension ServiceAnswer {
    /// Reads an answer of R1 or R2. The fault for a 4xx has the OAuth code of the answer.
    static func read(registration response: HTTPResponse) throws(BackendFault) -> Self {
        switch response.status {
        case 200...299:
            guard let answer = Self(body: response.body) else { throw .unusable(response) }
            if let excess = answer.excess { throw .unusable(excess) }
            return answer
        case 500...599: throw .serverError(response)
        case 400...499:
            guard let code = response.oauthCode else { throw .unusable(response) }
            // The code is shown and logged, so only a plain word is accepted.
            let isWord = (1...64).contains(code.utf8.count) && code.utf8.allSatisfy(isUnreserved)
            throw BackendFault(.registrationRefused(isWord ? code : "invalid_request"))
        default: throw .unusable(response)
        }
    }
}

/// The form of an app's software statement: three parts in Base64url. A statement from a file may have line breaks.
/// Only the service can check the signature. Contract: dcr.md §2.
package enum StatementForm {
    /// Returns the statement without white space. This form is sent, and its digest identifies the registration.
    package static func normal(_ statement: Secret) -> Secret {
        Secret(String(statement.reveal().unicodeScalars.filter { !$0.properties.isWhitespace }.map(Character.init)))
    }

    package static func isWellFormed(_ statement: Secret) -> Bool {
        let parts = statement.reveal().split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3
            && parts.allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { isUnreserved($0) && $0 != 0x2E && $0 != 0x7E }
            }
    }
}
