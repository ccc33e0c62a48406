// Limits the processor time and memory that the start spends on a file, which another program may have prepared. SQLite
// checks it while a statement runs, so that every statement ends. The time of a slow disk does not count. Used on the
// storage queue only. architecture.md §5.3.

import CSQLite
import Glibc

final class Patience {
    /// For the schema of a file, which SQLite reads with the first statement.
    static let schema = Duration.milliseconds(500)
    /// Many times what the largest store takes.
    static let examination = Duration.seconds(4)
    /// For salvaging the rest of a damaged store.
    static let salvage = Duration.seconds(2)
    /// In instructions of SQLite.
    static let interval: Int32 = 1000
    /// For the schema, the statements and the cached pages, in bytes.
    private static let maxMemory: Int64 = 48 << 20

    private var end: Duration

    init(_ limit: Duration) { end = Self.processorTime + limit }

    func renew(_ limit: Duration) { end = Self.processorTime + limit }

    var isOver: Bool { Self.processorTime > end || sqlite3_memory_used() > Self.maxMemory }

    /// Of this thread.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
