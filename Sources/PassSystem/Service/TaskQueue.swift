// The queue of tasks that belong to no actor with an executor of its own. Swift would put them on a global Dispatch
// queue. The first use of such a queue starts a monitor of its threads, and from then on that wakes the process every
// second, for ever. A private queue has no such monitor.

import CLinux
import Dispatch

public enum TaskQueue {
    private static let queue = DispatchQueue(label: "passd.tasks")

    /// To be called before the first task begins. The tasks run one at a time, so none may block: what blocks
    /// has a queue of its own.
    public static func install() {
        pass_enqueue_tasks_with { job in
            guard let job else { return }
            nonisolated(unsafe) let next = job
            TaskQueue.queue.async { pass_run_task(next) }
        }
    }
}
