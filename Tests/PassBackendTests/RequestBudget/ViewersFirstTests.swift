// Tests the order of requests, as a timeline of pure states.

import AccessEnabler
import Testing

@testable import PassBackend

@Suite("ruling 32, rest-v2.md §15: viewers go first") struct ViewersFirstTests {
    static let start = Duration.seconds(1000)
    static let never = Duration.seconds(1_000_000)

    private func enter(
        _ budget: inout RequestBudget, _ rank: CallRank, of owner: RequestOwner = .box
    ) throws -> RequestBudget.Ticket {
        let place = budget.enter(rank, of: owner, deadline: Self.never)
        return try #require(place).ticket
    }

    /// One of several apps that start together.
    private func crowd(_ number: Int) -> RequestOwner { .user(5001, AppID(rawValue: "app\(number % 4)")) }

    private func granted(_ budget: inout RequestBudget, at now: Duration) -> [RequestBudget.Ticket] {
        budget.advance(to: now).compactMap { if case .granted(let ticket, _) = $0 { ticket } else { nil } }
    }

    @Test(arguments: [(9, 5, 4), (9, 0, 9), (9, 100, 1), (1, 5, 1), (3, -1, 3)])
    func `a part of the burst is reserved for viewers, and one request remains for others`(
        burst: Int, viewersBurst: Int, count: Int
    ) throws {
        for rank in CallRank.allCases {
            var budget = RequestBudget(.init(burst: burst, viewersBurst: viewersBurst), at: Self.start)
            for number in 0..<20 { _ = try enter(&budget, rank, of: crowd(number)) }
            #expect(granted(&budget, at: Self.start).count == (rank == .viewer ? burst : count))
        }
    }

    @Test(arguments: [true, false])
    func `while four apps start, a viewer's requests are sent at once`(refills: Bool) throws {
        var budget = RequestBudget(.init(burst: 9, viewersBurst: 8, burstRefills: refills), at: Self.start)
        for number in 0..<12 { _ = try enter(&budget, .start, of: crowd(number)) }
        #expect(granted(&budget, at: Self.start).count == 1)
        let play = try (0..<2).map { _ in try enter(&budget, .viewer, of: .user(5002)) }
        #expect(granted(&budget, at: Self.start) == play)
        let code = try (0..<6).map { _ in try enter(&budget, .viewer, of: .user(5001)) }
        #expect(granted(&budget, at: Self.start) == code)
        let last = try enter(&budget, .viewer, of: .user(5001))
        #expect(granted(&budget, at: Self.start) == [])
        let next = budget.nextMoment(after: Self.start)
        #expect(next == Self.start + .milliseconds(1050), "then viewers have the next turn")
        #expect(granted(&budget, at: Self.start + .milliseconds(1050)) == [last])
    }

    @Test func `on a new box, apps that start together may once use a larger part of the burst`() throws {
        var budget = RequestBudget(.init(burst: 9, viewersBurst: 8, isNewBox: true), at: Self.start)
        for number in 0..<12 { _ = try enter(&budget, .start, of: crowd(number)) }
        #expect(granted(&budget, at: Self.start).count == 5)
        let code = try (0..<4).map { _ in try enter(&budget, .viewer) }
        #expect(granted(&budget, at: Self.start) == code)
        let later = Self.start + .seconds(60)
        #expect(granted(&budget, at: later).count == 1)
    }

    @Test func `the reserve refills when no other request waits`() throws {
        var budget = RequestBudget(.init(burst: 9, viewersBurst: 8), at: Self.start)
        for _ in 0..<9 { _ = try enter(&budget, .viewer) }
        #expect(granted(&budget, at: Self.start).count == 9)
        for (intervals, starts, viewers) in [(3, 1, 2), (30, 1, 8)] {
            var later = budget
            let now = Self.start + .milliseconds(1050 * intervals)
            for number in 0..<9 { _ = try enter(&later, .start, of: crowd(number)) }
            #expect(granted(&later, at: now).count == starts, "\(intervals)")
            for _ in 0..<9 { _ = try enter(&later, .viewer) }
            #expect(granted(&later, at: now).count == viewers, "\(intervals)")
        }
    }

    @Test func `an app that starts a few seconds after a busy moment does not wait`() throws {
        var budget = RequestBudget(.init(burst: 9, viewersBurst: 5), at: Self.start)
        for _ in 0..<9 { _ = try enter(&budget, .viewer) }
        #expect(granted(&budget, at: Self.start).count == 9)
        let now = Self.start + .milliseconds(1050 * 6)
        let setup = try (0..<3).map { _ in try enter(&budget, .start) }
        #expect(granted(&budget, at: now) == setup)
        for _ in 0..<9 { _ = try enter(&budget, .viewer) }
        #expect(granted(&budget, at: now).count == 3)
    }

