// One connected socket on one serial queue. It reads bytes while its owner wants them, writes through a buffer that its
// owner bounds, and reports the end of the other side in every state. The queue's reactor watches it.
//
// All of it is used on the queue only; every entry point checks that. The reactor keeps the stream alive until it is
// closed. The descriptor is closed in a turn of its own, when nothing is using it.

import Dispatch
import Glibc

final class SocketStream: @unchecked Sendable {
    enum End: Sendable, Equatable {
        /// The other side sends no more, but may still read.
        case halfClosed
        case closed
        case failed(Int32)
        /// The other side has read nothing for the time `patience`.
        case stalled
    }

    struct Handlers {
        /// Called with received bytes. The pointer is valid during the call only.
        var bytes: (UnsafeRawBufferPointer) -> Void
        /// Called once. The owner decides what happens to the stream.
        var end: (End) -> Void
        /// Called when some output has left the buffer.
        var moved: () -> Void
        /// Called when the descriptor has been closed.
        var closed: () -> Void
    }

    private let queue: DispatchQueue
    private let number: Int32
    private let readSize: Int
    private let owner: ConnectionOwner
    /// How long the other side may read nothing; nil means forever.
    private let patience: DispatchTimeInterval?
    private var isWatchingOutput = false
    private var handlers: Handlers?
    private var reactor: Reactor?
    private var token: Reactor.Token?
    private var wasStarted = false
    private(set) var isReading = false
    private var isWriting = false
    private var isFlushScheduled = false
    private(set) var isClosed = false
    private var output: [UInt8] = []
    private var sent = 0
    /// The number of bytes written since the start. It does not change while the reader is stalled.
    private var written: UInt64 = 0

    init(
        _ descriptor: consuming Descriptor, queue: DispatchQueue, readSize: Int,
        patience: DispatchTimeInterval? = nil, owner: ConnectionOwner = .user(0)
    ) {
        self.owner = owner
        number = descriptor.release()
        self.queue = queue
        self.readSize = readSize
        self.patience = patience
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    deinit {
        // A stream that was never started has to close its descriptor itself.
        if !wasStarted, !isClosed { Glibc.close(number) }
    }

    var bufferedBytes: Int { output.count - sent }

    /// The memory of the output buffer.
    var keptBytes: Int { output.capacity }

    /// Lends the descriptor for the duration of the call.
    func lend(_ take: (Int32) -> Bool) -> Bool { !isClosed && take(number) }

    func start(_ handlers: Handlers) {
        dispatchPrecondition(condition: .onQueue(queue))
        self.handlers = handlers
        wasStarted = true
        isReading = true
        reactor = Reactor.on(queue)
        token = reactor?.add(number, wanted: .input, of: owner) { self.ready($0) }
        guard token == nil else { return }
        // Without descriptors or memory the stream ends, and reports that in a turn of its own.
        queue.async { self.handlers?.end(.failed(ENOMEM)) }
    }

    private func ready(_ readiness: Reactor.Readiness) {
        if readiness.contains(.output) { flush() }
        guard !isClosed else { return }
        if isReading {
            if !readiness.isDisjoint(with: [.input, .hangup]) { receive() }
        } else if !readiness.isDisjoint(with: .hangup) {
            // The owner does not want the last bytes. Without this, the end would be reported again and again.
            unwatch()
            handlers?.end(.failed(EPIPE))
        }
    }

    private func watch() {
        guard let token else { return }
        var wanted: Reactor.Readiness = []
        if isReading { wanted.insert(.input) }
        if isWriting { wanted.insert(.output) }
        reactor?.change(token, number: number, wanted: wanted)
    }

    private func unwatch() {
        if let token { reactor?.remove(token, number) }
        token = nil
    }

    /// Does the work when it is the owner's turn again.
    func later(_ work: @escaping @Sendable () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        if let reactor { reactor.later(owner, work) } else { queue.async(execute: work) }
    }

    // MARK: Input

    /// Turns reading off while the owner wants no more bytes.
    func setReading(_ wanted: Bool) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard wanted != isReading, !isClosed else { return }
        isReading = wanted
        watch()
    }

