// Tests the request budget as a timeline of pure states.

import AccessEnabler
import Testing

@testable import PassBackend

@Suite("rest-v2.md §15: one request budget for the whole device") struct RequestBudgetTests {
    typealias Ticket = RequestBudget.Ticket
    static let start = Duration.seconds(1000)
    static let never = Duration.seconds(1_000_000)

    /// Runs the budget from alarm to alarm until no request waits. Returns the grants with their times.
    func run(_ budget: inout RequestBudget, from start: Duration = start) -> [(moment: Duration, ticket: Ticket)] {
        var granted: [(Duration, Ticket)] = []
        var now = start
        while true {
            for case .granted(let ticket, _) in budget.advance(to: now) { granted.append((now, ticket)) }
            guard let next = budget.nextMoment(after: now), granted.count < 5000 else { return granted }
            #expect(next > now, "an alarm that is due at once would spin")
            now = next
        }
    }

    func enter(
        _ budget: inout RequestBudget, _ priority: CallRank, of owner: RequestOwner = .box,
        deadline: Duration = never
    ) throws -> Ticket {
        let place = budget.enter(priority, of: owner, deadline: deadline)
        return try #require(place).ticket
    }

    @Test("forty requests from four apps cause no 429 (§15)", arguments: [true, false], [true, false])
    func fortyRequests(ours: Bool, theirs: Bool) throws {
        // Only a wrong guess about the refill would matter, and within one burst it has no effect.
        var budget = RequestBudget(.init(burstRefills: ours), at: Self.start)
        var service = ServiceBucket(burstRefills: theirs, at: Self.start)
        for number in 0..<40 { _ = try enter(&budget, number % 4 == 0 ? .viewer : .poll) }
        let granted = run(&budget)
        #expect(granted.count == 40)
        #expect(granted.filter { $0.moment == Self.start }.count == 10)
        let refused = granted.filter { !service.admits(at: $0.moment) }
        #expect(refused.isEmpty)
        let last = try #require(granted.last).moment - Self.start
        #expect(last > .seconds(30) && last < .seconds(32))
    }

    @Test(arguments: [(false, 1), (true, 10)])
    func `after an idle minute the burst has refilled only if the setting allows it`(refills: Bool, count: Int) throws {
        var budget = RequestBudget(.init(viewersBurst: 0, burstRefills: refills), at: Self.start)
        for _ in 0..<10 { _ = try enter(&budget, .poll) }
        let burst = budget.advance(to: Self.start)
        #expect(burst.count == 10)
        for _ in 0..<20 { _ = try enter(&budget, .poll) }
        let later = budget.advance(to: Self.start + .seconds(60))
        #expect(later.count == count)
    }

    @Test func `ruling 33: a 429 within a burst makes the burst one-time for a day, and is reported once`() throws {
        var budget = RequestBudget(.init(burst: 3, viewersBurst: 0), at: Self.start)
        func permits(_ count: Int, at now: Duration) throws -> [RequestBudget.Permit] {
            for _ in 0..<count { _ = try enter(&budget, .poll) }
            return budget.advance(to: now).compactMap { outcome -> RequestBudget.Permit? in
                if case .granted(_, let permit) = outcome { permit } else { nil }
            }
        }
        let burst = try permits(3, at: Self.start)
        #expect(burst.map(\.isBurst) == [false, true, true])
        let single = budget.throttled(burst[0], at: Self.start)
        #expect(!single, "a single request shows nothing")
        var later = Self.start + .seconds(60)
        let again = try permits(3, at: later)
        #expect(again.count == 3, "the burst refills")
        budget.succeeded(again[0])
        let news = again.dropFirst().map { budget.throttled($0, at: later) }
        #expect(news == [true, false])
        later += .seconds(3600)
        let first = try permits(3, at: later)
        let others = [10, 20].map { budget.advance(to: later + .seconds($0)).count }
        #expect(first.count == 1 && others == [1, 1])
        later += .seconds(24 * 3600)
        let nextDay = try permits(3, at: later)
        #expect(nextDay.count == 3, "a day later the burst is tried again")
    }

    @Test func `ruling 33: a service that refuses everything for a while shows nothing about its burst`() throws {
        var budget = RequestBudget(.init(burst: 3, viewersBurst: 0), at: Self.start)
        func permits(_ count: Int, at now: Duration) throws -> [RequestBudget.Permit] {
            for _ in 0..<count { _ = try enter(&budget, .viewer) }
            return budget.advance(to: now).compactMap { outcome -> RequestBudget.Permit? in
                if case .granted(_, let permit) = outcome { permit } else { nil }
            }
        }
        // Two simultaneous requests, and the retry of one after the pause, are all refused.
        let together = try permits(2, at: Self.start).map { budget.throttled($0, at: Self.start) }
        let repeated = try permits(1, at: Self.start + .seconds(1)).map {
            ($0.isBurst, budget.throttled($0, at: Self.start + .seconds(1)))
        }
        #expect(together == [false, false] && repeated.map(\.0) == [true] && repeated.map(\.1) == [false])
        let later = try permits(3, at: Self.start + .seconds(60))
        #expect(later.count == 3, "the burst is available again")
    }

