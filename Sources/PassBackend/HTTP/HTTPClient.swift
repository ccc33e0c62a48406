// The daemon's HTTP client: `let response = try await client.send(request)`. Connections are kept and shared, HTTP/2 is
// used if offered, redirects are not followed (rest-v2.md §20), and cookies are not kept. It may be used from any
// thread.

public final class HTTPClient: Sendable {
    public let configuration: HTTPConfiguration
    private let loop = HTTPLoop()

    public init(_ configuration: HTTPConfiguration) { self.configuration = configuration }

    deinit { loop.close() }

    /// Ends every transfer with `HTTPFault.closed`, and accepts no more.
    public func close() { loop.close() }

    var transferCount: Int { loop.transferCount }
    var turnCount: Int { loop.turnCount }

    /// Sends the request. A cancelled task gets `.cancelled` at once, and its transfer is removed.
    public func send(_ request: HTTPRequest) async throws(HTTPFault) -> HTTPResponse {
        guard request.headers.areSafe else { throw .badHeader }
        let transfer = Transfer(request, configuration)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { waiter in
                    transfer.await(waiter)
                    // The loop may find a transfer that it has refused among the cancelled ones; it ignores it.
                    if let fault = loop.submit(transfer) { waiter.resume(throwing: fault) }
                }
            } onCancel: {
                loop.cancel(transfer)
            }
        } catch {
            throw error as? HTTPFault ?? .cancelled
        }
    }
}
