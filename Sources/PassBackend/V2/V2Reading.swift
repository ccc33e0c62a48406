// Decides what an HTTP answer means: by its status first, then by the code in its body. 403 means a dead registration
// only if the body says so. Contract: rest-v2.md §6.4, dcr.md §6, open-questions.md OQ-58.

import AccessEnabler
import PassProtocol

/// An answer that older servers leave empty instead of reporting an error. Contract: rest-v2.md D1, D2.
protocol MayBeEmpty { static var empty: Self { get } }

enum V2Reading {
    typealias Trouble = CallTrouble

    static func read<Answer: Decodable>(
        _ type: Answer.Type, status: Int, headers: HTTPHeaders = [:], body: [UInt8]
    ) -> Result<Answer, Trouble> {
        let response = HTTPResponse(status: status, headers: headers, body: body)
        switch status {
        case 200, 201, 204:
            if body.isEmpty, let empty = (Answer.self as? any MayBeEmpty.Type)?.empty as? Answer {
                return .success(empty)
            }
            guard let answer = AnswerDecoder.decode(Answer.self, body) else {
                return .failure(.fault(.unusable(response)))
            }
            return bounded(answer)
        case 401: return .failure(.tokenRefused(enhanced(body)))
        case 429: return .failure(.throttled)
        case 500...599: return .failure(.serverError(response))
        default:
            if OAuthErrorAnswer.isDeadClient(response) {
                return .failure(.clientRefused)
            }
            guard let error = enhanced(body) else { return .failure(.fault(.unusable(response))) }
            if error.action == .applicationRegistration { return .failure(.tokenRefused(error)) }
            return .failure(.refused(error))
        }
    }

    static func enhanced(_ body: [UInt8]) -> ServiceError? { ServiceError(body) }
}