    @Test func `requests that viewers overtake keep their turns, regardless of the number of viewers`() throws {
        var budget = RequestBudget(.init(burst: 9, viewersBurst: 8), at: Self.start)
        for _ in 0..<9 { _ = try enter(&budget, .viewer) }
        _ = granted(&budget, at: Self.start)
        let poll = try enter(&budget, .poll)
        for _ in 0..<40 { _ = try enter(&budget, .viewer) }
        var order: [RequestBudget.Ticket] = []
        for interval in 1...12 { order += granted(&budget, at: Self.start + .milliseconds(1050 * interval)) }
        #expect(order.firstIndex(of: poll) == 7)
    }

    @Test(arguments: [CallRank.start, .poll, .background])
    func `if a viewer joins a request, it moves up to its place by age among the viewers' requests`(
        rank: CallRank
    ) throws {
        var budget = RequestBudget(.init(burst: 1, turn: 100), at: Self.start)
        _ = try enter(&budget, .viewer)
        _ = granted(&budget, at: Self.start)
        let other = try enter(&budget, rank)
        let first = try enter(&budget, .viewer)
        let raised = try enter(&budget, rank)
        let last = try enter(&budget, .viewer)
        budget.raise(raised, to: .viewer)
        budget.raise(first, to: .background)
        var order: [RequestBudget.Ticket] = []
        for interval in 1...4 { order += granted(&budget, at: Self.start + .milliseconds(1050 * interval)) }
        #expect(order == [first, raised, last, other])
    }

    @Test func `if a viewer joins a request, it may use the reserve`() throws {
        var budget = RequestBudget(.init(burst: 2, viewersBurst: 8), at: Self.start)
        let starts = try (0..<3).map { try enter(&budget, .start, of: crowd($0)) }
        #expect(granted(&budget, at: Self.start) == [starts[0]])
        budget.raise(starts[1], to: .viewer)
        #expect(granted(&budget, at: Self.start) == [starts[1]])
    }

    // MARK: Ruling 48

    @Test(arguments: [true, false], [true, false])
    func `ruling 48: an app that starts alone does not wait while the burst lasts`(
        refills: Bool, isNewBox: Bool
    ) throws {
        var budget = RequestBudget(
            .init(burst: 9, viewersBurst: 8, isNewBox: isNewBox, burstRefills: refills), at: Self.start)
        // The registration is work of the box for the app.
        var all: [RequestBudget.Ticket] = []
        for number in 0..<9 {
            let app = AppID(rawValue: "app")
            all.append(try enter(&budget, .start, of: number < 2 ? .box(for: app) : .user(5001, app)))
            #expect(granted(&budget, at: Self.start) == [all[number]])
        }
        #expect(budget.load(at: Self.start).keptForViewers == 0)
    }

    @Test(arguments: [CallRank.poll, .background])
    func `ruling 48: requests without a viewer do not use the reserve, even if no other app starts`(
        rank: CallRank
    ) throws {
        var budget = RequestBudget(.init(burst: 9, viewersBurst: 8), at: Self.start)
        for _ in 0..<3 { _ = try enter(&budget, rank, of: crowd(0)) }
        #expect(granted(&budget, at: Self.start).count == 1)
        #expect(budget.nextMoment(after: Self.start) == Self.start + .milliseconds(1050))
    }

    @Test func `ruling 48: the next app may use the rest only after the reserve was full again`() throws {
        var budget = RequestBudget(.init(burst: 9, viewersBurst: 8), at: Self.start)
        for _ in 0..<3 { _ = try enter(&budget, .start, of: crowd(0)) }
        #expect(granted(&budget, at: Self.start).count == 3)
        for _ in 0..<3 { _ = try enter(&budget, .start, of: crowd(1)) }
        #expect(granted(&budget, at: Self.start).isEmpty, "two apps count as several")
        let play = try enter(&budget, .viewer, of: .user(5002))
        #expect(granted(&budget, at: Self.start) == [play])
        #expect(granted(&budget, at: Self.start + .milliseconds(1050)).count == 1)
        let later = Self.start + .seconds(60)
        _ = granted(&budget, at: later)
        for _ in 0..<3 { _ = try enter(&budget, .start, of: crowd(2)) }
        #expect(granted(&budget, at: later + .seconds(60)).count == 3)
    }
}
