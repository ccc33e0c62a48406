// The thread for Swift tasks that do not run on an actor with its own executor. Swift itself would put these tasks on a global
// Dispatch queue. The first use of a global queue starts a monitor of threads, which wakes the process every second, forever. A
// private Dispatch queue is not used either, because it would start threads on demand. docs/decisions/0022.

import CLinux
import PassThreads

public enum TaskQueue {
    private struct Job: @unchecked Sendable { let pointer: UnsafeMutableRawPointer }

    private static let thread = WorkThread<Job>("passd.tasks") { pass_run_task($0.pointer) }

    /// From now on, tasks without their own executor run on `thread`. Call this before the first task begins. The tasks run one
    /// at a time, so no task may block. Blocking work has its own threads.
    public static func install() {
        pass_enqueue_tasks_with { job in
            if let job { TaskQueue.thread.add(Job(pointer: job)) }
        }
    }
}
