// A path of the service with blanks for what is asked about: `/api/v2/{serviceProvider}/profiles/{mvpd}`. The blanks are
// filled for the wire and left as they are for the log, since codes and names of viewers' providers are nobody's business.

struct Route: Hashable, Sendable, ExpressibleByStringLiteral {
    let pattern: String

    init(stringLiteral pattern: String) { self.pattern = pattern }

    /// Each value escaped as a whole, in the order of the blanks.
    func path(_ values: [String]) -> String {
        var rest = values[...]
        return pattern.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("{") ? percentEncoded(rest.popFirst() ?? "") : String($0) }
            .joined(separator: "/")
    }
}
