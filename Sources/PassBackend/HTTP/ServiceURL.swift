// The URL of a call: an origin, a path and a query. Relative URLs in answers are resolved against the origin, not
// against the path of the call. Contract: rest-v2.md §1.3.

public struct ServiceURL: Hashable, Sendable {
    public let origin: Origin
    /// Path and query as they are sent, beginning with a slash.
    public let target: String

    /// The path without the query, whose values must not be logged.
    public var path: Substring { target.prefix { $0 != "?" } }

    var text: String { origin.description + target }
}

extension Origin {
    /// The URL with these path segments, each of which is percent-encoded.
    public func url(_ segments: [String], query: [(name: String, value: String)] = []) throws(HTTPFault) -> ServiceURL {
        // A dot segment would change the path even if it is escaped, and an empty one the number of segments.
        for segment in segments where ["", ".", ".."].contains(segment) { throw .badURL }
        let path = "/" + segments.map(percentEncoded).joined(separator: "/")
        return ServiceURL(origin: self, target: query.isEmpty ? path : path + "?" + formEncoded(query))
    }

    /// Resolves a URL of an answer: absolute, `//host/path`, `/path`, or `path` below the origin. The caller decides
    /// whether another origin is acceptable.
    public func resolving(_ reference: String) throws(HTTPFault) -> ServiceURL {
        guard reference.utf8.count <= 8192, reference.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }) else {
            throw .badURL
        }
        let text = reference.prefix { $0 != "#" }
        if text.hasPrefix("//") { return try Self.absolute(scheme, text.dropFirst(2)) }
        if let colon = text.firstIndex(of: ":"), !text[..<colon].contains(where: { "/?".contains($0) }) {
            let rest = try Origin.scheme(of: String(text))
            return try Self.absolute(rest.scheme, rest.text)
        }
        return ServiceURL(origin: self, target: Self.normal(text))
    }

    private static func absolute(_ scheme: Scheme, _ text: Substring) throws(HTTPFault) -> ServiceURL {
        let authority = text.prefix { $0 != "/" && $0 != "?" }
        return ServiceURL(
            origin: try Origin(scheme, authority: authority), target: normal(text.dropFirst(authority.count)))
    }

    /// Adds a leading slash and removes dot segments (RFC 3986 §5.2.4).
    private static func normal(_ text: Substring) -> String {
        let path = text.prefix { $0 != "?" }
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            if index == 0, segment.isEmpty { continue }
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/") + text.dropFirst(path.count)
    }
}
