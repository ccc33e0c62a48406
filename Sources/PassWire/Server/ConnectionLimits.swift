// What one connection may cost. rpc.md §2; operations.md §2 [limits].

import Dispatch
import PassProtocol

public struct ConnectionLimits: Sendable {
    /// `message-size`.
    public var messageSize = 1 << 20
    /// `pending-calls-per-session`.
    public var pendingCalls = 64
    /// Unread output beyond this closes the connection.
    public var outputBuffer = 4 << 20
    /// Output that stands still for so long closes it too.
    public var stallTime = DispatchTimeInterval.seconds(60)
    /// Above it no further message is taken.
    public var lowWater = 256 << 10
    /// Bytes in one turn, and messages in one turn: what a flooding client gets before the others.
    public var readSize = 64 << 10
    public var messagesPerTurn = 32
    /// How long a client may take to read what was written before the end.
    public var drainTime = DispatchTimeInterval.seconds(5)
    public var json = JSONLimits()

    public init() {}
}

public struct ConnectionStatistics: Sendable, Equatable {
    public var bytesReceived = 0
    public var requests = 0
    public var notifications = 0
    public var refusals = 0
    public var answers = 0
    public var callbacks = 0
    /// The most that ever waited to be read by the other side.
    public var highestOutput = 0
}

/// Why a connection ended; the owner logs it.
public enum CloseReason: Sendable, Equatable, CustomStringConvertible {
    case peerClosed
    case failed(errno: Int32)
    case fault(FrameFault)
    /// The client does not read.
    case outputOverflow(limit: Int)
    /// It has read nothing for `stallTime`.
    case outputStalled
    /// The owner took no session; the client was told this error.
    case refused(ErrorName)
    /// The owner's own reason.
    case requested(String)

    public var description: String {
        switch self {
        case .peerClosed: "the client closed the connection"
        case .failed(let errno): "\(SocketError(.system("socket"), errno))"
        case .fault(let fault): fault.description
        case .outputOverflow(let limit): "the client does not read: more than \(limit) bytes wait for it"
        case .outputStalled: "the client does not read: what waits for it stands still"
        case .refused(let name): "the session was refused: \(name.text)"
        case .requested(let reason): reason
        }
    }
}
