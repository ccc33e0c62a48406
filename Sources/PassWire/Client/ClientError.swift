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
    /// Too many calls of this connection wait already.
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

/// Why a client's connection ended.
public enum Disconnection: Error, Sendable, Equatable, CustomStringConvertible {
    case closedByUs
    case closedByDaemon
    /// The daemon said why it takes no call of this connection.
    case refused(RPCError)
    case failed(errno: Int32)
    /// The daemon sent what is no message.
    case notUnderstood(String)
    /// The reader of the notifications fell behind by that many.
    case notificationsUnread(limit: Int)
    /// The daemon does not read.
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

public struct ClientLimits: Sendable {
    public var messageSize = 64 << 20
    public var pendingCalls = 4096
    public var outputBuffer = 4 << 20
    public var notifications = 4096
    public var json = JSONLimits(depth: 64, values: 4_000_000)

    public init() {}
}

/// A callback as it came, before anybody looked at its params.
public struct Notification: Sendable, Equatable {
    public let method: String
    public let params: JSONValue
}
