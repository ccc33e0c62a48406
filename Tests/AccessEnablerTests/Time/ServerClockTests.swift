// The service's time as a box with a wrong, jumping or missing date knows it.

import Testing

@testable import AccessEnabler

@Suite("architecture §3: time") struct ServerClockTests {
    private let day = Int64(86_400_000)
    private let today = ServerTime(milliseconds: 1_795_564_800_000)

    private func boot(_ seconds: UInt64) -> BootTime { BootTime(nanoseconds: seconds * 1_000_000_000) }

    @Test func `before the first answer our own date is all there is`() {
        let clock = ServerClock()
        #expect(clock.now(boot: boot(10), wall: today) == today)
        #expect(clock.offset == nil && !clock.isClearlyWrong)
    }

    @Test func `a right date is left alone, seconds of difference do not count`() {
        var clock = ServerClock()
        clock.learn(today.advanced(by: .milliseconds(-900)), boot: boot(10), wall: today)
        #expect(clock.now(boot: boot(11), wall: today.advanced(by: .seconds(1))) == today.advanced(by: .seconds(1)))
        #expect(clock.offset == .zero)
    }

    @Test func `a box that boots in 1970 knows the time from the first answer on`() {
        var clock = ServerClock()
        clock.learn(today, boot: boot(10), wall: ServerTime(milliseconds: 10_000))
        #expect(clock.isClearlyWrong)
        #expect(clock.now(boot: boot(70), wall: ServerTime(milliseconds: 70_000)) == today.advanced(by: .seconds(60)))
    }

    @Test func `a jump of our own date changes nothing, in either direction`() {
        for jump in [-400 * day, 400 * day] {
            var clock = ServerClock()
            clock.learn(today, boot: boot(10), wall: today)
            let jumped = ServerTime(milliseconds: today.milliseconds + jump)
            #expect(clock.now(boot: boot(40), wall: jumped) == today.advanced(by: .seconds(30)))
        }
    }

    @Test func `when the date is set right the next answer says so`() {
        var clock = ServerClock()
        clock.learn(today, boot: boot(10), wall: ServerTime(milliseconds: 0))
        clock.learn(today.advanced(by: .seconds(5)), boot: boot(15), wall: today.advanced(by: .seconds(5)))
        #expect(!clock.isClearlyWrong && clock.offset == .zero)
    }
}
