// Decides what an HTTP answer means in REST V1. 401 is always about the access token; 403 is about the registration
// only if the body says so. Contract: rest-v1.md §2, §4, §6.15; dcr.md §6; open-questions.md OQ-44, OQ-58.

import AccessEnabler
import PassProtocol

enum V1Reading {
    static func read<Answer: Decodable>(
        _ type: Answer.Type, _ response: HTTPResponse, from endpoint: V1Endpoint
    ) -> Result<Answer, CallTrouble> {
        guard [200, 201, 204].contains(response.status) else { return .failure(trouble(response, from: endpoint)) }
        if response.body.isEmpty, let empty = (Answer.self as? any MayBeEmpty.Type)?.empty as? Answer {
            return .success(empty)
        }
        guard let answer = AnswerDecoder.decode(Answer.self, response.body) else {
            return .failure(.fault(.unusable(response)))
        }
        return bounded(answer)
    }

    /// Reads the answer of a call without contents: 204, or 200 or 201 with an empty body. A page is not such an
    /// answer.
    static func done(_ response: HTTPResponse, from endpoint: V1Endpoint) -> Result<Bool, CallTrouble> {
        switch response.status {
        case 204: .success(true)
        case 200, 201: response.body.isEmpty ? .success(true) : .failure(.fault(.unusable(response)))
        default: .failure(trouble(response, from: endpoint))
        }
    }

    static func trouble(_ response: HTTPResponse, from endpoint: V1Endpoint) -> CallTrouble {
        switch response.status {
        case 401: return .tokenRefused(ServiceError(response.body))
        case 429: return .throttled
        case 500...599: return .serverError(response)
        default:
            if OAuthErrorAnswer.isDeadClient(response) { return .clientRefused }
            guard (400...499).contains(response.status), let error = ServiceError(response, from: endpoint) else {
                return .fault(.unusable(response))
            }
            return error.action == .applicationRegistration ? .tokenRefused(error) : .refused(error)
        }
    }
}

/// The origin of a login or a permit, if the service reports it; documented answers do not. Contract: open-questions.md
/// OQ-27.
enum V1Origin: String, Sendable {
    case authnall, authzall, temppass, hba, partner

    init?(_ response: HTTPResponse) {
        guard let origin = response.headers["X-Sandbox-Origin"].flatMap(Self.init) else { return nil }
        self = origin
    }
}