    @Test func `ruling 33: after a restart a one-time burst is used up until its day is over`()
        throws
    {
        var settings = RequestBudget.Settings(burst: 3, viewersBurst: 1)
        settings.oneTimeBurstRemains = .seconds(600)
        var budget = RequestBudget(settings, at: Self.start)
        for moment in [0, 300, 900].map({ Self.start + .seconds($0) }) {
            for _ in 0..<4 { _ = try enter(&budget, .viewer, deadline: moment + .milliseconds(1)) }
            let granted = budget.advance(to: moment).count
            _ = budget.advance(to: moment + .milliseconds(1))
            #expect(granted == (moment < Self.start + .seconds(600) ? 1 : 3), "\(moment)")
        }
    }

    @Test func `urgent requests go first, in their order`() throws {
        var budget = RequestBudget(.init(burst: 1, turn: 100), at: Self.start)
        _ = try enter(&budget, .poll)
        _ = run(&budget)
        let waiting = try CallRank.allCases.reversed().flatMap { priority in
            try (0..<2).map { _ in (priority, try enter(&budget, priority)) }
        }
        let expected = CallRank.allCases.flatMap { priority in
            waiting.filter { $0.0 == priority }.map(\.1)
        }
        let order = run(&budget).map(\.ticket)
        #expect(order == expected)
    }

    @Test func `polls are not starved, because every eighth grant goes to the longest wait`() throws {
        var budget = RequestBudget(.init(burst: 1), at: Self.start)
        let polls = try (0..<3).map { _ in try enter(&budget, .poll) }
        for _ in 0..<40 { _ = try enter(&budget, .viewer) }
        let order = run(&budget).map(\.ticket)
        #expect(polls.map { order.firstIndex(of: $0) } == [7, 15, 23])
    }

