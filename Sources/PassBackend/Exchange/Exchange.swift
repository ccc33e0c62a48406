// Sends a request and returns its response. The backends depend on this protocol instead of the network; `HTTPClient`
// implements it, and tests replace it.

public protocol Exchange: Sendable {
    func send(_ request: HTTPRequest) async throws(HTTPFault) -> HTTPResponse
}

extension HTTPClient: Exchange {}
