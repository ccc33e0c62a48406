// The shape of an endpoint: method, path with named parts, who may call it, and what answers.

struct Endpoint: Sendable {
    enum Access: Equatable, Sendable {
        /// A browser, or a client before it has a token.
        case open
        /// A bearer token with a scope. Contract: dcr.md §6.
        case bearer
        /// The same for the sign-on service, which refuses in a dialect of its own. Contract: rest-v2.md §12.4.
        case signOnBearer
        /// A program on this machine.
        case loopback
    }

    typealias Handler = @Sendable (Call, inout World) throws(Refusal) -> Response

    let method: String
    let path: [Part]
    let access: Access
    let handler: Handler

    enum Part: Equatable, Sendable {
        case word(String)
        case name(String)
    }

    /// `path` as in `/api/v2/{serviceProvider}/profiles`.
    init(_ method: String, path: String, access: Access, handler: @escaping Handler) {
        self.method = method
        self.access = access
        self.handler = handler
        self.path = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
            part.hasPrefix("{") ? .name(String(part.dropFirst().dropLast())) : .word(String(part))
        }
    }

    /// The named parts, if the path is this endpoint's.
    func match(_ segments: [Substring]) -> [String: String]? {
        guard segments.count == path.count else { return nil }
        var names: [String: String] = [:]
        for (part, segment) in zip(path, segments) {
            switch part {
            case .word(let word): guard word == segment else { return nil }
            case .name(let name): names[name] = String(segment)
            }
        }
        return names
    }
}

/// A request on its way through the service.
struct Call: Sendable {
    var request: Request
    let now: Instant
    let trace: String
    var names: [String: String] = [:]
    /// Who calls, once the bearer token is checked.
    var client: Client?
    /// How the older interface is to answer; nil for calls of all others.
    var format: AnswerFormat?

    subscript(name: String) -> String { names[name] ?? "" }
}
