// A complete answer. An incomplete one is a fault and never a response.

public struct HTTPResponse: Equatable, Sendable {
    public let status: Int
    public let headers: HTTPHeaders
    public let body: [UInt8]
    /// The `Date` header in milliseconds since the epoch.
    public let date: Int64?

    public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
        date = headers["Date"].flatMap(epochMilliseconds(httpDate:))
    }
}

extension HTTPResponse: CustomStringConvertible {
    public var description: String { "\(status), \(body.count) bytes" }
}
