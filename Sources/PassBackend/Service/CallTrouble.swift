// What is to be done about an answer that is none. Contract: dcr.md §6, rest-v2.md §6.4.

import AccessEnabler

enum CallTrouble: Error, Sendable {
    /// The access token is not good any more: a new one, and the call once more.
    case tokenRefused(ServiceError?)
    /// The registration is not good any more.
    case clientRefused
    case throttled
    case fault(BackendFault)

    static func refused(_ error: ServiceError) -> CallTrouble {
        .fault(BackendFault(.refused(error), trace: error.trace))
    }

    static func serverError(_ status: Int, _ body: [UInt8]) -> CallTrouble {
        let error = ServiceError(body)
        // A wrong configuration is told with a 500 too, and repeating does not mend it.
        if let error, error.action == .configuration { return refused(error) }
        return .fault(BackendFault(.serverError(status), trace: error?.trace))
    }
}
