// The device's only way out: `let response = try await client.send(request)`. Connections are kept and shared, HTTP/2 is
// spoken where it is offered, redirects are answers like any other (rest-v2.md §20), and cookies are not kept.

public final class HTTPClient: Sendable {
    public let configuration: HTTPConfiguration
    private let loop = HTTPLoop()

    public init(_ configuration: HTTPConfiguration) { self.configuration = configuration }

    deinit { loop.close() }

    /// Ends every transfer with `HTTPFault.closed`, and takes no more.
    public func close() { loop.close() }

    var transferCount: Int { loop.transferCount }
    var turnCount: Int { loop.turnCount }

    /// Throws `HTTPFault`; a cancelled task hears `.cancelled` at once, and its transfer is taken down.
    public func send(_ request: HTTPRequest) async throws(HTTPFault) -> HTTPResponse {
        guard request.headers.areSafe else { throw .badHeader }
        let transfer = Transfer(request, configuration)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { waiter in
                    transfer.await(waiter)
                    // The loop may see one that it has not taken all the same, among those that are cancelled.
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
