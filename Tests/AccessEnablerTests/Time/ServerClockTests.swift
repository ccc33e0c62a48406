// Tests the service's time on a box with a wrong, jumping or missing date.

import Testing

@testable import AccessEnabler

extension ServerClock {
    /// Reads the date from an answer that came without delay.
    fileprivate mutating func learn(_ server: ServerTime, boot: BootTime, wall: ServerTime) {
        learn(server, asked: boot, boot: boot, wall: wall)
    }
}

@Suite("architecture §3: time") struct ServerClockTests {
    private let day = Int64(86_400_000)
    private let today = ServerTime(milliseconds: 1_795_564_800_000)

    private func boot(_ seconds: UInt64) -> BootTime { BootTime(nanoseconds: seconds * 1_000_000_000) }

    @Test func `before the first answer only the box's own date counts`() {
        let clock = ServerClock()
        #expect(clock.now(boot: boot(10), wall: today) == today)
        #expect(clock.offset == nil && !clock.isClearlyWrong)
    }

    @Test func `a correct date is unchanged, and a difference of seconds does not count`() {
        var clock = ServerClock()
        clock.learn(today.advanced(by: .milliseconds(-900)), boot: boot(10), wall: today)
        #expect(clock.now(boot: boot(11), wall: today.advanced(by: .seconds(1))) == today.advanced(by: .seconds(1)))
        #expect(clock.offset == .zero)
    }

    @Test func `a box that boots in 1970 knows the time from the second answer on`() {
        var clock = ServerClock()
        clock.learn(today, boot: boot(10), wall: ServerTime(milliseconds: 10_000))
        #expect(clock.isClearlyWrong && clock.offset == nil)
        #expect(clock.now(boot: boot(10), wall: ServerTime(milliseconds: 10_000)).milliseconds == 10_000)
        clock.learn(today.advanced(by: .seconds(1)), boot: boot(11), wall: ServerTime(milliseconds: 11_000))
        #expect(clock.isClearlyWrong)
        #expect(clock.now(boot: boot(70), wall: ServerTime(milliseconds: 70_000)) == today.advanced(by: .seconds(60)))
    }

    @Test func `a jump of the box's own date changes nothing, in either direction`() {
        for jump in [-400 * day, 400 * day] {
            var clock = ServerClock()
            clock.learn(today, boot: boot(10), wall: today)
            let jumped = ServerTime(milliseconds: today.milliseconds + jump)
            #expect(clock.now(boot: boot(40), wall: jumped) == today.advanced(by: .seconds(30)))
        }
    }

    @Test func `after the date is corrected the next answer shows the correction`() {
        var clock = ServerClock()
        for _ in 0..<2 { clock.learn(today, boot: boot(10), wall: ServerTime(milliseconds: 0)) }
        clock.learn(today.advanced(by: .seconds(5)), boot: boot(15), wall: today.advanced(by: .seconds(5)))
        #expect(!clock.isClearlyWrong && clock.offset == .zero)
    }

    // MARK: Witnesses

    /// A date of the service, in days from today, with the times of the request and the answer.
    struct Answer: Sendable {
        let days: Int64
        var asked: UInt64?
        let came: UInt64
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The box's own date, in days from today.
        let wall: Int64
        let answers: [Answer]
        /// The resulting date, in days from today.
        let now: Int64
        let isKnown: Bool
    }

