// The answers of R1 and R2. Only the fields that are used are required, because the others depend on the server's
// version. Contract: dcr.md §3, §4, open-questions.md OQ-56, OQ-57, OQ-60.

import AccessEnabler
import PassJSON

struct ClientAnswer: ServiceAnswer {
    let id: String
    let secret: Secret

    var excess: String? { ValueLimits.excess([("client ID", id), ("client secret", secret.reveal())]) }

    init(_ json: JSONValue) throws {
        id = try json.member("client_id", \.string)
        let text = try json.member("client_secret", \.string)
        // OAuth allows only printable characters here. Unusable credentials would be tried for a minute, or forever if
        // the service does not name them as the reason.
        guard !id.isEmpty, !text.isEmpty, (id + text).utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw AnswerFault()
        }
        secret = Secret(text)
    }
}

struct TokenAnswer: ServiceAnswer {
    /// A week, in seconds. Longer lives are cut, so that no number in an answer can overflow the arithmetic.
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

/// Why there are no credentials or no token: the OAuth code of a 4xx, or another fault.
enum RegistrationTrouble: Error, Sendable {
    case refused(String)
    case fault(BackendFault)
}

extension ServiceAnswer {
    static func read(registration response: HTTPResponse) throws(RegistrationTrouble) -> Self {
        switch response.status {
        case 200...299:
            guard let answer = Self(body: response.body) else { throw .fault(.unusable(response)) }
            if let excess = answer.excess { throw .fault(.unusable(excess)) }
            return answer
        case 500...599: throw .fault(.serverError(response))
        case 400...499:
            guard let code = response.oauthCode else { throw .fault(.unusable(response)) }
            // The code is shown and logged, so only a plain word is accepted.
            let isWord = (1...64).contains(code.utf8.count) && code.utf8.allSatisfy(isUnreserved)
            throw .refused(isWord ? code : "invalid_request")
        default: throw .fault(.unusable(response))
        }
    }
}
