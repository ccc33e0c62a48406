// Identical questions in flight share one piece of work, and still nobody waits beyond its own deadline: the work looks
// as far ahead as the most patient of those who wait for it. Contract: rest-v2.md §15.

import AccessEnabler
import Synchronization

final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Share {
        let horizon: Horizon
        var holders = 0
    }

    private let flights = SingleFlight<Key, Value>()
    private let shares = Mutex<[Key: Share]>([:])
    private let patience: Patience
    private let abandonment: Patience.Abandonment

    init(_ patience: Patience, abandonment: Patience.Abandonment = .cancels) {
        self.patience = patience
        self.abandonment = abandonment
    }

    /// `dependent` is the horizon of work that waits for this work, if any does.
    func value(
        for key: Key, by deadline: BootTime, dependent: Horizon? = nil,
        _ work: @escaping @Sendable (Horizon) async throws -> Value
    ) async throws(BackendFault) -> Value {
        try await patience.value(by: deadline, join(key, deadline), abandonment: abandonment) { [self] horizon in
            if let dependent { horizon.add(dependent) }
            defer {
                if let dependent { horizon.remove(dependent) }
                leave(key)
            }
            do {
                return try await flights.value(for: key) { try await work(horizon) }
            } catch let fault as BackendFault where fault.kind == .deadline && patience.clock.boot < deadline {
                // The work had given up for others just before this caller came to extend its horizon.
                return try await flights.value(for: key) { try await work(horizon) }
            }
        }
    }

    /// How many keys are waited for.
    var shareCount: Int { shares.withLock { $0.count } }

    /// How many callers have joined, for whatever key.
    var waiterCount: Int { flights.waiterCount }

    private func join(_ key: Key, _ deadline: BootTime) -> Horizon {
        shares.withLock { shares in
            var share = shares[key] ?? Share(horizon: Horizon(deadline))
            share.holders += 1
            share.horizon.extend(to: deadline)
            shares[key] = share
            return share.horizon
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
