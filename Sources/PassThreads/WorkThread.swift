// A thread that does pieces of work in order, one at a time. It starts with the first piece. When this object is released, the
// thread ends after the last piece. May be used from any thread.

import Glibc

public final class WorkThread<Work: Sendable>: Sendable {
    private let inbox: Inbox<Work>

    public init(_ name: String, _ run: @escaping @Sendable (Work) -> Void) { inbox = Inbox(name, run) }

    deinit { inbox.end() }

    /// Adds a piece of work. Returns false if the system cannot start a thread. Then the work is kept, and the
    /// next call of `add` tries again.
    @discardableResult public func add(_ work: Work) -> Bool { inbox.add(work) }

    /// Whether the caller runs on this thread.
    public var isCurrent: Bool { inbox.isCurrent }
}

/// Shared by the `WorkThread` and its thread. Everything is used under the lock.
private final class Inbox<Work: Sendable>: @unchecked Sendable {
    private let name: String
    private let run: @Sendable (Work) -> Void
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let bell = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var works: [Work] = []
    private var hasThread = false
    private var thread: pthread_t?
    private var isEnding = false

    init(_ name: String, _ run: @escaping @Sendable (Work) -> Void) {
        self.name = name
        self.run = run
        lock.initialize(to: pthread_mutex_t())
        bell.initialize(to: pthread_cond_t())
        pthread_mutex_init(lock, nil)
        pthread_cond_init(bell, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        pthread_cond_destroy(bell)
        lock.deallocate()
        bell.deallocate()
    }

    private func withLock<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }

    func add(_ work: Work) -> Bool {
        withLock {
            works.append(work)
            if hasThread {
                pthread_cond_signal(bell)
            } else {
                hasThread = SystemThread.start(name) { self.work() }
            }
            return hasThread
        }
    }

    func end() {
        withLock {
            isEnding = true
            pthread_cond_signal(bell)
        }
    }

    var isCurrent: Bool { withLock { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }

    private func work() {
        withLock { thread = pthread_self() }
        var taken: [Work] = []
        while take(&taken) {
            taken.reverse()
            // Each piece is freed before the next one begins.
            while let work = taken.popLast() { run(work) }
            // The memory of a long queue is freed.
            if taken.capacity > 256 { taken = [] }
        }
    }

    /// Waits for work. Returns false if there will be no more work.
    private func take(_ taken: inout [Work]) -> Bool {
        withLock {
            while works.isEmpty {
                if isEnding { return false }
                pthread_cond_wait(bell, lock)
            }
            swap(&works, &taken)
            return true
        }
    }
}
