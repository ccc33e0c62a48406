// The limits on the resources of one connection. rpc.md §2; operations.md §2 [limits].

public import Dispatch
public import PassJSON
import PassProtocol

public struct ConnectionLimits: Sendable, Equatable {
    /// The setting `message-size`, in bytes.
    public var messageSize = 1 << 20
    /// The setting `pending-calls-per-session`.
    public var pendingCalls = 64
    /// The max unread output, in bytes. Beyond it, the connection is closed.
    public var outputBuffer = 4 << 20
    /// If a client reads no waiting output for this time, the connection is closed.
    public var stallTime = DispatchTimeInterval.seconds(60)
    /// The low-water mark of the output, in bytes. While more output is unread, passd takes no further message from the client.
    public var lowWater = 256 << 10
    /// The max bytes and messages of a client in one turn. With these limits, a client that sends very much does not delay the
    /// others.
    public var readSize = 64 << 10
    public var messagesPerTurn = 32
    /// After this time, no further call of this client begins in the same turn. The calls of a batch have the same limit.
    public var turnNanoseconds: UInt64 = 1_000_000
    /// At the end of a connection, the client has this time to read the remaining output.
    public var drainTime = DispatchTimeInterval.seconds(5)
    /// The limits for JSON. The largest message has room for more values, but each value costs time, and no call needs more.
    public var json = JSONLimits(values: 16 << 10)

    /// The memory of a waiting call without its params, in bytes. Most of this memory is used by the frames of the call's
    /// tasks. A running call takes one and a half times as much.
    static let callSize = 46 << 10

    public init() {}

    /// The limits for a stranger. They are small, because a stranger may ask only for its own identity and for the list of
    /// methods.
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

/// Limits that many connections share, stored once.
public final class SharedLimits: Sendable {
    public let limits: ConnectionLimits

    public init(_ limits: ConnectionLimits = ConnectionLimits()) { self.limits = limits }
}
