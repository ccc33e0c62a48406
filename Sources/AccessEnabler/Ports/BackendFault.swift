// The reasons why the service did not answer a question. A denial is an answer and not a fault.

/// The reason why a backend got no answer, or the service's refusal.
public struct BackendFault: Error, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The box is not configured for a service yet.
        case noService
        /// The service refuses to register the app, with this OAuth error code.
        case registrationRefused(String)
        /// The service does not accept the app's access token.
        case tokenRefused
        /// There is no route, no address for the name, or no connection.
        case unreachable
        /// TLS has failed, or the connection would be plain HTTP to another machine.
        case insecure
        /// There was no answer before the caller's deadline.
        case deadline
        /// The queue of the device's request budget is full.
        case overloaded
        /// The service has limited the rate of requests.
        case throttled
        /// The service answered with this HTTP status, 5xx.
        case serverError(Int)
        /// The answer is unusable: not JSON, cut off, too large, or of an unknown form.
        case unusableAnswer
        /// The service refused the request with this error.
        case refused(ServiceError)
        /// The question was cancelled, for instance because the login has ended.
        case cancelled

        /// The name for the journal.
        public var name: String {
            switch self {
            case .noService: "no-service"
            case .registrationRefused: "registration-refused"
            case .tokenRefused: "token-refused"
            case .unreachable: "unreachable"
            case .insecure: "insecure"
            case .deadline: "deadline"
            case .overloaded: "overloaded"
            case .throttled: "throttled"
            case .serverError(let status): "server-error-\(status)"
            case .unusableAnswer: "unusable-answer"
            case .refused: "refused"
            case .cancelled: "cancelled"
            }
        }
    }

    public var kind: Kind
    /// The service's trace ID, for support.
    public var trace: String?
    /// The OAuth error code with which the service refuses an access token.
    public var tokenCode: String?
    /// Details for the operator, in words.
    public var reason: String?
    /// Whether the login has no page: neither the service nor the configuration names one.
    public var lacksPage = false
    public var retryAfter: Duration?

    /// The service's own code, or else the name of the fault.
    public var code: String {
        switch kind {
        case .registrationRefused(let code): code
        case .refused(let refusal): refusal.code
        case .tokenRefused: tokenCode ?? kind.name
        default: kind.name
        }
    }

    public init(_ kind: Kind, trace: String? = nil, retryAfter: Duration? = nil) {
        self.kind = kind
        self.trace = trace
        self.retryAfter = retryAfter
    }
}
