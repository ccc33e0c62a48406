// Why a question could not be answered. A denial is not among these: it is an answer.

public struct BackendFault: Error, Sendable {
    public enum Kind: Hashable, Sendable {
        /// There is nobody to ask: the box has no service yet.
        case noService
        /// The service refuses the application; an OAuth code says why.
        case registrationRefused(String)
        case tokenRefused
        /// No route, no name, no connection.
        case unreachable
        case insecure
        /// The caller's deadline came first.
        case deadline
        /// More calls wait than the device's budget allows for.
        case overloaded
        case throttled
        case serverError(Int)
        /// An answer that makes no sense: no JSON, cut off, too large, of an unknown form.
        case unusableAnswer
        /// The service refused the request itself.
        case refused(ServiceError)
        case cancelled
    }

    public var kind: Kind
    /// For support: the service's trace, or the place in our own code that gave up.
    public var trace: String?
    /// What happened on the way, for whoever mends it.
    public var reason: String?
    /// When it makes sense to ask again.
    public var retryAfter: Duration?

    public init(_ kind: Kind, trace: String? = nil, retryAfter: Duration? = nil) {
        self.kind = kind
        self.trace = trace
        self.retryAfter = retryAfter
    }
}
