// A sent request and its outcome, for logging. It shows other modules nothing secret or personal; `described` omits
// that, too.

public struct SentRequest: Sendable, CustomStringConvertible, CustomReflectable {
    public let method: HTTPRequest.Method
    public let origin: Origin
    /// The pattern of the path, with placeholders for values.
    public let route: String
    /// The status of the answer, or the fault.
    public var outcome: Result<Int, HTTPFault> { result.map(\.status) }
    public let duration: Duration
    /// The service's identifier of the request; not every answer has it. Contract: rest-v1.md §6.11.
    public let serviceID: String?
    let request: HTTPRequest
    let result: Result<HTTPResponse, HTTPFault>

    public var description: String { "\(method.rawValue) \(route)" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Whether it registers an app.
    public var isRegistration: Bool { route == RegistrationCalls.registrationPath }

    init(_ request: HTTPRequest, result: Result<HTTPResponse, HTTPFault>, duration: Duration) {
        method = request.method
        origin = request.url.origin
        route = request.route
        self.request = request
        self.result = result
        self.duration = duration
        serviceID = (try? result.get())?.headers["Adobe-Request-Id"].map { String($0.prefix(64)) }
    }
}
