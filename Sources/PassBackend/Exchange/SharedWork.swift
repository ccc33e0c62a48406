// Joins identical questions that are under way, while no caller waits beyond its own deadline: the work may run until
// the latest deadline of its callers. Contract: rest-v2.md §15.

import AccessEnabler
import Synchronization

final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Share {
        let timeLimit: TimeLimit
        var holders = 0
    }

    private let flights = SingleFlight<Key, Value>()
    private let shares = Mutex<[Key: Share]>([:])
    private let timedWait: TimedWait
    private let abandonment: TimedWait.Abandonment

    init(_ timedWait: TimedWait, abandonment: TimedWait.Abandonment = .cancels) {
        self.timedWait = timedWait
        self.abandonment = abandonment
    }

    /// `dependent` is the time limit of other work that waits for this, if any.
    func value(
        for key: Key, by deadline: BootTime, dependent: TimeLimit? = nil,
        _ work: @escaping @Sendable (TimeLimit) async throws -> Value
    ) async throws(BackendFault) -> Value {
        try await timedWait.value(by: deadline, join(key, deadline), abandonment: abandonment) { [self] timeLimit in
            if let dependent { timeLimit.add(dependent) }
            defer {
                if let dependent { timeLimit.remove(dependent) }
                leave(key)
            }
            do {
                return try await flights.value(for: key) { try await work(timeLimit) }
            } catch let fault as BackendFault where fault.kind == .deadline && timedWait.clock.boot < deadline {
                // The work ran out of time just before this caller extended its time limit.
                return try await flights.value(for: key) { try await work(timeLimit) }
            }
        }
    }

    /// How many keys are waited for.
    var shareCount: Int { shares.withLock { $0.count } }

    /// How many callers have joined, for all keys together.
    var waiterCount: Int { flights.waiterCount }

    private func join(_ key: Key, _ deadline: BootTime) -> TimeLimit {
        shares.withLock { shares in
            var share = shares[key] ?? Share(timeLimit: TimeLimit(deadline))
            share.holders += 1
            share.timeLimit.extend(to: deadline)
            shares[key] = share
            return share.timeLimit
        }
    }

    private func leave(_ key: Key) {
        shares.withLock { shares in
            guard var share = shares[key] else { return }
            share.holders -= 1
            shares[key] = share.holders > 0 ? share : nil
        }
    }
}
