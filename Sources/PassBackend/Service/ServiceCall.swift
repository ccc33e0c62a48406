// A call of the service before it becomes an HTTP request: its path, headers and body. Pure: no network, no clock.
// Contract: rest-v1.md §6, rest-v2.md §3, §4.

struct ServiceCall: Equatable, Sendable {
    struct Header: Equatable, Sendable {
        var name: String
        var value: String
    }

    var method: String
    /// Nil means the origin of the service.
    var origin: Origin?
    /// Escaped, beginning at the root of the origin.
    var path: String
    let route: Route
    var headers: [Header]
    var body: [UInt8] = []
    /// Whether the device's description is percent-encoded in its header.
    var encodesDeviceInfo = false

    /// `values` replace the placeholders of the route.
    init(
        _ method: String, route: Route, values: [String], query: String = "", headers: [Header], body: [UInt8] = []
    ) {
        self.method = method
        self.route = route
        path = route.path(values) + (query.isEmpty ? "" : "?" + query)
        self.headers = headers
        self.body = body
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension ServiceCall.Header: CustomStringConvertible {
    /// Only the name, since the value may be a secret.
    var description: String { name }
}

/// A path of the service with placeholders, such as `/api/v2/{serviceProvider}/profiles/{mvpd}`. They are replaced in
/// requests but kept in logs, which must not contain codes or the names of viewers' providers.
struct Route: Hashable, Sendable, ExpressibleByStringLiteral {
    let pattern: String

    init(stringLiteral pattern: String) { self.pattern = pattern }

    /// Replaces the placeholders in their order; each value is escaped as a whole.
    func path(_ values: [String]) -> String {
        var rest = values[...]
        return pattern.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("{") ? percentEncoded(rest.popFirst() ?? "") : String($0) }
            .joined(separator: "/")
    }
}
