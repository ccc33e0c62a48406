// A connected socket on a serial queue. The stream delivers bytes while reading is turned on. It sends bytes through a buffer;
// the code that uses the stream has to limit the size of this buffer. Even if nothing is read or sent, the stream reports when
// the other side ends the connection. The queue's reactor watches the socket.
//
// All members are used on the queue; entry points check this. The reactor keeps the stream alive until it is closed. The
// descriptor is closed at the end of a turn, because nothing uses it at that time.

import Dispatch
import Glibc

final class SocketStream: WatchedSocket, @unchecked Sendable {
    enum End: Sendable, Equatable {
        /// The other side sends nothing more, but may still read.
        case halfClosed
        case closed
        case failed(Int32)
        /// The other side has read nothing for the time `stallTime`.
        case stalled
    }

    struct Handlers {
        /// Called with received bytes; the pointer is valid only during the call.
        var bytes: (UnsafeRawBufferPointer) -> Void
        /// Called once, when the other side has ended, failed or stalled. The handler decides what happens to the stream.
        var end: (End) -> Void
        /// Called when some output has left the buffer.
        var moved: () -> Void
        /// Called when the descriptor is closed.
        var closed: () -> Void
    }

    private let queue: DispatchQueue
    /// The max bytes of one read. The size of the reactor's buffer is a further limit.
    private let readSize: Int
    private var owner: ConnectionOwner
    /// The max time without progress of the output; nil means forever.
    private let stallTime: DispatchTimeInterval?
    private var isWatchingOutput = false
    private var wasStarted = false
    private(set) var isReading = false
    private var isWriting = false
    private var isFlushScheduled = false
    private(set) var isClosed = false
    private var handlers: Handlers?
    private var reactor: Reactor?
    private var output: [UInt8] = []
    private var sent = 0
    /// The bytes sent since the stream was opened. If output waits and this number stands still, the other side does not read.
    private var written: UInt64 = 0

    init(
        _ descriptor: consuming Descriptor, queue: DispatchQueue, readSize: Int,
        stallTime: DispatchTimeInterval? = nil, owner: ConnectionOwner = .user(0)
    ) {
        self.owner = owner
        self.queue = queue
        self.readSize = readSize
        self.stallTime = stallTime
        super.init(descriptor.release())
        let flags = fcntl(number, F_GETFL)
        if flags & O_NONBLOCK == 0 { _ = fcntl(number, F_SETFL, flags | O_NONBLOCK) }
    }

    deinit {
        // If the stream was never started, nothing else closes its descriptor.
        if !wasStarted, !isClosed { Glibc.close(number) }
    }

    var bufferedBytes: Int { output.count - sent }

    /// The memory of the output, in bytes.
    var keptBytes: Int { output.capacity }

    /// Lends the descriptor for the duration of the call.
    func lend(_ take: (Int32) -> Bool) -> Bool { !isClosed && take(number) }

    func start(_ handlers: Handlers) {
        dispatchPrecondition(condition: .onQueue(queue))
        self.handlers = handlers
        wasStarted = true
        isReading = true
        reactor = Reactor.on(queue)
        if reactor?.add(self, wanted: .input, share: .fair(owner)) == true { return }
        // The reactor had no descriptor or memory for the socket. This is reported after this call has returned, as all ends
        // are.
        queue.async { self.handlers?.end(.failed(ENOMEM)) }
    }

    override func becameReady(_ readiness: Reactor.Readiness) {
        if readiness.contains(.output) { flush() }
        guard !isClosed else { return }
        if isReading {
            if !readiness.isDisjoint(with: [.input, .hangup]) { receive(isHungUp: readiness.contains(.hungUp)) }
        } else if !readiness.isDisjoint(with: .hangup) {
            // The unread bytes are not needed. If the socket stayed in the epoll set, epoll would report the hangup again and
            // again.
            unwatch()
            handlers?.end(.failed(EPIPE))
        }
    }

    /// Gives the stream another owner. From now on, the stream's work waits for the turns of this owner.
    func move(to owner: ConnectionOwner) {
        dispatchPrecondition(condition: .onQueue(queue))
        self.owner = owner
        reactor?.move(self, to: owner)
    }

