// One connected socket on one serial queue: bytes in while its owner wants them, bytes out through a buffer that its owner
// bounds, and word of the other side's end in every state. The queue's reactor watches it.
//
// Everything here belongs to the queue; every entry point checks it. The reactor keeps the stream alive until it is
// closed, and the descriptor is closed in a turn of its own, when nothing is using it.

import Dispatch
import Glibc

final class SocketStream: @unchecked Sendable {
    enum End: Sendable, Equatable {
        /// The other side sends no more; it may still read.
        case halfClosed
        case closed
        case failed(Int32)
        /// The other side has read nothing for so long.
        case stalled
    }

    struct Handlers {
        /// Bytes that came; the pointer is good for the call only.
        var bytes: (UnsafeRawBufferPointer) -> Void
        /// Once; the owner decides what becomes of the stream.
        var end: (End) -> Void
        /// Some output left the buffer.
        var moved: () -> Void
        /// The descriptor is closed.
        var closed: () -> Void
    }

    private let queue: DispatchQueue
    private let number: Int32
    private let readSize: Int
    private let owner: ConnectionOwner
    /// Nil: for ever.
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
    /// Bytes written since the stream was opened; a stalled reader is one for whom this stands still.
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
        // Never started: nobody else would do it.
        if !wasStarted, !isClosed { Glibc.close(number) }
    }

    var bufferedBytes: Int { output.count - sent }

    /// The memory that is taken for output.
    var keptBytes: Int { output.capacity }

    /// The descriptor, for as long as the call takes.
    func lend(_ take: (Int32) -> Bool) -> Bool { !isClosed && take(number) }

    func start(_ handlers: Handlers) {
        dispatchPrecondition(condition: .onQueue(queue))
        self.handlers = handlers
        wasStarted = true
        isReading = true
        reactor = Reactor.on(queue)
        token = reactor?.add(number, wanted: .input, of: owner) { self.ready($0) }
        guard token == nil else { return }
        // Out of descriptors or memory: an end like any other, told in a turn of its own.
        queue.async { self.handlers?.end(.failed(ENOMEM)) }
    }

    private func ready(_ readiness: Reactor.Readiness) {
        if readiness.contains(.output) { flush() }
        guard !isClosed else { return }
        if isReading {
            if !readiness.isDisjoint(with: [.input, .hangup]) { receive() }
        } else if !readiness.isDisjoint(with: .hangup) {
            // Nobody wants its last bytes. It would be told again and again.
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

    /// When it is the owner's turn again.
    func later(_ work: @escaping @Sendable () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        if let reactor { reactor.later(owner, work) } else { queue.async(execute: work) }
    }

    // MARK: In

    /// Off while the owner wants no more bytes.
    func setReading(_ wanted: Bool) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard wanted != isReading, !isClosed else { return }
        isReading = wanted
        watch()
    }

    /// One read a turn: nobody starves the others on the queue.
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

    // MARK: Out

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

    /// Sends what the socket takes; the rest waits until it takes more.
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

    /// Output that stands still for so long is read by nobody. Looked at only while the other side is slow.
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

    /// Errors that only say that the other side is gone.
    static func meansGone(_ errno: Int32) -> Bool { errno == EPIPE || errno == ECONNRESET }

    /// Says that nothing more will be sent, and drops what still comes for a moment: a client that is writing when it
    /// is refused can then read why, instead of hearing of a reset.
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
        // Not in the middle of whatever led here.
        queue.async { [self] in
            Glibc.close(number)
            let closed = handlers?.closed
            handlers = nil
            closed?()
        }
    }
}
