// Owns all mutable state of logins: a global actor on one serial Dispatch queue. The sources of the connections use the
// same queue, so a request is answered without a change of threads, and the compiler checks what touches the state. The
// rules of the queue:
// - State of the engine, of sessions and of connections is read and written on this queue only.
// - Nothing that blocks, and nothing that takes long, runs on it.
// - Between two `await`s no other code of the actor runs. After an `await` anything may have changed, so code that
//   depends on earlier state compares epochs, attempts or the phase again.
// - Timers and sources call back on this queue, and start a task if they have to wait for something.
// architecture.md §3.

import Dispatch

@globalActor public actor EngineActor {
    public static let shared = EngineActor()
    /// The queue itself, for Dispatch sources and timers that belong to the engine.
    public static let queue = {
        let queue = DispatchQueue(label: "passd.engine")
        queue.setSpecific(key: isEngine, value: true)
        return queue
    }()

    /// Marks the queue, so that code can find out whether it runs there.
    fileprivate static let isEngine = DispatchSpecificKey<Bool>()

    private static let executor = QueueExecutor(queue: queue)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    /// Runs code of the actor in a function that is on the queue already, such as a source's handler. Stops the process
    /// if it is not. The closure is escaping although it need not be: the compiler's check of a non-escaping one would
    /// put the length of this file's path into the program, and builds would differ with their directory.
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

    /// Lets `Task.immediate` begin at once in a source's handler, which runs on the queue but in no task.
    func isIsolatingCurrentContext() -> Bool? { DispatchQueue.getSpecific(key: EngineActor.isEngine) == true }
}
