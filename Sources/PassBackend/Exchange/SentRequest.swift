// A request that was sent and its result, for the records. It contains nothing secret or personal: no value of the
// path, no query, no header of ours, no body.

public struct SentRequest: Sendable {
    public let method: HTTPRequest.Method
    public let origin: Origin
    /// The path with placeholders.
    public let route: String
    /// The status of the answer, or why there is no answer.
    public let outcome: Result<Int, HTTPFault>
    public let duration: Duration
    /// The service's ID of the request, if the answer has one. Contract: rest-v1.md §6.11.
    public let serviceID: String?

    init(_ request: HTTPRequest, result: Result<HTTPResponse, HTTPFault>, duration: Duration) {
        method = request.method
        origin = request.url.origin
        route = request.route
        outcome = result.map(\.status)
        self.duration = duration
        serviceID = (try? result.get())?.headers["Adobe-Request-Id"].map { String($0.prefix(64)) }
    }
}
