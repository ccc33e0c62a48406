// The daemon's side of one client's connection. It reads messages, passes calls to `onCall`, and writes answers and callbacks
// in the given order. All resources of a connection are limited (rpc.md §2, ConnectionLimits).
//
// All members are used on the engine's queue; entry points check this. A connection keeps itself alive from start() until it is
// closed.

public import Dispatch
import PassJSON
public import PassProtocol

public final class ServerConnection: @unchecked Sendable {
    enum State: Equatable {
        case open
        /// Nothing more is read, but pending calls are still answered.
        case finishing(CloseReason)
        /// Only the output in the buffer is still sent.
        case draining(CloseReason)
        case closed
    }

    public let queue: DispatchQueue
    private let sharedLimits: SharedLimits
    public internal(set) var statistics = ConnectionStatistics()
    public internal(set) var pendingCalls = 0
    var pendingBytes = 0
    /// The memory of answers in incomplete batches, in bytes.
    private var unfinishedBytes = 0
    private var account: MemoryAccount?
    /// The app's share of the owner's waiting calls. The calls of this connection count in this share.
    private(set) var share: CallShare?
    /// Whether reading is paused because the owner has no room for a further call.
    var isWaitingForRoom = false
    /// Whether the pause has ended, and the connection has not continued yet.
    var hasGotRoom = false
    /// The bytes of this connection that are charged to its owner's memory account.
    private var charged = 0

    let stream: SocketStream
    var reader: FrameReader
    var state = State.open
    /// The remaining calls of a batch. These calls come first in the next turn.
    var rest: BatchRest?
    var isTurnScheduled = false
    /// Whether waiting work of the queue has run since the connection reached the max number of pending calls. If so, further
    /// calls are refused.
    var hasWaited = false
    private var isDrainLimited = false
    /// The message of the call that `onCall` is getting now; nil at other times, and for a batch.
    var messageInHand: [UInt8]?
    /// The callbacks sent during this call of `onCall`. Nil if they are not collected.
    var notedCallbacks: [WrittenCallback]?
    var recall: ((UnsafeRawBufferPointer) -> KnownCall.Match?)?
    var onCall: ((Call) -> Void)?
    var onClose: ((ServerConnection, CloseReason) -> Void)?
    var onDescriptorClosed: (() -> Void)?

    public init(
        _ descriptor: consuming Descriptor, queue: DispatchQueue, limits shared: SharedLimits = .init(),
        framing: Framing? = nil, owner: ConnectionOwner = .user(0), account: MemoryAccount? = nil,
        share: CallShare? = nil
    ) {
        self.queue = queue
        sharedLimits = shared
        self.account = account
        self.share = share
        stream = SocketStream(
            descriptor, queue: queue, readSize: shared.limits.readSize,
            stallTime: shared.limits.stallTime, owner: owner)
        reader = FrameReader(limit: shared.limits.messageSize, framing: framing)
    }

    public var limits: ConnectionLimits { sharedLimits.limits }

    /// Starts serving. `onCall` is called for every call with a correct envelope. `onClose` is called once, at the end of the
    /// session. `onDescriptorClosed` is called when the descriptor is closed. If no call is pending, `recall` is called first,
    /// to look for a known answer.
    public func start(
        recall: ((UnsafeRawBufferPointer) -> KnownCall.Match?)? = nil,
        onCall: @escaping (Call) -> Void, onClose: @escaping (ServerConnection, CloseReason) -> Void,
        onDescriptorClosed: @escaping () -> Void = {}
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        self.recall = recall
        self.onCall = onCall
        self.onClose = onClose
        self.onDescriptorClosed = onDescriptorClosed
        stream.start(
            SocketStream.Handlers(
                bytes: { self.received($0) }, end: { self.inputEnded($0) }, moved: { self.outputMoved() },
                closed: { self.descriptorClosed() }))
    }

    public var isServing: Bool { onCall != nil }

