// Why a call to the service failed. A denial is not a fault: it is an answer.

public struct BackendFault: Error, Sendable {
    public enum Kind: Hashable, Sendable {
        /// No service is configured.
        case noService
        /// The service refuses to register the application. The value is the OAuth error code.
        case registrationRefused(String)
        case tokenRefused
        /// The service could not be reached: no route, no address for its name, or no connection.
        case unreachable
        case insecure
        /// No answer arrived before the caller's deadline.
        case deadline
        /// Too many calls are waiting for the device's request budget.
        case overloaded
        case throttled
        case serverError(Int)
        /// The answer cannot be used: it is no JSON, incomplete, too large or of an unknown form.
        case unusableAnswer
        /// The service refused the request itself.
        case refused(ServiceError)
        case cancelled
    }

    public var kind: Kind
    /// For support: the service's trace ID, or the place in our own code that gave up.
    public var trace: String?
    /// What went wrong, in words, for whoever has to fix it.
    public var reason: String?
    /// How long to wait before another attempt makes sense.
    public var retryAfter: Duration?

    public init(_ kind: Kind, trace: String? = nil, retryAfter: Duration? = nil) {
        self.kind = kind
        self.trace = trace
        self.retryAfter = retryAfter
    }
}