    /// Reads once per turn, so that it does not starve others on the queue.
    private func receive() {
        guard !isClosed, isReading else { return }
        let end: End? = withUnsafeTemporaryAllocation(byteCount: readSize, alignment: 16) { buffer in
            let count = recv(number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                handlers?.bytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                return nil
            }
            if count == 0 { return hasHungUp() ? .closed : .halfClosed }
            return [EAGAIN, EINTR].contains(errno) ? nil : .failed(errno)
        }
        guard let end else { return }
        setReading(false)
        handlers?.end(end)
    }

    private func hasHungUp() -> Bool {
        var state = pollfd(fd: number, events: 0, revents: 0)
        return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLHUP) != 0
    }

    // MARK: Output

    func write(_ bytes: [UInt8]) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isClosed else { return }
        output.append(contentsOf: bytes)
        guard !isFlushScheduled, !isWriting else { return }
        isFlushScheduled = true
        queue.async {
            self.isFlushScheduled = false
            self.flush()
        }
    }

    /// Sends what the socket accepts; the rest waits until it accepts more.
    func flush() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isClosed, sent < output.count else { return }
        let before = bufferedBytes
        while sent < output.count {
            let count = output.withUnsafeBytes { bytes in
                send(
                    number, bytes.baseAddress.map { $0 + sent }, bytes.count - sent,
                    Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
                written += UInt64(count)
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                let reason = errno
                setReading(false)
                handlers?.end(.failed(reason))
                return
            }
        }
        let moved = bufferedBytes < before
        compact()
        setWriting(sent < output.count)
        if moved { handlers?.moved() }
    }

    private func compact() {
        if sent == output.count {
            output.removeAll(keepingCapacity: output.capacity <= 1 << 17)
            sent = 0
        } else if sent > 1 << 18 {
            output.removeFirst(sent)
            sent = 0
        }
    }

    private func setWriting(_ wanted: Bool) {
        guard wanted != isWriting, !isClosed else { return }
        isWriting = wanted
        watch()
        if wanted { watchOutput() }
    }

    /// Ends the stream if no output moves for the time `patience`. It runs only while the other side is slow.
    private func watchOutput() {
        guard let patience, !isWatchingOutput else { return }
        isWatchingOutput = true
        let before = written
        queue.asyncAfter(deadline: .now() + patience) { [weak self] in
            guard let self else { return }
            isWatchingOutput = false
            guard !isClosed, isWriting else { return }
            if written == before { handlers?.end(.stalled) } else { watchOutput() }
        }
    }

    // MARK: End

    /// Whether the error only means that the other side has gone.
    static func meansGone(_ errno: Int32) -> Bool { errno == EPIPE || errno == ECONNRESET }

    /// Shuts down the sending side, and discards what still arrives for a moment: a client that is writing when it is
    /// refused can then read the error instead of getting a connection reset.
    func linger(upTo bytes: Int, for time: DispatchTimeInterval) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isClosed else { return }
        shutdown(number, Int32(SHUT_WR))
        var left = bytes
        handlers?.bytes = { [unowned self] chunk in
            left -= chunk.count
            if left <= 0 { close() }
        }
        handlers?.end = { [unowned self] _ in close() }
        handlers?.moved = {}
        setReading(true)
        queue.asyncAfter(deadline: .now() + time) { [weak self] in self?.close() }
    }

    func close() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isClosed else { return }
        isClosed = true
        output = []
        sent = 0
        unwatch()
        reactor = nil
        // Deferred, because the caller may still be using the descriptor.
        queue.async { [self] in
            Glibc.close(number)
            let closed = handlers?.closed
            handlers = nil
            closed?()
        }
    }
}
