// One request to a service.

public struct HTTPRequest: Equatable, Sendable {
    public enum Method: String, Sendable { case get = "GET", post = "POST", delete = "DELETE" }

    public var method: Method
    public var url: ServiceURL
    public var headers: HTTPHeaders
    public var body: [UInt8]
    /// Whether the service must not get it twice. Then it gets a new connection, because on a reused one it may be
    /// unknown whether the service has seen it.
    public var isForOnce = false
    /// If set, the field is sent with a description of the request's connection.
    var device: DeviceDescription?
    /// The path for logs, with placeholders for values.
    public var route = "-"

    public init(_ method: Method, _ url: ServiceURL, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// A POST request with form fields. Contract: rest-v2.md §3.11.
    public static func form(
        _ url: ServiceURL, headers: HTTPHeaders = [:], _ fields: [(name: String, value: String)]
    ) -> HTTPRequest {
        var headers = headers
        headers.append("Content-Type", "application/x-www-form-urlencoded")
        return HTTPRequest(.post, url, headers: headers, body: Array(formEncoded(fields).utf8))
    }
}

extension HTTPRequest: CustomStringConvertible {
    /// Leaves out query, headers and body, which do not belong in logs.
    public var description: String { "\(method.rawValue) \(url.origin)\(url.path)" }
}
