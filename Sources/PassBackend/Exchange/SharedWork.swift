// Runs work for callers. Each caller waits at most until its own deadline, even if the work ignores its cancellation.
// Identical questions in flight share one piece of work. The work has the latest deadline and the highest urgency of its
// callers. May be used from any thread. Contract: rest-v2.md §15, dcr.md §5 item 3.

import AccessEnabler
import Synchronization

final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight {
        /// The time limit of the work. The time limit also identifies the work: later work for the same key has another time
        /// limit.
        let timeLimit: TimeLimit
        let task: Task<Void, Never>
        var waits: [Wait<Value>]
    }

    private let flights = Mutex<[Key: Flight]>([:])
    private let clock: any EngineClock
    private let outlivesCallers: Bool

    /// Work without callers is cancelled, unless `outlivesCallers` is true.
    init(_ clock: any EngineClock, outlivesCallers: Bool = false) {
        self.clock = clock
        self.outlivesCallers = outlivesCallers
    }

    var count: Int { flights.withLock { $0.count } }

    /// The number of waiting callers, for all keys.
    var waiterCount: Int { flights.withLock { $0.values.reduce(0) { $0 + $1.waits.count } } }

    /// Returns the outcome of the work that is under way for this key. Begins `work` if none is under way. `dependent`
    /// is the time limit of other work that waits for this work.
    func value(
        for key: Key, by deadline: BootTime, _ urgency: Urgency, dependent: TimeLimit? = nil,
        _ work: @escaping @Sendable (TimeLimit) async throws -> Value
    ) async throws(BackendFault) -> Value {
        let (outcome, isJoined) = await outcome(of: key, by: deadline, urgency, dependent, work)
        if isJoined, case .failure(let fault) = outcome, fault.isAboutTime, clock.boot < deadline {
            // The work begins again, because it reached the time limit of other callers just before this caller could extend
            // the limit.
            return try await self.outcome(of: key, by: deadline, urgency, dependent, work).outcome.get()
        }
        return try outcome.get()
    }

    private func outcome(
        of key: Key, by deadline: BootTime, _ urgency: Urgency, _ dependent: TimeLimit?,
        _ work: @escaping @Sendable (TimeLimit) async throws -> Value
    ) async -> (outcome: Result<Value, BackendFault>, isJoined: Bool) {
        guard clock.boot < deadline else { return (.failure(BackendFault(.deadline)), false) }
        guard !Task.isCancelled else { return (.failure(BackendFault(.cancelled)), false) }
        let wait = Wait<Value>()
        let (timeLimit, isJoined) = join(key, wait, deadline, urgency, work)
        if let dependent { timeLimit.add(dependent) }
        let link = urgency.follow { timeLimit.urgency.raise(to: $0) }
        let alarm = clock.alarm(at: deadline) { wait.end(.failure(timeLimit.exhausted)) }
        let outcome = await wait.outcome()
        alarm.cancel()
        urgency.unfollow(link)
        if let dependent { timeLimit.remove(dependent) }
        leave(key, wait, timeLimit)
        return (outcome, isJoined)
    }

    private func join(
        _ key: Key, _ wait: Wait<Value>, _ deadline: BootTime, _ urgency: Urgency,
        _ work: @escaping @Sendable (TimeLimit) async throws -> Value
    ) -> (TimeLimit, isJoined: Bool) {
        flights.withLock { flights in
            if let flight = flights[key] {
                flight.timeLimit.extend(to: deadline)
                flights[key]?.waits.append(wait)
                return (flight.timeLimit, true)
            }
            let timeLimit = TimeLimit(deadline, Urgency(urgency.rank))
            let task = Task {
                do { land(key, timeLimit, .success(try await work(timeLimit))) } catch {
                    land(key, timeLimit, .failure(BackendFault(describing: error)))
                }
            }
            flights[key] = Flight(timeLimit: timeLimit, task: task, waits: [wait])
            return (timeLimit, false)
        }
    }

    private func land(_ key: Key, _ timeLimit: TimeLimit, _ outcome: Result<Value, BackendFault>) {
        let flight = flights.withLock { flights in
            flights[key]?.timeLimit === timeLimit ? flights.removeValue(forKey: key) : nil
        }
        for wait in flight?.waits ?? [] { wait.end(outcome) }
    }

    private func leave(_ key: Key, _ wait: Wait<Value>, _ timeLimit: TimeLimit) {
        let abandoned: Flight? = flights.withLock { flights in
            guard flights[key]?.timeLimit === timeLimit else { return nil }
            flights[key]?.waits.removeAll { $0 === wait }
            let isWanted = outlivesCallers || flights[key]?.waits.isEmpty == false
            return isWanted ? nil : flights.removeValue(forKey: key)
        }
        abandoned?.task.cancel()
    }
}

