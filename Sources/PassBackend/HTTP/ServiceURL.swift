// The address of one call: an origin, and a path with a query. Relative addresses in answers are relative to the
// origin, not to the path of the call. Contract: rest-v2.md §1.3.

public struct ServiceURL: Hashable, Sendable {
    public let origin: Origin
    /// The path and query as they are sent. They begin with a slash.
    public let target: String

    /// The path without the query. Values in the query must not be logged.
    public var path: Substring { target.prefix { $0 != "?" } }

    var text: String { origin.description + target }

    /// Whether the service sees the segments of this path unchanged. A dot segment would mean another path, even if it is
    /// escaped. An empty segment would change the number of segments.
    var keepsItsSegments: Bool {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .allSatisfy { !["", ".", ".."].contains($0) }
    }
}

extension Origin {
    /// Resolves an address from an answer. The address may be absolute, `//host/path`, `/path`, or `path` below the
    /// origin. The caller decides whether another origin is acceptable.
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

/// Whether a character is unreserved by RFC 3986. Other characters are escaped in URLs and forms.
func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
}

func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var out: [UInt8] = []
    for byte in text.utf8 {
        if isUnreserved(byte) {
            out.append(byte)
        } else {
            out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: out, as: UTF8.self)
}

/// The type of a body with form fields. Contract: rest-v2.md §3.11.
let formType = "application/x-www-form-urlencoded"

/// Returns text like `a=1&b=2`, for a query or a form. Fields without a value are left out.
func formEncoded(_ fields: [(name: String, value: String?)]) -> String {
    fields.compactMap { name, value in value.map { percentEncoded(name) + "=" + percentEncoded($0) } }
        .joined(separator: "&")
}
