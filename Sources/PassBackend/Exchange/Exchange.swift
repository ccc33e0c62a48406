// Sends one request and returns its answer: all that the adapters need of HTTP. `HTTPClient` implements it.

public protocol Exchange: Sendable {
    func send(_ request: HTTPRequest) async throws(HTTPFault) -> HTTPResponse
}

extension HTTPClient: Exchange {}
