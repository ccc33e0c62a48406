// Waiting with an end: work is awaited until it is done, until the deadline, or until the caller goes away, whichever
// comes first, and whatever the work itself does about it.

import AccessEnabler
import Synchronization

struct TimedWait: Sendable {
    enum Abandonment {
        /// What nobody waits for any more is cancelled.
        case cancels
        /// The work goes on to its own end.
        case leavesAlone
    }

    let clock: any EngineClock

    /// The timeLimit is asked for when, and only when, the work is begun with it.
    func value<Value: Sendable>(
        by deadline: BootTime, _ timeLimit: @autoclosure () -> TimeLimit, abandonment: Abandonment = .cancels,
        _ work: @escaping @Sendable (TimeLimit) async throws -> Value
    ) async throws(BackendFault) -> Value {
        guard clock.boot < deadline else { throw BackendFault(.deadline) }
        guard !Task.isCancelled else { throw BackendFault(.cancelled) }
        let wait = Wait<Value>()
        let timeLimit = timeLimit()
        let task = Task {
            do { wait.end(.success(try await work(timeLimit))) } catch {
                wait.end(.failure(BackendFault(describing: error)))
            }
        }
        let alarm = Alarm(clock, at: deadline) { wait.end(.failure(timeLimit.exhausted)) }
        let outcome = await withTaskCancellationHandler {
            await wait.outcome()
        } onCancel: {
            wait.end(.failure(BackendFault(.cancelled)))
        }
        alarm.callOff()
        if abandonment == .cancels { task.cancel() }
        return try outcome.get()
    }

    /// False, and at once, if the pause would be longer than the timeLimit is far.
    func pause(_ duration: Duration, _ timeLimit: TimeLimit) async throws(BackendFault) -> Bool {
        let end = clock.boot.advanced(by: duration)
        guard end < timeLimit.deadline else { return false }
        let wait = Wait<Void>()
        let alarm = Alarm(clock, at: end) { wait.end(.success(())) }
        let outcome = await withTaskCancellationHandler {
            await wait.outcome()
        } onCancel: {
            wait.end(.failure(BackendFault(.cancelled)))
        }
        alarm.callOff()
        try outcome.get()
        return true
    }
}

/// One waiter and one outcome: the first counts, whether it comes before the waiter or after.
private final class Wait<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, BackendFault>

    private enum State {
        case open
        case awaited(CheckedContinuation<Outcome, Never>)
        case over(Outcome)
    }

    private let state = Mutex(State.open)

    func outcome() async -> Outcome {
        await withCheckedContinuation { waiter in
            let outcome: Outcome? = state.withLock { state in
                if case .over(let outcome) = state { return outcome }
                state = .awaited(waiter)
                return nil
            }
            if let outcome { waiter.resume(returning: outcome) }
        }
    }

    func end(_ outcome: Outcome) {
        let waiter: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            switch state {
            case .over: return nil
            case .open:
                state = .over(outcome)
                return nil
            case .awaited(let waiter):
                state = .over(outcome)
                return waiter
            }
        }
        waiter?.resume(returning: outcome)
    }
}
