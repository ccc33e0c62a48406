// One request, one answer: what the adapters need of the way out. `HTTPClient` is the one there is.

public protocol Exchange: Sendable {
    func send(_ request: HTTPRequest) async throws(HTTPFault) -> HTTPResponse
}

extension HTTPClient: Exchange {}
