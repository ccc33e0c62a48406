// The error object of an answer. It always has a stable name and a remedy. Form: rpc.md §2.
//
// The rules for errors in this project:
//
// 1. A function throws if it cannot do what its name says. The signature names the error's type: `throws(BackendFault)`.
//    Each layer has a type of its own (`BackendFault`, `VaultFault`, `SocketError`, …).
// 2. If a function answers a question, the answer is its result, even if it is "no". Examples are a denial, an expired
//    code and a missing login. Callers do not catch an error to get an answer.
// 3. Each layer translates the errors of the layer below into its own errors, once. Apps get an `RPCError`. The router
//    makes it for faults of the call. The session makes it for all other faults.
// 4. A problem is logged if a person may have to act and no caller gets an error. These are problems of the store, the service
//    and the configuration. An error that a caller gets is not logged, except a refusal by policy.
// 5. No input from outside ends the process. A program that cannot continue prints one line and exits. The program's
//    manual lists its exit statuses.

public import PassJSON

/// The error that an app gets instead of a result.
public struct RPCError: Error, Sendable, Equatable {
    public var name: ErrorName
    /// A short sentence for people.
    public var message: String
    /// What the reader can do about it.
    public var remedy: String
    public var action: ErrorAction?
    /// The time to wait before trying again, in seconds.
    public var retryAfter: Int?
    /// The service's trace ID, by which its support finds the request.
    public var trace: String?
    public var details: JSONValue?
    /// The limit that was exceeded, in bytes or items.
    public var limit: Int?
    /// The words for the viewer; nil if no viewer waits for the answer.
    public var words: ViewerWords?
    /// The code of an error from another release. Set if this release does not know the error's name, or has another code for
    /// the name.
    private var otherCode: Int?

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

    /// The words for the viewer; a general sentence if `words` is nil.
    public var viewerWords: ViewerWords { words ?? ViewerWords(BoxSentence(name)) }

    /// The error with words for the viewer. Used if a viewer waits for the answer. Ruling 45.
    public func forViewers(in language: String?) -> RPCError { saying(viewerWords.translated(to: language)) }

    public func saying(_ words: ViewerWords) -> RPCError {
        var error = self
        error.words = words
        return error
    }

    public func saying(_ sentence: BoxSentence) -> RPCError { saying(ViewerWords(sentence)) }

    public var code: Int { otherCode ?? name.code }

    public var json: JSONValue {
        [
            "code": .int(code), "message": .string(message),
            "data": JSONValue.members([
                "code": .string(name.text), "remedy": .string(remedy),
                "action": action.map { .string($0.rawValue) }, "retryAfter": retryAfter.map { .int($0) },
                "trace": trace.map(JSONValue.string), "details": details, "limit": limit.map { .int($0) },
            ]).adding(words?.json ?? []),
        ]
    }

    /// Reads an error from any server. Missing members get defaults, because an error without them is still an error.
    public init(json: JSONValue) {
        let code = json["code"]?.int64.flatMap(Int.init(exactly:)) ?? ErrorName.internalError.code
        let data = json["data"]
        let standard = ErrorName.named.first { $0.code == code }
        let name = data?["code"]?.string.map(ErrorName.init(text:)) ?? standard ?? .internalError
        self.init(
            name, json["message"]?.string ?? "The daemon refused the call.",
            remedy: data?["remedy"]?.string ?? "See the journal of passd.",
            action: data?["action"]?.string.map(ErrorAction.init(rawValue:)),
            retryAfter: data?["retryAfter"]?.int64.flatMap(Int.init(exactly:)), trace: data?["trace"]?.string,
            details: data?["details"], limit: data?["limit"]?.int64.flatMap(Int.init(exactly:)))
        words = ViewerWords(json: data)
        otherCode = code == name.code ? nil : code
    }

    /// The form of all errors. rpc.md §2.
    static let component = Component(
        "Error", summary: "What failed, and what to do.",
        schema: .object([
            .required("code", .integer), .required("message", .string, summary: "A short sentence."),
            .required(
                "data",
                .object(
                    [
                        .required("code", .string, summary: "The stable name."),
                        .required("remedy", .string, summary: "What to do."),
                        .optional("action", .string, summary: "What the backend recommends."),
                        .optional("retryAfter", .integer(0...Int64.max), summary: "Seconds."),
                        .optional(
                            "trace", .string,
                            summary: "The ID by which the backend's support finds the "
                                + "request."), .optional("details", .any),
                        .optional(
                            "limit", .integer(0...Int64.max), summary: "The limit that was exceeded, in bytes or items."
                        ),
                    ] + ViewerWords.members("If a viewer waits for the answer"))),
        ]))
}

/// The service's recommendation to the app, such as `retry`. Unknown values are passed on, because later versions may have
/// more. Contract: access-enabler.md §14.2.
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

/// The stable name of an error in `data.code`, which programs compare. Each name belongs to one JSON-RPC code. rpc.md
/// §2.
public enum ErrorName: Sendable, Hashable {
    case parseError, invalidRequest, methodNotFound, invalidParams, internalError
    case denied, limit, notReady
    case requestorNotSet
    /// The question has no answer. The SDK's status says why.
    case unanswered(SDKStatus)
    case flowConflict

    public var code: Int { row.code }
    public var text: String { row.text }

    private var row: (code: Int, text: String) {
        switch self {
        case .parseError: (-32700, "PARSE_ERROR")
        case .invalidRequest: (-32600, "INVALID_REQUEST")
        case .methodNotFound: (-32601, "METHOD_NOT_FOUND")
        case .invalidParams: (-32602, "INVALID_PARAMS")
        case .internalError: (-32603, "INTERNAL_ERROR")
        case .denied: (-32001, "DENIED")
        case .limit: (-32002, "LIMIT")
        case .notReady: (-32003, "NOT_READY")
        case .requestorNotSet: (-32010, "REQUESTOR_NOT_SET")
        case .unanswered(let status): (-32011, status.rawValue)
        case .flowConflict: (-32012, "FLOW_CONFLICT")
        }
    }

    /// The name by which metrics count the error. The number of these names is limited.
    public var family: String { if case .unanswered(let status) = self { status.family } else { text } }

    /// The name of the single entry that stands for all statuses in the OpenRPC document.
    public static let unansweredEntry = "UNANSWERED"

    /// All names except the statuses, which have their own table.
    public static let named: [ErrorName] = [
        .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError, .denied, .limit, .notReady,
        .requestorNotSet, .flowConflict,
    ]

    public init(text: String) {
        self = Self.named.first { $0.text == text } ?? .unanswered(SDKStatus(rawValue: text))
    }
}
