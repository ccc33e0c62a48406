// A call to the service before it becomes an HTTP request: method, path, headers and body. Pure: no network, no clock.
// Contract: rest-v1.md §6, rest-v2.md §3, §4.

struct ServiceCall: Equatable, Sendable {
    struct Header: Equatable, Sendable {
        var name: String
        var value: String
    }

    var method: String
    /// The origin to call; nil means the service's own.
    var origin: Origin?
    /// The percent-encoded path, from the root of the origin.
    var path: String
    let route: Route
    var headers: [Header]
    var body: [UInt8] = []
    var urgency: RequestPriority

    /// `values` fill the route's placeholders.
    init(
        _ method: String, route: Route, values: [String], query: String = "", headers: [Header], body: [UInt8] = [],
        urgency: RequestPriority
    ) {
        self.method = method
        self.route = route
        path = route.path(values) + (query.isEmpty ? "" : "?" + query)
        self.headers = headers
        self.body = body
        self.urgency = urgency
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension ServiceCall.Header: CustomStringConvertible {
    /// Only the name, because the value may be a secret.
    var description: String { name }
}
