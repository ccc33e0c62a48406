// Tests when the watchdog is fed, and which parts are named if it is not fed.

import Dispatch
import Synchronization
import Testing

@testable import PassSystem

@Suite("operations.md §3: the watchdog") struct HeartbeatTests {
    enum Step: Sendable {
        /// A turn of the watchdog, and the parts that it names.
        case turn(named: [Heartbeats.Part] = [])
        /// Answers of parts. After them, `isFed` says whether the watchdog is fed.
        case answers([Heartbeats.Part], isFed: Bool = false)
        /// A late answer to the question of the previous round.
        case oldAnswer(Heartbeats.Part)
    }

    nonisolated static let all = Heartbeats.Part.allCases

    nonisolated static let cases: [(String, [Step])] = [
        ("all answer", [.turn(), .answers(all, isFed: true), .turn(), .answers(all, isFed: true)]),
        ("in any order", [.turn(), .answers([.storage, .poller, .engine]), .answers([.acceptance], isFed: true)]),
        ("an answer counts once", [.turn(), .answers([.engine, .engine, .engine, .engine])]),
        ("nobody was asked", [.answers(all)]),
        (
            "one part is stuck and named once",
            [.turn(), .answers([.engine, .acceptance, .poller]), .turn(named: [.storage]), .turn()]
        ),
        (
            "one part is late",
            [
                .turn(), .answers([.engine, .acceptance, .storage]), .turn(named: [.poller]),
                .answers([.poller], isFed: true), .turn(), .answers(all, isFed: true),
            ]
        ),
        (
            "a late part may be named again",
            [
                .turn(), .turn(named: [.engine, .storage]), .answers(all, isFed: true),
                .turn(), .turn(named: [.engine, .storage]),
            ]
        ),
        (
            "while the engine's queue is stuck, only the engine is named",
            [
                .turn(), .answers([.storage]), .turn(named: [.engine]),
                .answers([.engine]), .turn(named: [.acceptance, .poller]),
            ]
        ),
        (
            "an answer to an old question does not count",
            [
                .turn(), .answers(all, isFed: true), .turn(),
                .answers([.engine, .acceptance, .poller]), .oldAnswer(.storage), .turn(named: [.storage]),
            ]
        ),
    ]

    @Test(arguments: cases) func `the watchdog is fed once all parts have answered since the last time`(
        _ trial: (name: String, steps: [Step])
    ) {
        var beats = Heartbeats()
        for step in trial.steps {
            switch step {
            case .turn(let named):
                switch beats.turn() {
                case .ask(let parts): #expect(parts == Self.all && named.isEmpty)
                case .late(_, let unnamed): #expect(unnamed == named)
                }
            case .answers(let parts, let isFed):
                let fed = parts.compactMap { beats.answer($0, round: beats.round) }
                #expect(fed.count == (isFed ? 1 : 0))
            case .oldAnswer(let part): #expect(beats.answer(part, round: beats.round - 1) == nil)
            }
        }
    }

    private struct Seen {
        var questions: [(part: Heartbeats.Part, answer: @Sendable () -> Void)] = []
        var fed = 0
        var news: [Watchdog.News] = []
    }

    @Test func `a stuck part is named and asked again, and a late answer still feeds the watchdog`() {
        let seen = Mutex(Seen())
        let watchdog = Watchdog(
            limit: .seconds(30), ask: { part, answer in seen.withLock { $0.questions.append((part, answer)) } },
            feed: { seen.withLock { $0.fed += 1 } }, tell: { news in seen.withLock { $0.news.append(news) } })
        func turn() { watchdog.queue.sync { watchdog.turn() } }
        func answer(_ isWanted: (Heartbeats.Part) -> Bool) {
            let answers = seen.withLock { seen in
                defer { seen.questions.removeAll { isWanted($0.part) } }
                return seen.questions.filter { isWanted($0.part) }.map(\.answer)
            }
            for answer in answers { answer() }
            watchdog.queue.sync {}
        }
        turn()
        #expect(seen.withLock { $0.questions.map(\.part) } == Self.all)
        answer { $0 != .storage }
        #expect(seen.withLock { $0.fed } == 0)
        turn()
        turn()
        #expect(seen.withLock { $0.news } == [.stuck(.storage)])
        #expect(seen.withLock { $0.questions.map(\.part) } == [.storage, .storage, .storage])
        answer { $0 == .storage }
        #expect(seen.withLock { $0.fed } == 1)
        #expect(seen.withLock { $0.news } == [.stuck(.storage), .recovered(.storage)])
        turn()
        answer { _ in true }
        #expect(seen.withLock { $0.fed } == 2)
    }

    @Test func `the watchdog asks without being told`() throws {
        let fed = DispatchSemaphore(value: 0)
        let watchdog = Watchdog(limit: .milliseconds(30), ask: { $1() }, feed: { fed.signal() }, tell: { _ in })
        try watchdog.start()
        for _ in 0..<3 { #expect(fed.wait(timeout: .now() + 30) == .success) }
    }
}
