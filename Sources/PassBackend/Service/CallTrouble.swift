// Why a call has no usable answer, and what to do about it. Contract: dcr.md §6, rest-v2.md §6.4.

import AccessEnabler

enum CallTrouble: Error, Sendable {
    /// The access token is no longer valid: get a new one and repeat the call.
    case tokenRefused(ServiceError?)
    /// The registration is no longer valid.
    case clientRefused
    case throttled
    case fault(BackendFault)

    static func refused(_ error: ServiceError) -> CallTrouble {
        .fault(BackendFault(.refused(error), trace: error.trace))
    }

    static func serverError(_ status: Int, _ body: [UInt8]) -> CallTrouble {
        let error = ServiceError(body)
        // A wrong configuration is reported with a 500 too, and repeating the call does not help.
        if let error, error.action == .configuration { return refused(error) }
        return .fault(BackendFault(.serverError(status), trace: error?.trace))
    }
}
