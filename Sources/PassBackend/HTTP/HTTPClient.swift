// The device's HTTP client: `let response = try await client.send(request)`. It keeps and shares connections, speaks
// HTTP/2 where it is offered, returns redirects like any other answer (rest-v2.md §20), and keeps no cookies. It may be
// used from any thread.

public final class HTTPClient: Sendable {
    public let configuration: HTTPConfiguration
    private let loop: HTTPLoop

    /// One of the clients that share a thread, one for each service. Ruling 58.
    public convenience init(sharingThread configuration: HTTPConfiguration) { self.init(configuration, .shared) }

    init(_ configuration: HTTPConfiguration, _ loop: HTTPLoop = HTTPLoop()) {
        self.configuration = configuration
        self.loop = loop
    }

    deinit { if loop !== HTTPLoop.shared { loop.close() } }

    /// Ends all transfers with `HTTPFault.closed` and refuses new ones.
    func close() { loop.close() }

    var transferCount: Int { loop.transferCount }

    /// If the task is cancelled, throws `.cancelled` at once and ends the transfer.
    public func send(_ request: HTTPRequest) async throws(HTTPFault) -> HTTPResponse {
        guard request.headers.areSafe else { throw .badHeader }
        let transfer = Transfer(request, configuration)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { waiter in
                    transfer.await(waiter)
                    // A cancelled transfer that the loop has not taken may still show up in its list of cancelled ones.
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
