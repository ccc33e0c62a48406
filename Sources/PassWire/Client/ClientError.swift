// Why a call of a client has no result.

import PassJSON
import PassProtocol

public enum ClientError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The daemon answered with an error.
    case refused(RPCError)
    case unreachable(SocketError)
    case disconnected(Disconnection)
    case timedOut
    case cancelled
    /// Too many calls of this connection are waiting.
    case tooManyCalls(limit: Int)

    public var description: String {
        switch self {
        case .refused(let error): error.message
        case .unreachable(let error): "passd cannot be reached: \(error)"
        case .disconnected(let reason): "the connection to passd is gone: \(reason)"
        case .timedOut: "passd did not answer in time"
        case .cancelled: "the call was cancelled"
        case .tooManyCalls(let limit): "more than \(limit) calls wait for an answer"
        }
    }
}

/// Why a client's connection ended.
public enum Disconnection: Error, Sendable, Equatable, CustomStringConvertible {
    case closedByUs
    case closedByDaemon
    /// The daemon refused the connection with this error.
    case refused(RPCError)
    case failed(errno: Int32)
    /// The daemon sent something that is not a message.
    case notUnderstood(String)
    /// More notifications were unread than this limit.
    case notificationsUnread(limit: Int)
    /// More output was unsent than this limit, because the daemon does not read.
    case outputOverflow(limit: Int)

    public var description: String {
        switch self {
        case .closedByUs: "closed by this program"
        case .closedByDaemon: "closed by the daemon"
        case .refused(let error): error.message
        case .failed(let errno): "\(SocketError(.system("socket"), errno))"
        case .notUnderstood(let reason): reason
        case .notificationsUnread(let limit): "\(limit) notifications were not read"
        case .outputOverflow(let limit): "the daemon does not read: more than \(limit) bytes wait for it"
        }
    }
}

public struct ClientLimits: Sendable {
    public var messageSize = 64 << 20
    public var pendingCalls = 4096
    public var outputBuffer = 4 << 20
    public var notifications = 4096
    public var json = JSONLimits(depth: 64, values: 4_000_000)

    public init() {}
}

/// A callback as it arrived; its params have not been checked.
public struct Notification: Sendable, Equatable {
    public let method: String
    public let params: JSONValue
}
