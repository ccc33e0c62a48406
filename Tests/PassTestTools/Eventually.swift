// Waits of tests: they wait for a condition, never for a time. The deadlines only ensure that a failing test also ends.

import Glibc
public import Testing

/// Returns as soon as the condition holds. Records an issue if it does not hold within a minute.
public func eventually(
    _ comment: Comment? = nil, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column, _ fact: @Sendable () async -> Bool
) async {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if await fact() { return }
        await Task.yield()
    }
    let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    Issue.record(comment ?? "it never became true", sourceLocation: place)
}

/// Blocks until the condition holds or the time is up, and returns whether it holds. For conditions of other processes.
public func becomesTrue(within seconds: Double = 30, _ fact: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    repeat {
        if try fact() { return true }
        var pause = timespec(tv_sec: 0, tv_nsec: 2_000_000)
        nanosleep(&pause, nil)
    } while ContinuousClock.now < end
    return false
}
