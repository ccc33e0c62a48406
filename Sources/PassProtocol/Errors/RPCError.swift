// The error object of an answer, always with a stable name and a remedy. Shape: rpc.md §2.
//
// The rules of errors, everywhere in this project:
//
// 1. A function throws what keeps it from doing what its name says. The error is a type of its own layer
//    (`BackendFault`, `VaultFault`, `SocketError`, …), and the signature names it: `throws(BackendFault)`.
// 2. A function returns what it was asked to find out, including "no": a denial, an expired code, a missing login.
//    Nobody has to catch an error to learn it.
// 3. Each layer translates the errors of the layer below once, into its own type. An app gets this type, which is made
//    where the call was understood: by the router for faults of the call, by the session for everything else.
// 4. A failure is logged if somebody may have to act on it and no caller gets it: trouble of the store, the service and
//    the configuration. An error that a caller gets is not logged as well, except for refusals by policy.
// 5. Nothing that comes from outside ends the process. A program that cannot continue prints one line and exits with
//    the status that its manual lists.

import PassJSON

/// The error that an app gets instead of a result.
public struct RPCError: Error, Sendable, Equatable {
    public var name: ErrorName
    /// A short sentence for people.
    public var message: String
    /// What to do about it.
    public var remedy: String
    public var action: ErrorAction?
    /// In seconds.
    public var retryAfter: Int?
    /// The backend's trace ID, for its support.
    public var trace: String?
    public var details: JSONValue?
    /// The limit that was exceeded, in bytes or items.
    public var limit: Int?

    public init(
        _ name: ErrorName, _ message: String, remedy: String, action: ErrorAction? = nil, retryAfter: Int? = nil,
        trace: String? = nil, details: JSONValue? = nil, limit: Int? = nil
    ) {
        self.name = name
        self.message = message
        self.remedy = remedy
        self.action = action
        self.retryAfter = retryAfter
        self.trace = trace
        self.details = details
        self.limit = limit
    }

    public var code: Int { name.code }

    public var json: JSONValue {
        [
            "code": .int(code), "message": .string(message),
            "data": .members([
                "code": .string(name.text), "remedy": .string(remedy),
                "action": action.map { .string($0.rawValue) }, "retryAfter": retryAfter.map { .int($0) },
                "trace": trace.map(JSONValue.string), "details": details, "limit": limit.map { .int($0) },
            ]),
        ]
    }

    /// Parses an error on the client's side, from any server; nil if it is not an error object.
    public init?(json: JSONValue) {
        guard let code = json["code"]?.int64, let message = json["message"]?.string else { return nil }
        let data = json["data"]
        let standard = ErrorName.named.first { $0.code == code }
        let name = data?["code"]?.string.map(ErrorName.init(text:)) ?? standard
        self.init(
            name ?? .internalError, message, remedy: data?["remedy"]?.string ?? "",
            action: data?["action"]?.string.map(ErrorAction.init(rawValue:)),
            retryAfter: data?["retryAfter"]?.int64.flatMap(Int.init(exactly:)), trace: data?["trace"]?.string,
            details: data?["details"], limit: data?["limit"]?.int64.flatMap(Int.init(exactly:)))
    }
}

/// The action that the backend recommends. Unknown words are passed through. Contract: access-enabler.md §14.2.
public struct ErrorAction: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let none = ErrorAction(rawValue: "none")
    public static let configuration = ErrorAction(rawValue: "configuration")
    public static let applicationRegistration = ErrorAction(rawValue: "application-registration")
    public static let authentication = ErrorAction(rawValue: "authentication")
    public static let authorization = ErrorAction(rawValue: "authorization")
    public static let degradation = ErrorAction(rawValue: "degradation")
    public static let retry = ErrorAction(rawValue: "retry")
    public static let retryAfter = ErrorAction(rawValue: "retry-after")
}
