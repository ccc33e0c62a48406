// One call to a service, as a value.

public struct HTTPRequest: Equatable, Sendable {
    public enum Method: String, Sendable { case get = "GET", post = "POST", delete = "DELETE" }

    public var method: Method
    public var url: ServiceURL
    public var headers: HTTPHeaders
    public var body: [UInt8]
    /// The path as it may be logged, with placeholders for its values.
    public var route = "-"

    public init(_ method: Method, _ url: ServiceURL, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// A POST of form fields. Contract: rest-v2.md §3.11.
    public static func form(
        _ url: ServiceURL, headers: HTTPHeaders = [:], _ fields: [(name: String, value: String)]
    ) -> HTTPRequest {
        var headers = headers
        headers.append("Content-Type", "application/x-www-form-urlencoded")
        return HTTPRequest(.post, url, headers: headers, body: Array(formEncoded(fields).utf8))
    }
}

extension HTTPRequest: CustomStringConvertible {
    /// For logs: without query, headers and body.
    public var description: String { "\(method.rawValue) \(url.origin)\(url.path)" }
}
