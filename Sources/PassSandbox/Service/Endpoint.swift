// An endpoint: its method, its path with named parts, who may call it, and its handler.

struct Endpoint: Sendable {
    enum Access: Equatable, Sendable {
        /// Anyone: a browser, or a client that has no token yet.
        case open
        /// A bearer token with a scope. Contract: dcr.md §6.
        case bearer
        /// A bearer token for the sign-on service, which has its own form of errors. Contract: rest-v2.md §12.4.
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

    /// `path` is written like `/api/v2/{serviceProvider}/profiles`.
    init(_ method: String, path: String, access: Access, handler: @escaping Handler) {
        self.method = method
        self.access = access
        self.handler = handler
        self.path = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
            part.hasPrefix("{") ? .name(String(part.dropFirst().dropLast())) : .word(String(part))
        }
    }

    /// The values of the named parts; nil if the path is not this endpoint's.
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
    /// The client, after its bearer token was checked.
    var client: Client?
    /// The format of the answer in the older interface; nil for all other calls.
    var format: AnswerFormat?

    subscript(name: String) -> String { names[name] ?? "" }
}
