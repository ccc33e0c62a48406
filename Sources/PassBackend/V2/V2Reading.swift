// Interprets HTTP answers of REST V2, by the HTTP status first and then by the body's code. 403 means an invalid
// registration only if the body says so. Contract: rest-v2.md §6.4, dcr.md §6, open-questions.md OQ-58.

import AccessEnabler
import FoundationEssentials

enum V2Reading {
    typealias Trouble = CallTrouble

    static func read<Answer: Decodable>(
        _ type: Answer.Type, status: Int, body: [UInt8]
    ) -> Result<Answer, Trouble> {
        switch status {
        case 200, 201:
            guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(body)) else {
                return .failure(.fault(BackendFault(.unusableAnswer)))
            }
            return bounded(answer)
        case 401: return .failure(.tokenRefused(enhanced(body)))
        case 429: return .failure(.throttled)
        case 500...599: return .failure(.serverError(status, body))
        default:
            if OAuthErrorAnswer.isDeadClient(HTTPResponse(status: status, body: body)) {
                return .failure(.clientRefused)
            }
            guard let error = enhanced(body) else { return .failure(.fault(BackendFault(.unusableAnswer))) }
            if error.action == .applicationRegistration { return .failure(.tokenRefused(error)) }
            return .failure(.refused(error))
        }
    }

    static func enhanced(_ body: [UInt8]) -> ServiceError? { ServiceError(body) }
}