    private func watch() {
        var wanted: Reactor.Readiness = []
        if isReading { wanted.insert(.input) }
        if isWriting { wanted.insert(.output) }
        reactor?.change(self, wanted: wanted)
    }

    private func unwatch() { reactor?.remove(self) }

    /// Does the work in the owner's next turn.
    func later(_ work: @escaping @Sendable () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        if let reactor { reactor.later(owner, work) } else { queue.async(execute: work) }
    }

    // MARK: Input

    /// Turns delivery of bytes on or off.
    func setReading(_ wanted: Bool) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard wanted != isReading, !isClosed else { return }
        isReading = wanted
        watch()
    }

    /// Reads once. A second read in the same turn would delay other work on the queue.
    private func receive(isHungUp: Bool) {
        guard !isClosed, isReading, let buffer = reactor?.buffer else { return }
        let count = recv(number, buffer.baseAddress, min(readSize, buffer.count), Int32(MSG_DONTWAIT))
        if count > 0 {
            handlers?.bytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        } else if count == 0 {
            // The peer may have hung up after the event.
            end(isHungUp || hasHungUp() ? .closed : .halfClosed)
        } else if errno != EAGAIN, errno != EINTR {
            end(.failed(errno))
        }
    }

    private func end(_ end: End) {
        isReading = false
        handlers?.end(end)
        // This comes last, because most ends close the stream. A closed stream needs no change of the epoll set.
        if !isClosed, !isReading { watch() }
    }

    private func hasHungUp() -> Bool {
        var state = pollfd(fd: number, events: 0, revents: 0)
        return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLHUP) != 0
    }

    // MARK: Output

    func write(_ bytes: [UInt8]) { write { $0 += bytes } }

    /// Sends the bytes that `append` adds to the waiting output.
    func write(_ append: (inout [UInt8]) -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isClosed else { return }
        if output.capacity == 0 { output = takeSpare() }
        append(&output)
        guard !isFlushScheduled, !isWriting else { return }
        isFlushScheduled = true
        atEndOfTurn {
            self.isFlushScheduled = false
            self.flush()
        }
    }

    private func atEndOfTurn(_ work: @escaping @Sendable () -> Void) {
        if let reactor { reactor.atEndOfTurn(work) } else { queue.async(execute: work) }
    }

    /// Sends as much as the socket takes. The rest is sent when the socket takes more.
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
                return end(.failed(errno))
            }
        }
        let moved = bufferedBytes < before
        compact()
        setWriting(sent < output.count)
        if moved { handlers?.moved() }
    }

    /// Returns memory that no connection uses.
    func takeSpare() -> [UInt8] { reactor?.spares.take() ?? [] }

    func keepSpare(_ memory: consuming [UInt8]) { reactor?.spares.keep(memory) }

    private func compact() {
        if sent == output.count {
            // The buffer is moved to `done`, because a second reference to it would cause a copy.
            var done: [UInt8] = []
            swap(&done, &output)
            keepSpare(consume done)
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

    /// Reports a stall if no output leaves for `stallTime`. Runs only while output waits.
    private func watchOutput() {
        guard let stallTime, !isWatchingOutput else { return }
        isWatchingOutput = true
        let before = written
        queue.asyncAfter(deadline: .now() + stallTime) { [weak self] in
            guard let self else { return }
            isWatchingOutput = false
            guard !isClosed, isWriting else { return }
            if written == before { handlers?.end(.stalled) } else { watchOutput() }
        }
    }

    // MARK: End

    /// Whether the error only means that the other side is gone.
    static func meansGone(_ errno: Int32) -> Bool { errno == EPIPE || errno == ECONNRESET }

    /// Ends the output, and discards input until `bytes` or `time` is reached; then closes. During this time, a client that is
    /// still writing can read the reason of its refusal. If the socket were closed at once, this client would get a reset.
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
        // The descriptor is closed later, because a caller may still use it.
        atEndOfTurn { [self] in
            Glibc.close(number)
            let closed = handlers?.closed
            handlers = nil
            closed?()
        }
        reactor = nil
    }
}
