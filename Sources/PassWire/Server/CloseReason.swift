// What the owner of a connection logs about it: its statistics, and why it ended.

import PassProtocol

public struct ConnectionStatistics: Sendable, Equatable {
    public var bytesReceived = 0
    public var requests = 0
    public var notifications = 0
    public var refusals = 0
    public var answers = 0
    public var callbacks = 0
    /// The largest amount of unread output, in bytes.
    public var highestOutput = 0
}

/// Why a connection ended.
public enum CloseReason: Sendable, Equatable, CustomStringConvertible {
    case peerClosed
    case failed(errno: Int32)
    case fault(FrameFault)
    /// The client does not read.
    case outputOverflow(limit: Int)
    /// The client has read nothing for `stallTime`.
    case outputStalled
    /// The connections of its owner together keep too much memory.
    case memoryExhausted(limit: Int)
    /// The owner refused a session; the client was sent this error.
    case refused(ErrorName)
    /// The owner closed it, for this reason.
    case requested(String)

    public var description: String {
        switch self {
        case .peerClosed: "the client closed the connection"
        case .failed(let errno): "\(SocketError(.system("socket"), errno))"
        case .fault(let fault): fault.description
        case .outputOverflow(let limit): "the client does not read: more than \(limit) bytes wait for it"
        case .outputStalled: "the client does not read: what waits for it stands still"
        case .memoryExhausted(let limit): "it would keep more than its part of \(limit) bytes in memory"
        case .refused(let name): "the session was refused: \(name.text)"
        case .requested(let reason): reason
        }
    }
}
