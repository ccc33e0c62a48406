// The error object of an answer, always with a stable name and a remedy. Shape: rpc.md §2.
//
// The rule of errors, everywhere in this project:
//
// 1. Thrown is what keeps a function from doing what its name says. It is a type of its own layer (`BackendFault`,
//    `VaultFault`, `SocketError`, …), and the signature names it: `throws(BackendFault)`.
// 2. A result is what the function was asked to find out, and that includes "no": a denial, an expired code, a login that
//    is not there. Nobody catches an error to learn it.
// 3. Each layer turns the errors of the one below into its own words, once. What reaches an app is this type, made where
//    the call was understood: by the router for what is wrong with the call, by the session for everything else.
// 4. Logged is what somebody may have to act on and no caller is told: trouble of the store, the service and the
//    configuration. An error that a caller gets is the caller's, and is not logged again, but for policy's refusals.
// 5. Nothing that comes from outside ends the process. A program that cannot go on says so in one line and exits with
//    the status that its manual lists.

import PassJSON

/// What an app gets instead of a result.
public struct RPCError: Error, Sendable, Equatable {
    public var name: ErrorName
    /// A short sentence for people.
    public var message: String
    /// What to do about it.
    public var remedy: String
    public var action: ErrorAction?
    /// Seconds.
    public var retryAfter: Int?
    /// The backend's trace id, for its support.
    public var trace: String?
    public var details: JSONValue?
    /// Bytes or items, where a size was exceeded.
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

    /// An error as a client reads it, from whatever server; nil if it is no error object at all.
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

/// What the backend recommends. Contract: access-enabler.md §14.2; words it adds later pass through.
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
