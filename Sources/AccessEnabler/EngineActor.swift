// Owns all mutable entitlement state: a global actor on one serial Dispatch queue, which the sources of connections
// also target. A request is answered without a thread hop, and the compiler checks the isolation. The rules of the
// queue:
// - State of the engine, of sessions and of connections is read and written on this queue only, and nothing that blocks
//   runs on it.
// - Between two `await`s no other code runs on it. After an `await` anything may have changed, so code that depends on
//   earlier state compares epochs, attempts or the phase again.
// - Timers and sources call back on this queue, and start a task if they have to wait for something.
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

    /// Marks the queue. libdispatch uses the address of this object as the key.
    fileprivate static let isEngine = DispatchSpecificKey<Bool>()

    private static let executor = QueueExecutor(queue: queue)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    /// Runs `body` as code of this actor; the caller must already be on the queue, for example in a source's handler.
    /// `body` is escaping because the check of a non-escaping closure would put the length of this file's path into the
    /// program, and builds in different directories would then differ.
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

    /// Lets `Task.immediate` start at once in a source's handler, which runs on the queue but outside of any task.
    func isIsolatingCurrentContext() -> Bool? { DispatchQueue.getSpecific(key: EngineActor.isEngine) == true }
}
