// A thread as the executor of an actor. Only this thread waits for the disk. architecture.md §3.

import PassThreads

final class StorageExecutor: SerialExecutor {
    private let thread: WorkThread<@Sendable () -> Void>

    init(_ name: String) { thread = WorkThread(name) { $0() } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        thread.add { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Runs work that belongs to no actor yet.
    func run(_ work: @escaping @Sendable () -> Void) { thread.add(work) }

    func checkIsolated() { precondition(thread.isCurrent, "not on the thread of the store") }
}