    /// Transfers the connection to another owner. If this owner has no memory left, returns false and changes nothing.
    public func move(to owner: ConnectionOwner, _ next: MemoryAccount, _ nextShare: CallShare) -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        guard next.change(by: charged) else { return false }
        _ = account?.change(by: -charged)
        account = next
        count(in: nextShare)
        stream.move(to: owner)
        return true
    }

    /// Counts the calls of this connection for another app, including the waiting calls.
    public func count(in next: CallShare) {
        dispatchPrecondition(condition: .onQueue(queue))
        let former = share
        share = next
        next.take(pendingCalls)
        former?.giveBack(pendingCalls)
    }

    public var framing: Framing? { reader.framing }

    /// Hands the socket over to `take` and ends the connection. If the connection is not idle or `take` refuses, returns false
    /// and changes nothing.
    public func handOver(_ take: (Int32) -> Bool) -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        guard state == .open, pendingCalls == 0, rest == nil, !isTurnScheduled, reader.bufferedBytes == 0,
            !reader.isInsideMessage,
            stream.bufferedBytes == 0, stream.lend(take)
        else { return false }
        close(.requested("handed over"))
        return true
    }

    /// The bytes that the client has not read yet.
    public var backlog: Int { stream.bufferedBytes }

    /// Sends a callback, before the answers of all pending calls.
    public func notify(_ callback: Callback) {
        dispatchPrecondition(condition: .onQueue(queue))
        notedCallbacks?.append(WrittenCallback(callback))
        send { callback.write(by: &$0) }
    }

    /// Sends a callback that goes to many clients.
    public func notify(_ callback: WrittenCallback) {
        dispatchPrecondition(condition: .onQueue(queue))
        notedCallbacks?.append(callback)
        send { $0.append(callback.text) }
    }

    /// Stops reading, and closes the connection after the answers to the pending calls are written.
    public func finish(_ reason: CloseReason) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard state == .open else { return }
        state = .finishing(reason)
        stream.setReading(false)
        stream.flush()
        advanceEnd()
    }

    /// Drops pending calls, and closes the connection after the present output is written.
    public func drain(_ reason: CloseReason) {
        dispatchPrecondition(condition: .onQueue(queue))
        switch state {
        case .open, .finishing: state = .draining(reason)
        case .draining, .closed: return
        }
        rest = nil
        stream.setReading(false)
        stream.flush()
        advanceEnd()
    }

    /// Sends an error that belongs to no call, such as an exceeded quota of sessions, and ends the connection.
    public func refuse(_ error: RPCError) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard state == .open else { return }
        answer(.null, batch: nil, outcome: .failure(error))
        drain(.refused(error.name))
    }

    /// Closes without writing the remaining output.
    public func close(_ reason: CloseReason) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard report(reason) else { return }
        stream.close()
    }

    // MARK: Output

    private func send(_ message: (inout JSONWriter) -> Void) {
        sendFramed { output, framing in framing.append(message, to: &output) }
    }

    func send(known match: KnownCall.Match) {
        sendFramed { output, framing in match.call.write(to: match.id, in: framing, to: &output) }
    }

    private func sendFramed(_ write: (inout [UInt8], Framing) -> Void) {
        guard state != .closed else { return }
        if stream.bufferedBytes > limits.outputBuffer {
            stream.flush()
            guard stream.bufferedBytes <= limits.outputBuffer else {
                return close(.outputOverflow(limit: limits.outputBuffer))
            }
        }
        stream.write { output in write(&output, reader.framing ?? .line) }
        statistics.highestOutput = max(statistics.highestOutput, stream.bufferedBytes)
        settleAccount()
    }

    func complete(_ id: RequestID?, batch: Batch?, outcome: Result<CallResult, RPCError>, size: Int) {
        dispatchPrecondition(condition: .onQueue(queue))
        pendingCalls -= 1
        pendingBytes -= size
        if state == .closed { release(min(size, charged)) }
        answer(id, batch: batch, outcome: outcome)
        if case .finishing = state { advanceEnd() }
        share?.giveBack()
    }

    func answer(_ id: RequestID?, batch: Batch?, outcome: Result<CallResult, RPCError>) {
        guard let id else { return }
        switch state {
        case .open, .finishing: break
        case .draining, .closed: return
        }
        guard let batch else { return send { Response.write(outcome, to: id, by: &$0) } }
        let before = batch.size
        let answers = batch.add { Response.write(outcome, to: id, by: &$0) }
        unfinishedBytes += batch.size - before
        if let answers { send { $0.append(answers) } } else { settleAccount() }
    }

    private func outputMoved() {
        settleAccount()
        advanceEnd()
        if state == .open, !isTurnScheduled, !stream.isReading { resumeReading() }
    }

    /// Charges the account with the present memory. If this exceeds the limit, closes the connection.
    func settleAccount() {
        guard let account, state != .closed else { return }
        let kept = keptBytes
        guard kept != charged else { return }
        guard account.change(by: kept - charged) else { return close(.memoryExhausted(limit: account.limit)) }
        charged = kept
    }

    private func release(_ bytes: Int) {
        _ = account?.change(by: -bytes)
        charged -= bytes
    }

    /// The memory of incomplete messages, pending calls, incomplete batches with their answers, and unread output, in
    /// bytes.
    public var keptBytes: Int {
        reader.keptBytes + pendingBytes + (rest?.keptBytes ?? 0) + unfinishedBytes + stream.keptBytes
    }

    // MARK: End

    func advanceEnd() {
        switch state {
        case .finishing(let reason) where pendingCalls == 0 && rest == nil: end(reason)
        case .draining(let reason): end(reason)
        default: return
        }
    }

    private func end(_ reason: CloseReason) {
        guard stream.bufferedBytes == 0 else { return limitDraining(reason) }
        guard report(reason) else { return }
        switch reason {
        case .fault, .refused: stream.linger(upTo: 16 << 20, for: .seconds(1))
        default: stream.close()
        }
    }

    /// Limits the time for draining, because a client could otherwise keep its connection forever by not reading.
    private func limitDraining(_ reason: CloseReason) {
        guard !isDrainLimited else { return }
        isDrainLimited = true
        queue.asyncAfter(deadline: .now() + limits.drainTime) { [weak self] in self?.close(reason) }
    }

    /// Calls `onClose` and drops the closures. Returns false if `onClose` was already called.
    private func report(_ reason: CloseReason) -> Bool {
        guard state != .closed else { return false }
        state = .closed
        rest = nil
        if isWaitingForRoom { share?.forget(self) }
        // Pending calls stay charged until they are answered, even if the client is gone.
        release(charged - min(pendingBytes, charged))
        let closed = onClose
        onCall = nil
        onClose = nil
        recall = nil
        closed?(self, reason)
        return true
    }

    private func descriptorClosed() {
        let closed = onDescriptorClosed
        onDescriptorClosed = nil
        closed?()
    }
}
