// A path of the service with placeholders, such as `/api/v2/{serviceProvider}/profiles/{mvpd}`. They are replaced in
// requests but kept in logs, which must not contain codes or the names of viewers' providers.

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
