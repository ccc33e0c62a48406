// The time and the outcome of the last exchange with the service. May be used from any thread.

import AccessEnabler
import Synchronization

final class ContactRecord: Sendable {
    private struct State {
        var contact = ServiceContact.never
        var breaker = CircuitBreaker()
        /// The state before the last answer, in case that answer turns out to be unusable.
        var former: (answer: BootTime?, breaker: CircuitBreaker) = (nil, CircuitBreaker())

        /// Records a failure. If the service was already failing, `since` stays, even if the reason was different.
        mutating func fail(_ trouble: ServiceTrouble, at now: BootTime, answered: BootTime?) {
            let start = if case .failing(_, let since, _, _) = contact { since } else { now }
            contact = .failing(trouble, since: start, last: now, answered: answered)
        }
    }

    private let state = Mutex(State())

    var contact: ServiceContact { state.withLock { $0.contact } }

    func letsRepeat(_ rank: CallRank) -> Bool { state.withLock { $0.breaker.letsRepeat(rank) } }

    func admits(_ rank: CallRank, at now: BootTime) -> Bool { state.withLock { $0.breaker.admits(rank, at: now) } }

    func reached(at now: BootTime) {
        state.withLock { state in
            state.former = (state.contact.lastAnswer, state.breaker)
            state.breaker.succeeded()
            if case .reachable(let since, _) = state.contact {
                state.contact = .reachable(since: since, last: now)
            } else {
                state.contact = .reachable(since: now, last: now)
            }
        }
    }

    func failed(_ trouble: ServiceTrouble, at now: BootTime) {
        state.withLock { state in
            state.breaker.failed(at: now)
            state.fail(trouble, at: now, answered: state.contact.lastAnswer)
        }
    }

    /// Counts the last answer as a failure, because an unusable answer may not be from the service. If the answer already
    /// counts as a failure, this method does not count it again, but replaces the reason.
    func wasUnusable(_ reason: String?, at now: BootTime) {
        state.withLock { state in
            var answered = state.contact.lastAnswer
            if case .reachable = state.contact {
                (answered, state.breaker) = state.former
                state.breaker.failed(at: now)
            }
            state.fail(ServiceTrouble(unusable: reason), at: now, answered: answered)
        }
    }
}

/// Holds back background requests while the service fails. After five failures in a row, one background request is sent every
/// half minute, as a probe. After a success of any request, all background requests are sent again. This type reads no clock:
/// times are passed in. Contract: rest-v2.md §15.
struct CircuitBreaker: Sendable {
    static let maxFailures = 5
    static let pause = Duration.seconds(30)

    private var failures = 0
    private var nextProbe: BootTime?

    /// Whether a request of this urgency may be sent now. After a probe is allowed, the next probe has to wait for half a
    /// minute.
    mutating func admits(_ rank: CallRank, at now: BootTime) -> Bool {
        guard rank == .background, let next = nextProbe else { return true }
        guard now >= next else { return false }
        nextProbe = now.advanced(by: Self.pause)
        return true
    }

    /// Whether a request of this urgency may be repeated now.
    func letsRepeat(_ rank: CallRank) -> Bool { rank != .background || nextProbe == nil }

    mutating func succeeded() { self = CircuitBreaker() }

    mutating func failed(at now: BootTime) {
        failures = min(failures + 1, Self.maxFailures)
        if failures == Self.maxFailures { nextProbe = now.advanced(by: Self.pause) }
    }
}

/// The date of the service, according to its answers. May be used from any thread.
final class ServiceTime: Sendable {
    private let clock: any EngineClock
    private let heard: @Sendable (ServerTime, BootTime) -> Void
    private let state = Mutex(ServerClock())

    init(_ clock: any EngineClock, _ heard: @escaping @Sendable (ServerTime, BootTime) -> Void) {
        self.clock = clock
        self.heard = heard
    }

    var now: ServerTime { state.withLock { $0.now(boot: clock.boot, wall: clock.wall) } }

    /// Learns from the `Date` header of an answer to a request that was sent at `asked`.
    func learn(_ response: HTTPResponse, asked: BootTime) {
        guard let milliseconds = response.date else { return }
        let date = ServerTime(milliseconds: milliseconds)
        state.withLock { $0.learn(date, asked: asked, boot: clock.boot, wall: clock.wall) }
        heard(date, asked)
    }
}
