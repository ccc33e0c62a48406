// A serial queue as the executor of an actor. Everything that waits for the disk runs on it, so that no other queue
// does. Architecture §3.

import Dispatch

final class StorageExecutor: SerialExecutor {
    let queue: DispatchQueue

    init(_ label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
