// The one owner of all mutable entitlement state: a global actor on one serial Dispatch queue. The sockets of the
// clients are served on the same queue, so a request is answered without changing threads, and the compiler checks that
// nothing else touches the state. The rules of the queue:
// - State of the engine, of sessions and of connections is read and written on this queue only, and nothing that blocks
//   runs on it.
// - Between two `await`s no other code of the queue runs. After an `await` anything may have changed, so code that
//   relies on the former state compares epochs, attempts or the phase again.
// - Timers and sources call back on this queue, and start a task if they have to wait for something. architecture.md
//   §3.

import Dispatch

@globalActor public actor EngineActor {
    public static let shared = EngineActor()
    /// The queue itself, for sources and timers that belong to the engine.
    public static let queue = {
        let queue = DispatchQueue(label: "passd.engine")
        queue.setSpecific(key: isEngine, value: true)
        return queue
    }()

    /// Marks the queue; libdispatch compares the address of the key.
    fileprivate static let isEngine = DispatchSpecificKey<Bool>()

    private static let executor = QueueExecutor(queue: queue)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    /// Runs `body` in code that is on the queue already, such as the handler of a source. It takes an escaping closure
    /// because the check for one that does not escape puts the length of this file's path into the program, which would
    /// then differ from place to place.
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
