// The device's HTTP client: `let response = try await client.send(request)`. The client keeps and shares connections, and
// speaks HTTP/2 if the service does. It returns redirects like any other answer (rest-v2.md §20), and keeps no cookies. May be
// used from any thread.

public final class HTTPClient: Sendable {
    public let configuration: HTTPConfiguration
    private let loop: HTTPLoop

    /// Makes a client that shares its thread with other clients. There is one client for each service. Ruling 58.
    public convenience init(sharingThread configuration: HTTPConfiguration) { self.init(configuration, .shared) }

    init(_ configuration: HTTPConfiguration, _ loop: HTTPLoop = HTTPLoop()) {
        self.configuration = configuration
        self.loop = loop
    }

    deinit { if loop !== HTTPLoop.shared { loop.close() } }

    /// Ends all transfers with `HTTPFault.closed` and refuses new transfers.
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
                    // If the task is already cancelled, the loop does not accept the transfer. The handler below still
                    // reports the transfer as cancelled, and the loop ignores this report.
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

/// The part of HTTP that the backends need: sends one request and returns its answer. `HTTPClient` implements this
/// protocol.
public protocol Exchange: Sendable {
    func send(_ request: HTTPRequest) async throws(HTTPFault) -> HTTPResponse
}

extension HTTPClient: Exchange {}

/// The settings of the HTTP client. The client ignores proxy variables of the environment, `.netrc` and `.curlrc`. Contract:
/// operations.md §2 `connect-timeout`, `request-timeout`.
public struct HTTPConfiguration: Equatable, Sendable {
    public var userAgent: String
    public var connectTimeout = Duration.seconds(5)
    /// The max time from sending to the last byte of the answer. Time in which the box sleeps does not count.
    public var requestTimeout = Duration.seconds(15)
    /// The min rate of a transfer, in bytes per second. A transfer that is slower for `slowTime` is ended, even if the
    /// service has not begun to answer.
    public var minRate = 100
    public var slowTime = Duration.seconds(15)
    /// The max bytes in the body of an answer.
    public var bodyLimit = 1 << 20
    /// A PEM file that replaces the system's certificate authorities.
    public var certificateAuthorities: String?
    /// The proxy for HTTPS to other machines, like `http://host:port`.
    public var proxy: String?

    public init(userAgent: String) { self.userAgent = userAgent }
}
