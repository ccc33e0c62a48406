// Lets identical questions in flight share one piece of work, while each caller keeps its own deadline. The work may
// take as long as the most patient of its callers, and is as urgent as the most urgent one. Contract: rest-v2.md §15.

import AccessEnabler
import Synchronization

final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    struct Share {
        let timeLimit: TimeLimit
        var holders = 0
    }

    private let flights = SingleFlight<Key, Value>()
    let shares = Mutex<[Key: Share]>([:])
    private let timedWait: TimedWait
    private let abandonment: TimedWait.Abandonment

    init(_ timedWait: TimedWait, abandonment: TimedWait.Abandonment = .cancels) {
        self.timedWait = timedWait
        self.abandonment = abandonment
    }

    /// `dependent` is the time limit of other work that waits for this work, if there is any.
    func value(
        for key: Key, by deadline: BootTime, _ urgency: Urgency, dependent: TimeLimit? = nil,
        _ work: @escaping @Sendable (TimeLimit) async throws -> Value
    ) async throws(BackendFault) -> Value {
        try await timedWait.value(by: deadline, join(key, deadline), abandonment: abandonment) { [self] timeLimit in
            if let dependent { timeLimit.add(dependent) }
            let link = urgency.follow { timeLimit.urgency.raise(to: $0) }
            defer {
                urgency.unfollow(link)
                if let dependent { timeLimit.remove(dependent) }
                leave(key)
            }
            do {
                return try await flights.value(for: key) { try await work(timeLimit) }
            } catch let fault as BackendFault where fault.isAboutTime && timedWait.clock.boot < deadline {
                // The work gave up for other callers just before this one could extend its time limit.
                return try await flights.value(for: key) { try await work(timeLimit) }
            }
        }
    }

    /// The number of callers that wait, for any key.
    var waiterCount: Int { flights.waiterCount }

    private func join(_ key: Key, _ deadline: BootTime) -> TimeLimit {
        shares.withLock { shares in
            var share = shares[key] ?? Share(timeLimit: TimeLimit(deadline, Urgency(.background)))
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

extension BackendFault {
    /// Whether the time of the call was over, before it had an answer or its turn.
    fileprivate var isAboutTime: Bool { kind == .deadline || kind == .overloaded && retryAfter != nil }
}
