// The answers of R1 and R2. Only the fields that are used are required, because the others depend on the server's
// version. Contract: dcr.md §3, §4, open-questions.md OQ-56, OQ-57, OQ-60.

import AccessEnabler

struct ClientAnswer: Decodable, Sendable, BoundedAnswer {
    let id: String
    let secret: Secret

    var excess: String? { ValueLimits.excess([("client ID", id), ("client secret", secret.reveal())]) }

    private enum CodingKeys: String, CodingKey { case id = "client_id", secret = "client_secret" }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        let text = try container.decode(String.self, forKey: .secret)
        // OAuth allows only printable characters here. Unusable credentials would be tried for a minute, or forever if
        // the service does not name them as the reason.
        guard !id.isEmpty, !text.isEmpty, (id + text).utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .id, in: container, debugDescription: "no usable credentials")
        }
        secret = Secret(text)
    }
}

struct TokenAnswer: Decodable, Sendable, BoundedAnswer {
    /// A week, in seconds. Longer lives are cut, so that no number in an answer can overflow the arithmetic.
    private static let longest = 7 * 24 * 3600.0

    let token: Secret
    let life: Duration

    var excess: String? { ValueLimits.excess([("access token", token.reveal())]) }

    private enum CodingKeys: String, CodingKey {
        case token = "access_token", life = "expires_in", type = "token_type"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decode(String.self, forKey: .token)
        let type = try container.decodeIfPresent(String.self, forKey: .type) ?? "bearer"
        let seconds =
            try (try? container.decode(Double.self, forKey: .life))
            ?? Double(container.decode(String.self, forKey: .life)) ?? 0
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), type.lowercased() == "bearer",
            seconds > 0
        else {
            throw DecodingError.dataCorruptedError(forKey: .token, in: container, debugDescription: "no usable token")
        }
        token = Secret(text)
        life = .milliseconds(Int64(min(seconds, Self.longest) * 1000))
    }
}

/// Why there are no credentials or no token: the OAuth code of a 4xx, or another fault.
enum RegistrationTrouble: Error, Sendable {
    case refused(String)
    case fault(BackendFault)
}

func read<Answer: Decodable>(
    _ type: Answer.Type, registration response: HTTPResponse
) throws(RegistrationTrouble) -> Answer {
    switch response.status {
    case 200...299:
        guard let answer = AnswerDecoder.decode(Answer.self, response.body) else {
            throw .fault(.unusable(response))
        }
        if let excess = (answer as? any BoundedAnswer)?.excess { throw .fault(.excessive(excess)) }
        return answer
    case 500...599: throw .fault(.serverError(response))
    case 400...499:
        guard let answer = AnswerDecoder.decode(OAuthErrorAnswer.self, response.body) else {
            throw .fault(.unusable(response))
        }
        // The code is shown and logged, so only a plain word is accepted.
        let isWord = (1...64).contains(answer.error.utf8.count) && answer.error.utf8.allSatisfy(isUnreserved)
        throw .refused(isWord ? answer.error : "invalid_request")
    default: throw .fault(.unusable(response))
    }
}
