// A path of the service with placeholders: `/api/v2/{serviceProvider}/profiles/{mvpd}`. They are filled in for the
// request only. The log shows the placeholders, because codes and the names of viewers' providers must not be logged.

struct Route: Hashable, Sendable, ExpressibleByStringLiteral {
    let pattern: String

    init(stringLiteral pattern: String) { self.pattern = pattern }

    /// Fills in the placeholders in their order, and percent-encodes each value.
    func path(_ values: [String]) -> String {
        var rest = values[...]
        return pattern.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("{") ? percentEncoded(rest.popFirst() ?? "") : String($0) }
            .joined(separator: "/")
    }
}
