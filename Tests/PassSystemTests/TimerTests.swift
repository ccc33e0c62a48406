// Tests deadlines on the clock that counts while the box is suspended.

import Dispatch
import Glibc
import PassTestTools
import Testing

@testable import PassSystem

@Suite("architecture.md §3: deadlines on CLOCK_BOOTTIME") struct TimerTests {
    /// Timers on a queue of their own, with a record of the fired timers.
    final class Fixture: @unchecked Sendable {
        let queue = DispatchQueue(label: "tests.timers")
        let timers: BootTimers
        // This array belongs to the queue.
        var fired: [Int] = []

        init() throws { timers = try queue.sync { [queue] in try BootTimers(queue: queue) } }

        func on<Result: Sendable>(_ body: @Sendable (BootTimers) throws -> Result) rethrows -> Result {
            try queue.sync { try body(timers) }
        }

        func note(_ number: Int) {
            dispatchPrecondition(condition: .onQueue(queue))
            fired.append(number)
        }

        var count: Int { queue.sync { fired.count } }
    }

    @Test func `a thousand timers fire on the queue, in the order of their times, none too early`() async throws {
        let fixture = try Fixture()
        let start = BootClock.now
        fixture.on { timers in
            for number in (0..<1000).shuffled() {
                let moment = start + .microseconds(20 * number)
                timers.schedule(at: moment) {
                    #expect(BootClock.now >= moment)
                    fixture.note(number)
                }
            }
        }
        await eventually { fixture.count == 1000 }
        #expect(fixture.queue.sync { fixture.fired } == Array(0..<1000))
        #expect(fixture.on { $0.count } == 0)
    }

    @Test func `a cancelled timer does not fire, but another timer with the same time does`() async throws {
        let fixture = try Fixture()
        let cancelled = fixture.on { timers in
            let moment = BootClock.now + .milliseconds(5)
            let timer = timers.schedule(at: moment) { fixture.note(1) }
            timers.schedule(at: moment) { fixture.note(2) }
            return timers.cancel(timer) && !timers.cancel(timer)
        }
        #expect(cancelled)
        await eventually { fixture.count == 1 }
        #expect(fixture.queue.sync { fixture.fired } == [2])
    }

    @Test func `a timer may cancel another timer that is due at the same time`() async throws {
        let fixture = try Fixture()
        fixture.on { timers in
            let moment = BootClock.now
            let box = TimerBox()
            timers.schedule(at: moment) {
                fixture.note(1)
                if let timer = box.timer { timers.cancel(timer) }
            }
            box.timer = timers.schedule(at: moment) { fixture.note(2) }
            timers.schedule(at: moment) { fixture.note(3) }
        }
        await eventually { fixture.count == 2 }
        #expect(fixture.queue.sync { fixture.fired } == [1, 3])
    }

    @Test func `a time in the past is due at once, but not within the call`() async throws {
        let fixture = try Fixture()
        fixture.on { timers in
            timers.schedule(at: .seconds(-5)) { fixture.note(1) }
            timers.schedule(at: .zero) { fixture.note(2) }
            fixture.note(0)
        }
        await eventually { fixture.count == 3 }
        #expect(fixture.queue.sync { fixture.fired } == [0, 1, 2])
    }

    @Test func `between two timers that schedule each other, other work runs on the queue`() async throws {
        let fixture = try Fixture()
        @Sendable func again() {
            fixture.note(1)
            fixture.timers.schedule(at: .zero) { again() }
        }
        fixture.on { _ in again() }
        await eventually { fixture.count > 20 }
        fixture.on { $0.cancelAll() }
    }

    @Test func `an earlier timer fires before a timer that was set before it`() async throws {
        let fixture = try Fixture()
        fixture.on { timers in
            timers.schedule(at: BootClock.now + .seconds(3600)) { fixture.note(1) }
            timers.schedule(at: BootClock.now + .seconds(1 << 50)) { fixture.note(3) }
            timers.schedule(at: BootClock.now + .milliseconds(1)) { fixture.note(2) }
        }
        await eventually { fixture.count == 1 }
        #expect(fixture.queue.sync { fixture.fired } == [2])
    }

    @Test func `starting and stopping timers leaks no descriptor`() async throws {
        for _ in 0..<200 {
            let fixture = try Fixture()
            fixture.on { timers in _ = timers.schedule(at: BootClock.now + .seconds(60)) {} }
        }
        await eventually { Self.timerDescriptors < 100 }
    }

    private static var timerDescriptors: Int {
        (0..<1024).count { number in
            var buffer = [CChar](repeating: 0, count: 64)
            let length = readlink("/proc/self/fd/\(number)", &buffer, buffer.count)
            return length > 0
                && String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
                    .contains("timerfd")
        }
    }
}

/// Belongs to the queue of its test.
final class TimerBox: @unchecked Sendable { var timer: BootTimers.Timer? }