    static let rows: [Row] = [
        .init(testDescription: "no answer has arrived", wall: 0, answers: [], now: 0, isKnown: false),
        .init(
            testDescription: "one answer of the year 9999 at first contact", wall: 0,
            answers: [.init(days: 2_900_000, came: 10)], now: 0, isKnown: false),
        .init(
            testDescription: "one answer of the year 9999 after correct answers", wall: 0,
            answers: [.init(days: 0, came: 10), .init(days: 2_900_000, came: 20)], now: 0, isKnown: true),
        .init(
            testDescription: "one answer a year ahead, then correct answers", wall: 0,
            answers: [.init(days: 0, came: 10), .init(days: 365, came: 20), .init(days: 0, came: 30)], now: 0,
            isKnown: true),
        .init(
            testDescription: "occasional wrong answers are never accepted", wall: 0,
            answers: [
                .init(days: 365, came: 10), .init(days: 0, came: 20), .init(days: 365, came: 30),
                .init(days: 0, came: 40), .init(days: 365, came: 50),
            ], now: 0, isKnown: true),
        .init(
            testDescription: "two answers that agree", wall: 0,
            answers: [.init(days: 0, came: 10), .init(days: 365, came: 20), .init(days: 365, came: 30)], now: 365,
            isKnown: true),
        .init(
            testDescription: "two answers to simultaneous requests are one witness", wall: 0,
            answers: [
                .init(days: 0, came: 10), .init(days: 365, asked: 15, came: 20), .init(days: 365, asked: 15, came: 30),
            ], now: 0, isKnown: true),
        .init(
            testDescription: "two answers that do not agree", wall: 0,
            answers: [.init(days: 0, came: 10), .init(days: 365, came: 20), .init(days: 500, came: 30)], now: 0,
            isKnown: true),
        .init(
            testDescription: "backwards as well as forwards", wall: 0,
            answers: [.init(days: 0, came: 10), .init(days: -365, came: 20)], now: 0, isKnown: true),
        .init(
            testDescription: "less than a day needs no witness", wall: 0, answers: [.init(days: 1, came: 10)], now: 1,
            isKnown: true),
        .init(
            testDescription: "a box of 1970, one answer", wall: -20_000, answers: [.init(days: 0, came: 10)],
            now: -20_000, isKnown: false),
        .init(
            testDescription: "a box of 1970, two answers", wall: -20_000,
            answers: [.init(days: 0, came: 10), .init(days: 0, came: 11)], now: 0, isKnown: true),
        .init(
            testDescription: "a box of 1970, a wrong answer first", wall: -20_000,
            answers: [.init(days: 2_900_000, came: 10), .init(days: 0, came: 20), .init(days: 0, came: 30)], now: 0,
            isKnown: true),
        .init(
            testDescription: "a box of the future ends no login after one answer", wall: 5000,
            answers: [.init(days: 0, came: 10)], now: 0, isKnown: false),
    ]

    @Test(arguments: rows) func `a step of more than a day is accepted if two answers agree`(_ row: Row) {
        var clock = ServerClock()
        func date(_ days: Int64, _ seconds: UInt64) -> ServerTime {
            today.advanced(by: .milliseconds(days * day)).advanced(by: .seconds(seconds))
        }
        for answer in row.answers {
            clock.learn(
                date(answer.days, answer.came), asked: boot(answer.asked ?? answer.came), boot: boot(answer.came),
                wall: date(row.wall, answer.came))
        }
        #expect(clock.now(boot: boot(100), wall: date(row.wall, 100)) == date(row.now, 100))
        #expect((clock.offset != nil) == row.isKnown)
    }

    @Test(arguments: [.min, .min + 1, -1, 0, .max - 1, .max] as [Int64], [.min, 0, .max] as [Int64])
    func `extreme dates do not overflow`(_ answer: Int64, _ wall: Int64) {
        var clock = ServerClock()
        let wall = ServerTime(milliseconds: wall)
        for _ in 0..<2 {
            for boot in [BootTime(nanoseconds: 0), BootTime(nanoseconds: .max)] {
                clock.learn(ServerTime(milliseconds: answer), boot: boot, wall: wall)
                _ = clock.now(boot: BootTime(nanoseconds: .max), wall: wall)
            }
        }
        #expect(clock.now(boot: BootTime(nanoseconds: 0), wall: wall) <= ServerTime(milliseconds: .max))
    }
}
