// Makes a `RequestBudget` awaitable: `let permit = try await gate.enter(urgency, deadline: …)`. May be used from any
// thread. The clock is a protocol, so that tests can set the time.

public import AccessEnabler
import Synchronization

/// A clock with one alarm. Times are durations since a fixed point, on a clock that also counts while the box sleeps.
public protocol BudgetClock: Sendable {
    var now: Duration { get }

    /// Calls `action` at that time or soon after, on any thread, but never within this call. A later call replaces an earlier
    /// call. Nil cancels the alarm.
    func wake(at moment: Duration?, _ action: @escaping @Sendable () -> Void)
}

public final class RequestGate: Sendable {
    private typealias Waiter = CheckedContinuation<RequestBudget.Permit, any Error>

    /// The ticket of one caller. Nil before the caller has a ticket.
    private final class Place: Sendable {
        let ticket = Mutex<RequestBudget.Ticket?>(nil)
    }

    private struct State {
        var budget: RequestBudget
        var waiters: [RequestBudget.Ticket: Waiter] = [:]
        var alarm: Duration?
    }

    private let clock: any BudgetClock
    private let state: Mutex<State>

    public init(_ settings: RequestBudget.Settings = .standard, clock: any BudgetClock) {
        self.clock = clock
        state = Mutex(State(budget: RequestBudget(settings, at: clock.now)))
    }

    var now: Duration { clock.now }

    public var load: ServiceLoad { state.withLock { $0.budget.load(at: clock.now) } }

    public var waiting: Int { state.withLock { $0.budget.waiting } }

    /// Waits until the caller may send one request. The wait gets shorter if the urgency rises. Throws
    /// `RequestBudget.Refusal`, or `CancellationError` if the task is cancelled.
    public func enter(
        _ urgency: Urgency, of owner: RequestOwner = .box, deadline: Duration
    ) async throws -> RequestBudget.Permit {
        // The place is read and written while the state is locked, so that a cancellation finds either no ticket or a complete
        // entry.
        let place = Place()
        let link = urgency.follow { [weak self] rank in self?.raise(place, to: rank) }
        defer { urgency.unfollow(link) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let refused: (waiter: Waiter, reason: any Error)? = state.withLock { state in
                    if Task.isCancelled { return (waiter, CancellationError()) }
                    guard
                        let (ticket, displaced) = state.budget.enter(
                            urgency.rank, of: owner, deadline: deadline)
                    else {
                        return (waiter, RequestBudget.Refusal.queueFull)
                    }
                    place.ticket.withLock { $0 = ticket }
                    state.waiters[ticket] = waiter
                    return displaced.flatMap { state.waiters.removeValue(forKey: $0) }
                        .map { ($0, RequestBudget.Refusal.queueFull) }
                }
                refused?.waiter.resume(throwing: refused?.reason ?? CancellationError())
                advance()
            }
        } onCancel: {
            let waiter: Waiter? = state.withLock { state in
                guard let ticket = place.ticket.withLock({ $0 }) else { return nil }
                state.budget.leave(ticket)
                return state.waiters.removeValue(forKey: ticket)
            }
            waiter?.resume(throwing: CancellationError())
            advance()
        }
    }

    private func raise(_ place: Place, to rank: CallRank) {
        let isWaiting = state.withLock { state in
            guard let ticket = place.ticket.withLock({ $0 }) else { return false }
            state.budget.raise(ticket, to: rank)
            return true
        }
        if isWaiting { advance() }
    }

    public func succeeded(_ permit: RequestBudget.Permit) { state.withLock { $0.budget.succeeded(permit) } }

    @discardableResult public func throttled(_ permit: RequestBudget.Permit) -> Bool {
        let isNews = state.withLock { $0.budget.throttled(permit, at: clock.now) }
        advance()
        return isNews
    }

    private func advance() {
        var due: [(Waiter, Result<RequestBudget.Permit, any Error>)] = []
        state.withLock { state in
            let now = clock.now
            for outcome in state.budget.advance(to: now) {
                switch outcome {
                case .granted(let ticket, let permit):
                    state.waiters.removeValue(forKey: ticket).map { due.append(($0, .success(permit))) }
                case .refused(let ticket, let refusal):
                    state.waiters.removeValue(forKey: ticket).map { due.append(($0, .failure(refusal))) }
                }
            }
            let alarm = state.budget.nextMoment(after: now)
            guard alarm != state.alarm else { return }
            state.alarm = alarm
            clock.wake(at: alarm) { [weak self] in self?.ring() }
        }
        for (waiter, result) in due { waiter.resume(with: result) }
    }

    private func ring() {
        state.withLock { $0.alarm = nil }
        advance()
    }
}
