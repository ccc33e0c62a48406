// Accepts connections on a Unix socket and hands them over. The kernel keeps all waiting clients in one line, which is
// therefore emptied fast: a turn accepts clients for a millisecond, asks for each one whether it is admitted, and
// closes the others. Admitted clients wait in the fair lines of the queue, beside the connected ones, for a turn of
// their owner.
//
// It survives a lack of descriptors: one is kept in reserve, and is used to accept a client and send it an error.
//
// It belongs to its queue, and entry points check that. It keeps itself alive from start() until stop().

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

    /// What triggers the next look for new clients.
    private enum Look { case source, nextTurn, laterOn }

    private static let neverStarted: Int32 = -2
    /// The kernel's limit of waiting clients. Further ones wait in `connect`, or it fails. A larger backlog would only
    /// make everybody wait longer: a flood fills any line, and it is not emptied any faster.
    public static let backlog: Int32 = 512
    private static let nanosecondsPerTurn: UInt64 = 1_000_000
    /// Reading the clock takes a good part of the time of an accept.
    private static let mostBetweenLooksAtTheClock = 8

    public let queue: DispatchQueue
    let system: ListenerSystem
    private let number: Int32
    private let socketFile: SocketFile?
    private var source: (any DispatchSourceRead)?
    private var reserve = Listener.neverStarted
    private var reactor: Reactor?
    private var look = Look.source
    private var isStopped = false
    private var admit: ((Int32) -> Admission)?
    private var onAccept: ((consuming Descriptor, ConnectionOwner) -> Void)?
    private var onTrouble: ((Trouble) -> Void)?
    private var onStopped: (() -> Void)?
    private var questions: [() -> Void] = []

    /// Takes ownership of a socket that is already listening, such as one from the service manager.
    public convenience init(_ descriptor: consuming Descriptor, queue: DispatchQueue) {
        self.init(descriptor, file: nil, queue: queue, system: ListenerSystem())
    }

    /// Binds to a path. A socket file that a dead process has left is replaced; one in use is not.
    public convenience init(
        path: String, mode: mode_t, group: gid_t? = nil, backlog: Int32 = Listener.backlog, queue: DispatchQueue
    ) throws(SocketError) {
        let (number, file) = try SocketFile.bind(path, mode: mode, group: group, backlog: backlog)
        self.init(Descriptor(adopting: number), file: file, queue: queue, system: ListenerSystem())
    }

    init(_ descriptor: consuming Descriptor, file: SocketFile?, queue: DispatchQueue, system: ListenerSystem) {
        number = descriptor.release()
        socketFile = file
        self.queue = queue
        self.system = system
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    /// `admit` is called for each new client at once, and must be fast; `onAccept` is called when it is the owner's
    /// turn.
    public func start(
        admit: @escaping (Int32) -> Admission = { _ in .enters(.user(0)) },
        onAccept: @escaping (consuming Descriptor, ConnectionOwner) -> Void,
        onTrouble: @escaping (Trouble) -> Void = { _ in }
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        self.admit = admit
        self.onAccept = onAccept
        self.onTrouble = onTrouble
        reserve = system.openReserve()
        // Keeps the connections' reactor alive while the socket listens, even without connections.
        reactor = Reactor.on(queue)
        let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        source.setEventHandler { self.acceptSome() }
        source.setCancelHandler { self.ended() }
        self.source = source
        source.resume()
    }

    /// Stops accepting, and removes the socket's file if it is still ours.
    public func stop(onStopped: @escaping () -> Void = {}) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isStopped, let source else { return }
        isStopped = true
        self.onStopped = onStopped
        socketFile?.remove()
        source.cancel()
        if look != .source { source.resume() }
    }

    /// Calls `answer` when the listener is responsive: at once if no client waits, otherwise after the next round of
    /// accepting.
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
        admit = nil
        onAccept = nil
        onTrouble = nil
        questions = []
        onStopped?()
        onStopped = nil
    }

    /// Accepts for a bounded time per turn, so that a flood of new clients does not starve the connected ones.
    private func acceptSome() {
        let asked = questions
        questions = []
        for answer in asked { answer() }
        let end = DispatchTime.now().uptimeNanoseconds &+ Self.nanosecondsPerTurn
        repeat {
            for _ in 0..<Self.mostBetweenLooksAtTheClock where !isStopped {
                switch system.accept(number) {
                case .accepted(let client): take(client)
                case .none: return look(with: .source)
                case .again: continue
                case .exhausted(let errno): return turnAway(errno)
                case .failed(let errno):
                    onTrouble?(.failed(errno: errno))
                    return pause()
                }
            }
        } while !isStopped && DispatchTime.now().uptimeNanoseconds < end
        continueLater()
    }

    private func take(_ client: Int32) {
        switch admit?(client) {
        case .enters(let owner):
            guard let reactor else { return enter(client, owner) }
            reactor.letIn(owner) { [weak self] in
                guard let self else {
                    Glibc.close(client)
                    return
                }
                enter(client, owner)
            }
        case .refused(let reason):
            reason?.tell(client)
            Glibc.close(client)
        case nil: Glibc.close(client)
        }
    }

    private func enter(_ client: Int32, _ owner: ConnectionOwner) {
        let client = Descriptor(adopting: client)
        // If the listener has been stopped meanwhile, the client is closed.
        if !isStopped { onAccept?(client, owner) }
    }

    /// More clients are waiting; other work of the queue comes first. The source is not used, because it would have to
    /// be armed anew each time.
    private func continueLater() {
        guard !isStopped else { return }
        look(with: .nextTurn)
        queue.async {
            guard self.look == .nextTurn, !self.isStopped else { return }
            self.acceptSome()
        }
    }

    private func look(with next: Look) {
        guard !isStopped, let source else { return }
        switch (look == .source, next == .source) {
        case (true, false): source.suspend()
        case (false, true): source.resume()
        default: break
        }
        look = next
    }

    private func turnAway(_ reason: Int32) {
        var count = 0
        while reserve >= 0, count < 16 {
            Glibc.close(reserve)
            reserve = -1
            if case .accepted(let client) = system.accept(number) {
                count += 1
                Self.full.tell(client)
                Glibc.close(client)
            } else {
                reserve = system.openReserve()
                break
            }
            reserve = system.openReserve()
        }
        onTrouble?(.exhausted(errno: reason, turnedAway: count))
        if count == 0 { pause() } else { continueLater() }
    }

    private static let full = RefusalLine(
        RPCError(
            .limit, "The daemon is out of descriptors.", remedy: "Try again later.", action: .retry,
            details: ["limit": "descriptors"]))

    /// Waits for a while; the kernel keeps the waiting clients meanwhile.
    private func pause() {
        guard !isStopped else { return }
        look(with: .laterOn)
        queue.asyncAfter(deadline: .now() + system.pause) { [weak self] in
            guard let self, look == .laterOn, !isStopped else { return }
            if reserve < 0 { reserve = system.openReserve() }
            look(with: .source)
        }
    }
}
