// The one owner of all mutable entitlement state: a global actor on one serial Dispatch queue, the same that the
// connections' sources target. A request is answered without a thread hop, and the compiler checks who may touch
// what. The rules of the queue:
// - State of the engine, of sessions and of connections is read and written on this queue only, and nothing that blocks
//   runs on it.
// - Between two `await`s nobody else runs. After an `await` anything may have changed: who needs to know compares
//   epochs, attempts or the phase again.
// - Timers and sources call back on this queue, and begin a task if they have something to wait for.
// Architecture §3.

import Dispatch

@globalActor public actor EngineActor {
    public static let shared = EngineActor()
    /// The queue itself, for sources and timers that belong to the engine.
    public static let queue = {
        let queue = DispatchQueue(label: "passd.engine")
        queue.setSpecific(key: isEngine, value: true)
        return queue
    }()

    /// Only a name; libdispatch compares its address.
    fileprivate static let isEngine = DispatchSpecificKey<Bool>()

    private static let executor = QueueExecutor(queue: queue)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    /// For code that runs on the queue already, such as a source's handler. It takes an escaping closure because the
    /// check for one that does not escape puts the length of this file's path into the program, which would then differ
    /// from place to place.
    public static func assumeIsolated<R: Sendable, Failure: Error>(
        _ body: @escaping @EngineActor () throws(Failure) -> R
    ) throws(Failure) -> R {
        dispatchPrecondition(condition: .onQueue(queue))
        return try unsafeBitCast(body, to: (() throws(Failure) -> R).self)()
    }
}

private final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(queue: DispatchQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    /// So that `Task.immediate` begins at once in a source's handler, where no task says where it is.
    func isIsolatingCurrentContext() -> Bool? { DispatchQueue.getSpecific(key: EngineActor.isEngine) == true }
}
