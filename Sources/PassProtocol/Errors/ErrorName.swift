// The stable name of an error in `data.code`, which programs compare. Each name belongs to one JSON-RPC code. rpc.md
// §2.

public enum ErrorName: Sendable, Hashable {
    case parseError, invalidRequest, methodNotFound, invalidParams, internalError
    case denied, limit, notReady
    case requestorNotSet
    /// The question could not be answered; the SDK's status says why.
    case unanswered(SDKStatus)
    case flowConflict

    public var code: Int {
        switch self {
        case .parseError: -32700
        case .invalidRequest: -32600
        case .methodNotFound: -32601
        case .invalidParams: -32602
        case .internalError: -32603
        case .denied: -32001
        case .limit: -32002
        case .notReady: -32003
        case .requestorNotSet: -32010
        case .unanswered: -32011
        case .flowConflict: -32012
        }
    }

    public var text: String {
        switch self {
        case .parseError: "PARSE_ERROR"
        case .invalidRequest: "INVALID_REQUEST"
        case .methodNotFound: "METHOD_NOT_FOUND"
        case .invalidParams: "INVALID_PARAMS"
        case .internalError: "INTERNAL_ERROR"
        case .denied: "DENIED"
        case .limit: "LIMIT"
        case .notReady: "NOT_READY"
        case .requestorNotSet: "REQUESTOR_NOT_SET"
        case .unanswered(let status): status.rawValue
        case .flowConflict: "FLOW_CONFLICT"
        }
    }

    /// The name for counting: one of a fixed list.
    public var family: String { if case .unanswered(let status) = self { status.family } else { text } }

    /// The entry for all statuses in the OpenRPC document.
    public static let unansweredEntry = "UNANSWERED"

    /// All names but the statuses, which have a table of their own.
    public static let named: [ErrorName] = [
        .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError, .denied, .limit, .notReady,
        .requestorNotSet, .flowConflict,
    ]

    public init(text: String) {
        self = Self.named.first { $0.text == text } ?? .unanswered(SDKStatus(rawValue: text))
    }
}
