// An HTTP answer to what it means: an answer of the service, or why there is none. Decided on the HTTP status first,
// then on the body's code; 403 means a dead registration only if the body says so. Contract: rest-v2.md §6.4,
// dcr.md §6, open-questions.md OQ-58.

import AccessEnabler
import FoundationEssentials

enum V2Reading {
    /// What is to be done about an answer that is none.
    enum Trouble: Error, Sendable {
        /// The access token is not good any more: a new one, and the call once more.
        case tokenRefused(EnhancedError?)
        /// The registration is not good any more.
        case clientRefused
        case throttled
        case fault(BackendFault)
    }

    static func read<Answer: Decodable>(
        _ type: Answer.Type, status: Int, body: [UInt8]
    ) -> Result<Answer, Trouble> {
        switch status {
        case 200, 201:
            guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(body)) else {
                return .failure(.fault(BackendFault(.unusableAnswer)))
            }
            return .success(answer)
        case 401: return .failure(.tokenRefused(enhanced(body)))
        case 429: return .failure(.throttled)
        case 500...599: return .failure(.fault(serverError(status, body)))
        default:
            if status == 403, oauth(body) == "invalid_client" { return .failure(.clientRefused) }
            guard let error = enhanced(body) else { return .failure(.fault(BackendFault(.unusableAnswer))) }
            if error.action == .applicationRegistration { return .failure(.tokenRefused(error)) }
            return .failure(.fault(BackendFault(.refused(error), trace: error.trace)))
        }
    }

    private static func serverError(_ status: Int, _ body: [UInt8]) -> BackendFault {
        let error = enhanced(body)
        // A wrong configuration is told with a 500 too, and repeating does not mend it.
        if let error, error.action == .configuration { return BackendFault(.refused(error), trace: error.trace) }
        return BackendFault(.serverError(status), trace: error?.trace)
    }

    static func enhanced(_ body: [UInt8]) -> EnhancedError? {
        (try? JSONDecoder().decode(ErrorAnswer.self, from: Data(body)))?.error
    }

    private static func oauth(_ body: [UInt8]) -> String? {
        (try? JSONDecoder().decode(OAuthErrorAnswer.self, from: Data(body)))?.error
    }
}