    @Test func `a caller is told at its deadline that the deadline has passed`() throws {
        var budget = RequestBudget(.init(burst: 1), at: Self.start)
        _ = try enter(&budget, .viewer)
        let late = try enter(&budget, .poll, deadline: Self.start + .milliseconds(300))
        _ = budget.advance(to: Self.start)
        #expect(budget.nextMoment(after: Self.start) == Self.start + .milliseconds(300))
        let before = budget.advance(to: Self.start + .milliseconds(299))
        #expect(before == [])
        let then = budget.advance(to: Self.start + .milliseconds(300))
        #expect(then == [.refused(late, .deadlinePassed)])
        #expect(
            budget.nextMoment(after: Self.start + .milliseconds(300)) == nil, "no caller waits, so there is no alarm")
    }

    @Test func `a full queue refuses equally urgent requests, and evicts a request for a more urgent one`() throws {
        var budget = RequestBudget(.init(burst: 1, queueLimit: 2), at: Self.start)
        let older = try enter(&budget, .poll)
        let younger = try enter(&budget, .poll)
        let equal = budget.enter(.poll, deadline: Self.never)
        #expect(equal == nil)
        let urgent = budget.enter(.viewer, deadline: Self.never)
        let entered = try #require(urgent)
        #expect(entered.displaced == younger)
        #expect(budget.waiting == 2)
        let order = run(&budget).map(\.ticket)
        #expect(order == [entered.ticket, older])
    }

    // MARK: Users

    static let flood = RequestOwner.user(5002)
    static let viewer = RequestOwner.user(5001)

    @Test func `equally urgent requests of several owners take turns`() throws {
        var budget = RequestBudget(.init(burst: 1), at: Self.start)
        for _ in 0..<300 { _ = try enter(&budget, .viewer, of: Self.flood) }
        let viewers = try [Self.viewer, .user(5003), .box].flatMap { owner in
            try (0..<2).map { _ in try enter(&budget, .viewer, of: owner) }
        }
        let order = run(&budget).map(\.ticket)
        #expect(viewers.map { order.firstIndex(of: $0) } == [1, 5, 2, 6, 3, 7])
    }

    @Test(arguments: CallRank.allCases)
    func `no urgency of one user delays another user for more than two rounds`(_ priority: CallRank) throws {
        var budget = RequestBudget(.init(burst: 1), at: Self.start)
        for _ in 0..<300 { _ = try enter(&budget, .viewer, of: Self.flood) }
        let viewers = try (0..<3).map { _ in try enter(&budget, priority, of: Self.viewer) }
        let order = run(&budget).map(\.ticket)
        let places = viewers.compactMap { order.firstIndex(of: $0) }
        #expect(places == (priority == .viewer ? [1, 3, 5] : [4, 9, 14]))
    }

    @Test func `in a full queue only the user with the most requests loses one`() throws {
        var budget = RequestBudget(.init(burst: 1, queueLimit: 10, queueShare: 8), at: Self.start)
        let crowd = try (0..<8).map { _ in try enter(&budget, .viewer, of: Self.flood) }
        #expect(budget.enter(.viewer, of: Self.flood, deadline: Self.never) == nil, "a user cannot exceed its share")
        for _ in 0..<2 { _ = try enter(&budget, .poll, of: .user(5003)) }
        for number in 0..<4 {
            let place = budget.enter(.poll, of: Self.viewer, deadline: Self.never)
            #expect(try #require(place).displaced == crowd[7 - number])
        }
        let equal = budget.enter(.poll, of: Self.viewer, deadline: Self.never)
        #expect(equal == nil, "no user has more requests")
        let urgent = budget.enter(.viewer, of: Self.viewer, deadline: Self.never)
        #expect(try #require(urgent).displaced != nil && budget.waiting == 10)
    }

    @Test func `a caller that leaves uses no request`() throws {
        var budget = RequestBudget(.init(burst: 1), at: Self.start)
        let gone = try enter(&budget, .viewer)
        let stays = try enter(&budget, .poll)
        budget.leave(gone)
        let order = run(&budget).map(\.ticket)
        #expect(order == [stays])
    }

    // MARK: Apps of one user

    @Test func `§15: the apps of one user take turns, and a user with many apps gets no additional turns`() throws {
        func app(_ name: String) -> RequestOwner { .user(5001, AppID(rawValue: name)) }
        var budget = RequestBudget(.init(burst: 1), at: Self.start)
        for _ in 0..<300 { _ = try enter(&budget, .viewer, of: app("greedy")) }
        let modest = try (0..<2).map { _ in try enter(&budget, .viewer, of: app("modest")) }
        let third = try (0..<2).map { _ in try enter(&budget, .viewer, of: app("third")) }
        let other = try (0..<3).map { _ in try enter(&budget, .viewer, of: .user(5002)) }
        let order = run(&budget).map(\.ticket)
        #expect(other.map { order.firstIndex(of: $0) } == [1, 3, 5])
        #expect(modest.map { order.firstIndex(of: $0) } == [2, 7])
        #expect(third.map { order.firstIndex(of: $0) } == [4, 8])
    }

    @Test func `if a user's share is full, the app with the most requests loses one`() throws {
        func app(_ name: String) -> RequestOwner { .user(5001, AppID(rawValue: name)) }
        var budget = RequestBudget(.init(burst: 1, queueLimit: 20, queueShare: 8), at: Self.start)
        let greedy = try (0..<8).map { _ in try enter(&budget, .viewer, of: app("greedy")) }
        let place = budget.enter(.poll, of: app("modest"), deadline: Self.never)
        #expect(try #require(place).displaced == greedy[7])
        let equal = budget.enter(.viewer, of: app("greedy"), deadline: Self.never)
        #expect(equal == nil)
    }

    // MARK: Kept places

    @Test func `ruling 48: a repeated call continues in the place of the first call`() throws {
        func app(_ name: String) -> RequestOwner { .user(5001, AppID(rawValue: name)) }
        var budget = RequestBudget(.init(burst: 1), at: Self.start)
        _ = try enter(&budget, .viewer, of: app("a"))
        _ = budget.advance(to: Self.start)
        let soon = Self.start + .milliseconds(500)
        let early = try enter(&budget, .viewer, of: app("a"), deadline: soon)
        let later = try (0..<3).map { _ in try enter(&budget, .viewer, of: app("a")) }
        let refused = budget.advance(to: soon)
        #expect(refused == [.refused(early, .deadlinePassed)])
        let again = try enter(&budget, .viewer, of: app("a"))
        let order = run(&budget, from: soon).map(\.ticket)
        #expect(order == [again] + later)
    }

    @Test func `ruling 48: the app also keeps its turn among the other apps, for half a minute`() throws {
        func app(_ name: String) -> RequestOwner { .user(5001, AppID(rawValue: name)) }
        for (pause, place) in [(2, 0), (31, 1)] {
            var budget = RequestBudget(.init(burst: 1), at: Self.start)
            _ = try enter(&budget, .viewer, of: app("b"))
            _ = budget.advance(to: Self.start)
            let late = try enter(&budget, .viewer, of: app("a"), deadline: Self.start + .milliseconds(100))
            for _ in 0..<60 { _ = try enter(&budget, .viewer, of: app("b")) }
            let refused = budget.advance(to: Self.start + .milliseconds(100))
            #expect(refused == [.refused(late, .deadlinePassed)])
            var now = Self.start + .seconds(pause)
            _ = budget.advance(to: now)
            let again = try enter(&budget, .viewer, of: app("a"))
            now = try #require(budget.nextMoment(after: now))
            var order: [Ticket] = []
            for step in 0..<3 {
                for case .granted(let ticket, _) in budget.advance(to: now + .milliseconds(1050 * step)) {
                    order.append(ticket)
                }
            }
            #expect(order.firstIndex(of: again) ?? -1 <= place)
        }
    }
}
