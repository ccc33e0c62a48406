// One request that went out and what came back, for whoever writes it down. Nothing of it is secret or personal: no value of
// the path, no query, no header of ours, no body.

public struct SentRequest: Sendable {
    public let method: HTTPRequest.Method
    public let origin: Origin
    /// The path with blanks.
    public let route: String
    /// The status of the answer, or why there is none.
    public let outcome: Result<Int, HTTPFault>
    public let duration: Duration
    /// As what the service knows it; not every answer says. Contract: rest-v1.md §6.11.
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
