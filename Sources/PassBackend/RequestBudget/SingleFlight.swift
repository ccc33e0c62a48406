// Joins identical calls that are under way: the work is done once, and each caller gets the result. Contract:
// rest-v2.md §15, dcr.md §5 item 3. A caller that is cancelled does not affect the others; when the last one is gone,
// the work is cancelled. It may be used from any thread.

import Synchronization

public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value, any Error>

    private struct Flight {
        let number: UInt64
        var task: Task<Void, Never>?
        var waiters: [UInt64: Waiter] = [:]
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var numbers: UInt64 = 0

        mutating func number() -> UInt64 {
            numbers += 1
            return numbers
        }
    }

    private let state = Mutex(State())

    public init() {}

    /// How many pieces of work are under way.
    public var count: Int { state.withLock { $0.flights.count } }

    /// How many callers wait, for all keys together.
    var waiterCount: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters.count } } }

    /// How many callers wait for this key.
    func waiters(for key: Key) -> Int { state.withLock { $0.flights[key]?.waiters.count ?? 0 } }

    /// Returns the result of the work that is under way for this key, or starts this one. Throws what the work throws,
    /// or `CancellationError` as soon as the caller's own task is cancelled.
    public func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let me = state.withLock { $0.number() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let isJoined = state.withLock { state in
                    guard !Task.isCancelled else { return false }
                    var flight = state.flights[key] ?? Flight(number: state.number())
                    flight.waiters[me] = waiter
                    if flight.task == nil { flight.task = start(key, number: flight.number, work: work) }
                    state.flights[key] = flight
                    return true
                }
                if !isJoined { waiter.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            leave(key, me)
        }
    }

    private func start(
        _ key: Key, number: UInt64, work: @escaping @Sendable () async throws -> Value
    ) -> Task<Void, Never> {
        Task {
            let outcome: Result<Value, any Error>
            do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            land(key, number: number, outcome: outcome)
        }
    }

    private func land(_ key: Key, number: UInt64, outcome: Result<Value, any Error>) {
        let flight = state.withLock { state in
            state.flights[key]?.number == number ? state.flights.removeValue(forKey: key) : nil
        }
        for waiter in flight?.waiters.values ?? [:].values { waiter.resume(with: outcome) }
    }

    private func leave(_ key: Key, _ me: UInt64) {
        let (waiter, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.flights[key]?.waiters.removeValue(forKey: me) else { return (nil, nil) }
            guard state.flights[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.flights.removeValue(forKey: key)?.task)
        }
        waiter?.resume(throwing: CancellationError())
        abandoned?.cancel()
    }
}