extension BackendFault {
    /// Whether the deadline passed before the service answered, or before the box could send the request.
    fileprivate var isAboutTime: Bool { kind == .deadline || kind == .overloaded && retryAfter != nil }
}

extension EngineClock {
    /// Runs work for one caller. No other caller can join the work.
    func alone<Value: Sendable>(
        until deadline: BootTime, _ urgency: Urgency, outlivesCaller: Bool = false,
        _ work: @escaping @Sendable (TimeLimit) async throws -> Value
    ) async throws(BackendFault) -> Value {
        try await SharedWork<Bool, Value>(self, outlivesCallers: outlivesCaller).value(
            for: true, by: deadline, urgency, work)
    }

    /// Waits for this time. Throws as soon as the task is cancelled.
    func pause(for duration: Duration) async throws(BackendFault) {
        let wait = Wait<Void>()
        let alarm = alarm(at: boot.advanced(by: duration)) { wait.end(.success(())) }
        defer { alarm.cancel() }
        try await wait.outcome().get()
    }
}

/// One task waits here for one outcome. The first outcome counts, and later outcomes are ignored. The outcome may come
/// before the task begins to wait.
private final class Wait<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, BackendFault>

    private enum State {
        case open
        case awaited(CheckedContinuation<Outcome, Never>)
        case over(Outcome)
    }

    private let state = Mutex(State.open)

    /// The outcome is `.cancelled` if the caller's task is cancelled.
    func outcome() async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let outcome: Outcome? = state.withLock { state in
                    if case .over(let outcome) = state { return outcome }
                    state = .awaited(waiter)
                    return nil
                }
                if let outcome { waiter.resume(returning: outcome) }
            }
        } onCancel: {
            end(.failure(BackendFault(.cancelled)))
        }
    }

    func end(_ outcome: Outcome) {
        let waiter: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            let former = state
            if case .over = former { return nil }
            state = .over(outcome)
            if case .awaited(let waiter) = former { return waiter }
            return nil
        }
        waiter?.resume(returning: outcome)
    }
}

/// The deadline and the urgency of a piece of work: the latest deadline and the highest urgency of its callers. The
/// work and its callers share the time limit. May be used from any thread.
final class TimeLimit: Sendable {
    /// What the work waits for. If the work times out, this is the reason.
    enum Awaited: Sendable {
        case theService
        /// The moment at which the box may send the next request of this work.
        case itsTurn
        /// The end of the pause that the service asked for with a 429.
        case theEndOfAPause
    }

    private struct State {
        var deadline: BootTime
        var waitsFor = Awaited.theService
        /// The time limits of other work that waits for this work.
        var dependents: [TimeLimit] = []
    }

    let urgency: Urgency
    private let state: Mutex<State>

    init(_ deadline: BootTime, _ urgency: Urgency) {
        self.urgency = urgency
        state = Mutex(State(deadline: deadline))
    }

    var deadline: BootTime { state.withLock { $0.deadline } }

    func extend(to deadline: BootTime) { state.withLock { $0.deadline = max($0.deadline, deadline) } }

    /// What this work waits for. A new value is passed on to other work that waits for this work.
    var waitsFor: Awaited {
        get { state.withLock { $0.waitsFor } }
        set {
            let dependents = state.withLock { state in
                state.waitsFor = newValue
                return state.dependents
            }
            for dependent in dependents { dependent.waitsFor = newValue }
        }
    }

    func add(_ dependent: TimeLimit) {
        let wait = state.withLock { state in
            state.dependents.append(dependent)
            return state.waitsFor
        }
        dependent.waitsFor = wait
    }

    func remove(_ dependent: TimeLimit) { state.withLock { $0.dependents.removeAll { $0 === dependent } } }

    var exhausted: BackendFault {
        switch waitsFor {
        case .theService: BackendFault(.deadline)
        case .itsTurn: BackendFault(.overloaded, retryAfter: .seconds(2))
        case .theEndOfAPause: .throttled
        }
    }
}

extension BackendFault {
    /// The fault if the service asks for a pause, which lasts at least a second. Contract: rest-v2.md §15.
    static var throttled: BackendFault { BackendFault(.throttled, retryAfter: .seconds(1)) }
}
