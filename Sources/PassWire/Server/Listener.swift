// Accepts connections on a Unix socket and hands them over. It survives the lack of descriptors: one is kept in
// reserve, given up to accept a client and tell it so, and taken back.
//
// It belongs to its queue; entry points check it. It keeps itself alive from start() until stop().

import Dispatch
import Glibc
import PassProtocol

public final class Listener: @unchecked Sendable {
    /// For the owner's log.
    public enum Trouble: Sendable, Equatable {
        /// Clients were turned away for the lack of descriptors or memory.
        case exhausted(errno: Int32, turnedAway: Int)
        case failed(errno: Int32)
    }

    private static let neverStarted: Int32 = -2

    public let queue: DispatchQueue
    let system: ListenerSystem
    private let number: Int32
    private let socketFile: SocketFile?
    private var source: (any DispatchSourceRead)?
    private var reserve = Listener.neverStarted
    private var reactor: Reactor?
    private var isPaused = false
    private var isStopped = false
    private var onAccept: ((consuming Descriptor) -> Void)?
    private var onTrouble: ((Trouble) -> Void)?
    private var onStopped: (() -> Void)?
    private var questions: [() -> Void] = []

    /// Takes over a socket that listens already, such as one from the service manager.
    public convenience init(_ descriptor: consuming Descriptor, queue: DispatchQueue) {
        self.init(descriptor, nil, queue, ListenerSystem())
    }

    /// Binds a path. A file that a dead process left is replaced; one that is served is not.
    public convenience init(
        path: String, mode: mode_t, group: gid_t? = nil, backlog: Int32 = 512, queue: DispatchQueue
    ) throws(SocketError) {
        let (number, file) = try SocketFile.bind(path, mode: mode, group: group, backlog: backlog)
        self.init(Descriptor(adopting: number), file, queue, ListenerSystem())
    }

    init(_ descriptor: consuming Descriptor, _ file: SocketFile?, _ queue: DispatchQueue, _ system: ListenerSystem) {
        number = descriptor.release()
        socketFile = file
        self.queue = queue
        self.system = system
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    public func start(
        onAccept: @escaping (consuming Descriptor) -> Void, onTrouble: @escaping (Trouble) -> Void = { _ in }
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        self.onAccept = onAccept
        self.onTrouble = onTrouble
        reserve = system.openReserve()
        // While somebody listens the connections' reactor stays, however few there are.
        reactor = Reactor.on(queue)
        let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        source.setEventHandler { self.acceptSome() }
        source.setCancelHandler { self.ended() }
        self.source = source
        source.resume()
    }

    /// Accepts no more and removes the socket's file if it is still ours.
    public func stop(onStopped: @escaping () -> Void = {}) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isStopped, let source else { return }
        isStopped = true
        self.onStopped = onStopped
        socketFile?.remove()
        source.cancel()
        if isPaused { source.resume() }
    }

    /// Answers when the way in is open: at once if nobody waits there, else with the next look at who does.
    public func ask(_ answer: @escaping () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        var waiting = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        guard !isStopped, poll(&waiting, 1, 0) > 0 else { return answer() }
        questions.append(answer)
    }

    deinit {
        guard reserve == Self.neverStarted else { return }
        Glibc.close(number)
        socketFile?.remove()
    }

    private func ended() {
        Glibc.close(number)
        if reserve >= 0 { Glibc.close(reserve) }
        source = nil
        reactor = nil
        onAccept = nil
        onTrouble = nil
        questions = []
        onStopped?()
        onStopped = nil
    }

    /// A few each turn: a flood of new clients does not starve the connected ones.
    private func acceptSome() {
        let asked = questions
        questions = []
        for answer in asked { answer() }
        for _ in 0..<16 where !isStopped {
            switch system.accept(number) {
            case .accepted(let client): onAccept?(Descriptor(adopting: client))
            case .none: return
            case .again: continue
            case .exhausted(let errno): return turnAway(errno)
            case .failed(let errno):
                onTrouble?(.failed(errno: errno))
                return pause()
            }
        }
    }

    private func turnAway(_ reason: Int32) {
        var count = 0
        while reserve >= 0, count < 16 {
            Glibc.close(reserve)
            reserve = -1
            if case .accepted(let client) = system.accept(number) {
                count += 1
                Self.sayFull(client)
                Glibc.close(client)
            } else {
                reserve = system.openReserve()
                break
            }
            reserve = system.openReserve()
        }
        onTrouble?(.exhausted(errno: reason, turnedAway: count))
        if count == 0 { pause() }
    }

    private static func sayFull(_ client: Int32) {
        let error = RPCError(
            .limit, "The daemon is out of descriptors.", remedy: "Try again later.", action: .retry,
            details: ["limit": "descriptors"])
        let line = Framing.line.frame(JSONWriter.bytes(Response(id: .null, outcome: .failure(error)).json))
        _ = line.withUnsafeBytes {
            send(client, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
    }

    /// Where waiting is all that helps: the queue of the kernel keeps the clients meanwhile.
    private func pause() {
        guard !isPaused, !isStopped, let source else { return }
        isPaused = true
        source.suspend()
        queue.asyncAfter(deadline: .now() + system.pause) { [weak self] in
            guard let self, isPaused, !isStopped else { return }
            isPaused = false
            if reserve < 0 { reserve = system.openReserve() }
            self.source?.resume()
        }
    }
}
