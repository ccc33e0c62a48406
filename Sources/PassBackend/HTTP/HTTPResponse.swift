// A complete answer. A truncated answer is a fault instead.

public struct HTTPResponse: Equatable, Sendable {
    public let status: Int
    public let headers: HTTPHeaders
    public let body: [UInt8]
    /// The service's date when it answered, in milliseconds since the epoch; nil if it sent none.
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
