// Why a call has no usable answer. It decides the next step. Contract: dcr.md §6, rest-v2.md §6.4.

import AccessEnabler
import PassProtocol

enum CallTrouble: Error, Sendable {
    /// The access token is refused: get a new one and repeat the call.
    case tokenRefused(ServiceError?)
    /// The registration is refused: register again and repeat the call.
    case clientRefused
    case throttled
    case fault(BackendFault)

    static func refused(_ error: ServiceError) -> CallTrouble {
        .fault(BackendFault(.refused(error), trace: error.trace))
    }

    static func serverError(_ response: HTTPResponse) -> CallTrouble {
        // The service also reports a wrong configuration with a 500, and then a retry does not help.
        if let error = ServiceError(response.body), error.action == .configuration { return refused(error) }
        return .fault(.serverError(response))
    }
}
