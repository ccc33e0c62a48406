// The enhanced error, bare or in a wrapper; its message may have any type. Contract: rest-v2.md §6.1, §20.

import AccessEnabler
import FoundationEssentials

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
    /// Nil if the body is not an error.
    init?(_ body: [UInt8]) {
        guard let answer = try? JSONDecoder().decode(ErrorAnswer.self, from: Data(body)) else { return nil }
        self = answer.error
    }
}

/// `{"error": "invalid_client"}`: the format of registration, which protected calls use as well. Contract: dcr.md §3,
/// §6.
struct OAuthErrorAnswer: Decodable, Sendable { var error: String }

extension OAuthErrorAnswer {
    /// With a 403, only this code tells that the registration is no longer valid. Contract: open-questions.md OQ-58.
    static func isDeadClient(_ response: HTTPResponse) -> Bool {
        guard response.status == 403 else { return false }
        return (try? JSONDecoder().decode(Self.self, from: Data(response.body)))?.error == "invalid_client"
    }
}
