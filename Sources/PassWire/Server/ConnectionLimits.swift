// The limits of one connection. rpc.md §2; operations.md §2 [limits].

import Dispatch
import PassJSON
import PassProtocol

public struct ConnectionLimits: Sendable {
    /// `message-size`.
    public var messageSize = 1 << 20
    /// `pending-calls-per-session`.
    public var pendingCalls = 64
    /// More unread output than this closes the connection. In bytes.
    public var outputBuffer = 4 << 20
    /// Output of which nothing is read for this long closes the connection, too.
    public var stallTime = DispatchTimeInterval.seconds(60)
    /// While more output than this is unread, no further message is processed. In bytes.
    public var lowWater = 256 << 10
    /// How many bytes are read, and how many messages processed, in one turn before other connections have theirs.
    public var readSize = 64 << 10
    public var messagesPerTurn = 32
    /// After this long in one turn no further call begins, even of the same batch.
    public var turnTime = DispatchTimeInterval.milliseconds(1)
    /// How long a client has to read the remaining output before the connection closes.
    public var drainTime = DispatchTimeInterval.seconds(5)
    /// Fewer values than fit into the largest message, because their number determines the time, and no call needs
    /// more.
    public var json = JSONLimits(values: 16 << 10)

    /// An upper bound of the memory of a waiting call besides its params, mainly for the frames of its tasks.
    static let callSize = 40 << 10

    public init() {}

    /// The limits of a peer without a policy rule. It may ask who it is and what methods there are, which needs little.
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
