// One connected socket on one serial queue: bytes in by a read source, bytes out by a bounded-by-its-owner buffer and
// a write source that exists only while the other side is slow.
//
// Everything here belongs to the queue; every entry point checks it. libdispatch's rules on Linux are kept in this one
// place: sources are made and cancelled on the queue only, never released while suspended, and the descriptor is
// closed in the last cancel handler and nowhere else. The sources keep the stream alive until it is closed.

import Dispatch
import Glibc

final class SocketStream: @unchecked Sendable {
    enum End: Sendable, Equatable {
        /// The other side sends no more; it may still read.
        case halfClosed
        case closed
        case failed(Int32)
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
    private var handlers: Handlers?
    private var readSource: (any DispatchSourceRead)?
    private var writeSource: (any DispatchSourceWrite)?
    private var openSources = 0
    private var wasStarted = false
    private(set) var isReading = false
    private var isReadScheduled = false
    private var isWatching = false
    private var isWriting = false
    private var isFlushScheduled = false
    private(set) var isClosed = false
    private var output: [UInt8] = []
    private var sent = 0

    init(_ descriptor: consuming Descriptor, queue: DispatchQueue, readSize: Int) {
        number = descriptor.release()
        self.queue = queue
        self.readSize = readSize
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    deinit {
        // Never started: there is no cancel handler that would do it.
        if !wasStarted { Glibc.close(number) }
    }

    var bufferedBytes: Int { output.count - sent }

    func start(_ handlers: Handlers) {
        dispatchPrecondition(condition: .onQueue(queue))
        self.handlers = handlers
        wasStarted = true
        let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        source.setEventHandler { self.receive() }
        source.setCancelHandler { self.sourceEnded() }
        readSource = source
        openSources = 1
        isReading = true
        source.resume()
    }

    // MARK: In

    /// Off while the owner wants no more bytes.
    func setReading(_ wanted: Bool) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let readSource, wanted != isReading, !isClosed else { return }
        isReading = wanted
        if wanted {
            readSource.resume()
            readOnAfterHangup()
        } else {
            readSource.suspend()
            watchForHangup()
        }
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
        guard let end else { return readOnAfterHangup() }
        setReading(false)
        handlers?.end(end)
    }

    /// When the other side is gone, libdispatch tells the source once and then never again, whatever is left to read;
    /// from there on the turns are our own.
    private func readOnAfterHangup() {
        guard isReading, !isClosed, !isReadScheduled, hasHungUp() else { return }
        isReadScheduled = true
        queue.async {
            self.isReadScheduled = false
            self.receive()
        }
    }

    private func hasHungUp() -> Bool {
        var state = pollfd(fd: number, events: 0, revents: 0)
        return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLHUP) != 0
    }

    private var isStalled: Bool { !isReading || isWriting }

    /// While nothing is read, or the other side takes nothing, no source tells reliably that it is gone. Then, and
    /// only then, it is looked at once a second.
    private func watchForHangup() {
        guard !isWatching, !isClosed, isStalled else { return }
        isWatching = true
        queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
            guard let self else { return }
            isWatching = false
            guard !isClosed, isStalled else { return }
            if hasHungUp() { handlers?.end(.failed(EPIPE)) } else { watchForHangup() }
        }
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

    /// Sends what the socket takes; the rest waits for the write source.
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
        if let writeSource {
            if wanted { writeSource.resume() } else { writeSource.suspend() }
        } else {
            let source = DispatchSource.makeWriteSource(fileDescriptor: number, queue: queue)
            source.setEventHandler { self.flush() }
            source.setCancelHandler { self.sourceEnded() }
            writeSource = source
            openSources += 1
            source.resume()
        }
        if wanted { watchForHangup() }
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
        readSource?.cancel()
        writeSource?.cancel()
        if !isReading { readSource?.resume() }
        if !isWriting { writeSource?.resume() }
    }

    private func sourceEnded() {
        openSources -= 1
        guard openSources == 0 else { return }
        Glibc.close(number)
        readSource = nil
        writeSource = nil
        let closed = handlers?.closed
        handlers = nil
        closed?()
    }
}
