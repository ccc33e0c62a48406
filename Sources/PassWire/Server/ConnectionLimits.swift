// What one connection may cost. rpc.md §2; operations.md §2 [limits].

import Dispatch
import PassJSON
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
    /// No further call begins after so long in one turn, also where it came in the same batch.
    public var turnTime = DispatchTimeInterval.milliseconds(1)
    /// How long a client may take to read what was written before the end.
    public var drainTime = DispatchTimeInterval.seconds(5)
    /// Fewer values than a message of the greatest size could hold: it is the number of them that costs time, and no call
    /// has a use for more.
    public var json = JSONLimits(values: 16 << 10)

    /// What a call that waits keeps besides its params, at most: the frames of its tasks above all.
    static let callSize = 40 << 10

    public init() {}

    /// For a peer that no rule names: it may ask who it is and what there is, and needs little room for that.
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
