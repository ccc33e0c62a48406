// A global actor on one serial Dispatch queue. It owns all mutable state of logins, and the compiler checks which code uses
// the state. The connections use the same queue, so a request is answered without a change of threads. The rules of the
// queue:
// - State of the engine, of sessions and of connections is read and written on this queue only.
// - No code on the queue blocks or takes long.
// - Between two `await`s no other code of the actor runs. After an `await` anything may have changed, so code that depends on
//   earlier state has to check the epoch, the attempt or the phase.
// - The handlers of timers and sources run on this queue. If a handler has to wait for something, it starts a task.
// architecture.md §3.

public import Dispatch
import Synchronization

@globalActor public actor EngineActor {
    public static let shared = EngineActor()
    /// The queue itself, for Dispatch sources and timers that belong to the engine.
    public static let queue = {
        let queue = DispatchQueue(label: "passd.engine")
        queue.setSpecific(key: isEngine, value: true)
        return queue
    }()

    /// Marks the queue, so that code can find out whether it runs on the queue.
    fileprivate static let isEngine = DispatchSpecificKey<Bool>()

    private static let executor = QueueExecutor(queue: queue)

    /// Runs tasks of the actor together with the work on sockets. See `EngineTurns`.
    public static let turns = EngineTurns(executor: executor)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    /// A number that grows each time before code runs that may change the actor's state. While the number is the same, earlier
    /// answers are still valid, unless they depend on the time.
    public static var revision: UInt64 { executor.revision }

    /// Notes a change. Code in `assumeReading` has to call this if it changes the state.
    public static func noteChange() { executor.revision &+= 1 }

    /// Runs code of the actor in a function that is already on the queue, such as a handler. If the function is not on the
    /// queue, the process stops.
    public static func assumeIsolated<R: Sendable, Failure: Error>(
        _ body: @escaping @EngineActor () throws(Failure) -> R
    ) throws(Failure) -> R {
        noteChange()
        return try assumeReading(body)
    }

    /// Does the same as `assumeIsolated`, for code that changes nothing or that calls `noteChange` itself. The closure is
    /// marked as escaping to keep builds reproducible. For a non-escaping closure, the compiler would put the length of this
    /// file's path into the program.
    public static func assumeReading<R: Sendable, Failure: Error>(
        _ body: @escaping @EngineActor () throws(Failure) -> R
    ) throws(Failure) -> R {
        dispatchPrecondition(condition: .onQueue(queue))
        return try unsafeBitCast(body, to: (() throws(Failure) -> R).self)()
    }

    /// Does the same as `assumeReading`, but without a check of the queue. Connections call this method in the turns of their
    /// reactor, and the reactor makes the check. The method is always inlined, because otherwise each type that it is used with
    /// would take extra memory.
    @inlinable @inline(__always)
    public static func uncheckedReading<Value, R>(_ body: @escaping @EngineActor (Value) -> R) -> (Value) -> R {
        unsafeBitCast(body, to: ((Value) -> R).self)
    }
}

/// Runs tasks of the actor in the turns of the sockets, because the queue would otherwise wake another thread. In a turn, the
/// reactor (`PassWire`) works for about a millisecond on the sockets that are ready. It also runs the tasks that became ready
/// during the turn or on other threads. Use this type on the queue only.
public struct EngineTurns: Sendable {
    fileprivate let executor: QueueExecutor

    /// From now on, tasks that become ready on other threads wait for a turn. `wake` has to cause a turn soon, and may be
    /// called on any thread. If `wake` is nil, the tasks go to the queue.
    public func wake(by wake: (@Sendable () -> Void)?) { executor.wake(by: wake) }

    /// Begins a turn. Until it ends, tasks that become ready on the queue wait for `runReady`.
    public func begin() { executor.begin() }

    /// Runs the waiting tasks, each up to its next suspension, until `isOver` returns true.
    public func runReady(until isOver: () -> Bool) { if executor.hasReady { executor.runReady(until: isOver) } }

    /// Ends the turn. Returns whether tasks are left for the next turn.
    public func end() -> Bool { executor.end() }
}

private final class QueueExecutor: SerialExecutor, @unchecked Sendable {
    /// Jobs from other threads.
    private struct Inbox {
        var jobs: [UnownedJob] = []
        var wake: (@Sendable () -> Void)?
    }

    private let queue: DispatchQueue
    private let inbox = Mutex(Inbox())
    // The properties below are used on the queue only.
    /// Whether jobs that become ready on the queue wait in `ready`.
    private var isInTurn = false
    /// Whether there will be another turn for the remaining jobs.
    private var hasTurns = false
    var revision: UInt64 = 0
    private var ready: [UnownedJob] = []

    init(queue: DispatchQueue) { self.queue = queue }

    var hasReady: Bool { !ready.isEmpty }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard !isOnQueue else { return isInTurn ? ready.append(job) : leave([job]) }
        let (wasEmpty, wake) = inbox.withLock { inbox in
            guard inbox.wake != nil else { return (false, inbox.wake) }
            inbox.jobs.append(job)
            return (inbox.jobs.count == 1, inbox.wake)
        }
        guard let wake else { return leave([job]) }
        if wasEmpty { wake() }
    }

    func wake(by wake: (@Sendable () -> Void)?) {
        hasTurns = wake != nil
        inbox.withLock { $0.wake = wake }
        // If there are no more turns, the waiting jobs go to the queue.
        guard wake == nil else { return }
        take()
        leaveReady()
    }

    func begin() {
        isInTurn = true
        take()
    }

    private func take() {
        inbox.withLock { inbox in
            guard !inbox.jobs.isEmpty else { return }
            ready += inbox.jobs
            inbox.jobs.removeAll(keepingCapacity: inbox.jobs.count <= 64)
        }
    }

    func runReady(until isOver: () -> Bool) {
        let jobs = ready
        ready.removeAll()
        for (index, job) in jobs.enumerated() {
            run(job)
            guard index + 1 < jobs.count, isOver() else { continue }
            return ready.insert(contentsOf: jobs[(index + 1)...], at: 0)
        }
    }

    private func run(_ job: UnownedJob) {
        revision &+= 1
        job.runSynchronously(on: asUnownedSerialExecutor())
    }

    func end() -> Bool {
        isInTurn = false
        if !hasTurns { leaveReady() }
        return !ready.isEmpty
    }

    private func leaveReady() {
        guard !ready.isEmpty else { return }
        leave(ready)
        ready.removeAll()
    }

    private func leave(_ jobs: [UnownedJob]) {
        queue.async { for job in jobs { self.run(job) } }
    }

    private var isOnQueue: Bool { DispatchQueue.getSpecific(key: EngineActor.isEngine) == true }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    /// Lets `Task.immediate` begin at once in a turn of the sockets. Such a turn runs on the queue, but not in a task.
    func isIsolatingCurrentContext() -> Bool? { isOnQueue }
}
