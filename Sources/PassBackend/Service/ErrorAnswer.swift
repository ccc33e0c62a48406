// Decodes the enhanced error, with or without a wrapper. A message that is not a string is ignored. Contract:
// rest-v2.md §6.1, §20.

import AccessEnabler

struct ErrorAnswer: Decodable, Sendable {
    let error: ServiceError

    private enum CodingKeys: CodingKey { case status, code, action, message, details, helpUrl, trace, error }

    init(from decoder: any Decoder) throws {
        var container = try decoder.container(keyedBy: CodingKeys.self)
        if let inner = try? container.nestedContainer(keyedBy: CodingKeys.self, forKey: .error) { container = inner }
        func text(_ key: CodingKeys) -> String? { try? container.decodeIfPresent(String.self, forKey: key) }
        error = ServiceError(
            status: (try? container.decodeIfPresent(Int.self, forKey: .status)) ?? 0,
            code: try container.decode(String.self, forKey: .code), actionName: text(.action) ?? "none",
            message: text(.message), details: text(.details), helpURL: text(.helpUrl), trace: text(.trace))
    }
}

extension ServiceError {
    /// Nil if the body is not an enhanced error.
    init?(_ body: [UInt8]) {
        guard let answer = AnswerDecoder.decode(ErrorAnswer.self, body) else { return nil }
        self = answer.error
    }
}

/// The error of registration, like `{"error": "invalid_client"}`, which protected calls may return too. Contract:
/// dcr.md §3, §6.
struct OAuthErrorAnswer: Decodable, Sendable { var error: String }

extension OAuthErrorAnswer {
    /// With a 403, only this code and not the status means that the registration is dead. Contract: open-questions.md
    /// OQ-58.
    static func isDeadClient(_ response: HTTPResponse) -> Bool {
        guard response.status == 403 else { return false }
        return AnswerDecoder.decode(Self.self, response.body)?.error == "invalid_client"
    }
}
