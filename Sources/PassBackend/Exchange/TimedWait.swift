// Waits for work until it is done, the deadline passes or the caller is cancelled, whichever comes first, however the
// work reacts.

import AccessEnabler
import Synchronization

struct TimedWait: Sendable {
    enum Abandonment {
        /// The work is cancelled when its caller no longer waits.
        case cancels
        /// The work runs to its end.
        case leavesAlone
    }

    let clock: any EngineClock

    /// `timeLimit` is evaluated only when the work starts.
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

    /// Returns false at once if the pause would exceed the time limit.
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

/// One waiter and one outcome. The first outcome counts, whether it comes before the waiter or after.
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
