// The resources that one connection may use. rpc.md §2; operations.md §2 [limits].

public import Dispatch
public import PassJSON
import PassProtocol

public struct ConnectionLimits: Sendable, Equatable {
    /// The setting `message-size`, in bytes.
    public var messageSize = 1 << 20
    /// The setting `pending-calls-per-session`.
    public var pendingCalls = 64
    /// The connection is closed if more bytes of output than this are unread.
    public var outputBuffer = 4 << 20
    /// The connection is closed if the client reads nothing for this long although output waits.
    public var stallTime = DispatchTimeInterval.seconds(60)
    /// No further message is taken while more bytes of output than this are unread.
    public var lowWater = 256 << 10
    /// The max bytes and messages that are read in one turn, so that a flooding client does not hold up the others.
    public var readSize = 64 << 10
    public var messagesPerTurn = 32
    /// No further call begins after this time in one turn, even if it came in the same batch.
    public var turnNanoseconds: UInt64 = 1_000_000
    /// How long a client may take to read the remaining output before its connection is closed.
    public var drainTime = DispatchTimeInterval.seconds(5)
    /// Fewer values than the largest message could hold, since each value costs time and no call needs more.
    public var json = JSONLimits(values: 16 << 10)

    /// The memory that a waiting call keeps besides its params, in bytes; mostly the frames of its tasks. One that is being
    /// carried out takes half as much again.
    static let callSize = 46 << 10

    public init() {}

    /// The limits for a peer that no rule names. It may only ask who it is and which methods there are, and needs
    /// little for that.
    public var forStranger: ConnectionLimits {
        var limits = self
        limits.messageSize = min(messageSize, 16 << 10)
        limits.pendingCalls = min(pendingCalls, 8)
        limits.outputBuffer = min(outputBuffer, 1 << 20)
        limits.lowWater = min(lowWater, 16 << 10)
        limits.readSize = min(readSize, 16 << 10)
        limits.messagesPerTurn = min(messagesPerTurn, 8)
        limits.stallTime = .seconds(10)
        limits.json.values = min(json.values, 256)
        return limits
    }
}

/// Limits that many connections have in common, kept once.
public final class SharedLimits: Sendable {
    public let limits: ConnectionLimits

    public init(_ limits: ConnectionLimits = ConnectionLimits()) { self.limits = limits }
}
