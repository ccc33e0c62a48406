// Limits the processor time and memory for reading the store's file at the start, because another program may have made a file
// that wastes them. SQLite checks the limit while a statement runs, so that every statement ends. Time spent waiting for a slow
// disk does not count. Used on the storage queue only. architecture.md §5.3.

import CSQLite
import Glibc

final class ProcessorTimeLimit {
    /// The time for the schema of a file. SQLite reads the schema with the first statement.
    static let schema = Duration.milliseconds(500)
    /// The time for the examination. The largest store takes only a small part of this time.
    static let examination = Duration.seconds(4)
    /// The time for reading what is left of a damaged store.
    static let salvage = Duration.seconds(2)
    /// The interval of the checks, in instructions of SQLite.
    static let interval: Int32 = 1000
    /// The memory for the schema, the statements and the cached pages, in bytes.
    private static let maxMemory: Int64 = 48 << 20

    private var end: Duration

    init(_ limit: Duration) { end = Self.processorTime + limit }

    func renew(_ limit: Duration) { end = Self.processorTime + limit }

    var isOver: Bool { Self.processorTime > end || sqlite3_memory_used() > Self.maxMemory }

    /// The processor time of this thread.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
