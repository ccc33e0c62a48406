// The reason why a call of a client has no result.

public import PassJSON
public import PassProtocol

public enum ClientError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The daemon answered with an error.
    case refused(RPCError)
    case unreachable(SocketError)
    case disconnected(Disconnection)
    case timedOut
    case cancelled
    /// This connection has too many waiting calls.
    case tooManyCalls(limit: Int)

    public var description: String {
        switch self {
        case .refused(let error): error.message
        case .unreachable(let error): "passd cannot be reached: \(error)"
        case .disconnected(let reason): "the connection to passd was lost: \(reason)"
        case .timedOut: "passd did not answer in time"
        case .cancelled: "the call was cancelled"
        case .tooManyCalls(let limit): "more than \(limit) calls are waiting for an answer"
        }
    }
}

/// The reason why a client's connection ended.
public enum Disconnection: Error, Sendable, Equatable, CustomStringConvertible {
    case closedByUs
    case closedByDaemon
    /// The daemon refused the whole connection with this error.
    case refused(RPCError)
    case failed(errno: Int32)
    /// The daemon sent bytes that are not a message.
    case notUnderstood(String)
    /// More than `limit` notifications were unread.
    case notificationsUnread(limit: Int)
    /// The daemon does not read, and too much output is unsent.
    case outputOverflow(limit: Int)

    public var description: String {
        switch self {
        case .closedByUs: "closed by this program"
        case .closedByDaemon: "closed by the daemon"
        case .refused(let error): error.message
        case .failed(let errno): "\(SocketError(.system("socket"), errno))"
        case .notUnderstood(let reason): reason
        case .notificationsUnread(let limit): "\(limit) notifications were not read"
        case .outputOverflow(let limit): "the daemon does not read: more than \(limit) bytes are waiting"
        }
    }
}

/// The limits of a client's connection. Sizes are in bytes.
public struct ClientLimits: Sendable {
    public var messageSize = 64 << 20
    public var pendingCalls = 4096
    public var outputBuffer = 4 << 20
    public var notifications = 4096
    /// The limits for answers. No answer reaches them: the params of a call have at most 16384 values, and the answer has about
    /// ten values for each of these.
    public var json = JSONLimits(depth: 64, values: 1 << 18)

    public init() {}
}
