// Tests alarms of the real clock. Each alarm fires once, on the engine's queue, unless it was cancelled.
// Architecture §3.

import AccessEnabler
import Dispatch
import Glibc
import PassBackend
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct BoxClockTests {
    private let clock: BoxClock
    private let rings = Recorder<String>()

    /// Timers belong to the engine's queue from the start, so the clock is made there.
    init() async throws { clock = try await Task { @EngineActor in try BoxClock() }.value }

    @discardableResult private func alarm(_ name: String, in time: Duration = .zero) -> any EngineAlarm {
        clock.alarm(at: clock.boot.advanced(by: time)) { [rings] in
            dispatchPrecondition(condition: .onQueue(EngineActor.queue))
            rings.append(name)
        }
    }

    @Test func `an alarm fires once, and not before its time`() async throws {
        let (clock, times) = (clock, Recorder<BootTime>())
        let due = clock.boot.advanced(by: .milliseconds(30))
        _ = clock.alarm(at: due) { times.append(clock.boot) }
        try await times.wait(for: 1)
        alarm("later", in: .milliseconds(20))
        try await rings.wait(for: 1)
        #expect(times.elements.count == 1)
        #expect(times.elements.allSatisfy { $0 >= due })
    }

    @Test func `alarms fire in the order of their times, not in the order in which they were set`() async throws {
        alarm("third", in: .milliseconds(60))
        alarm("first", in: .milliseconds(20))
        alarm("second", in: .milliseconds(40))
        #expect(try await rings.wait(for: 3) == ["first", "second", "third"])
    }

    @Test(arguments: [BootTime(nanoseconds: 0), BootTime(nanoseconds: 1)])
    func `an overdue alarm fires at once`(time: BootTime) async throws {
        _ = clock.alarm(at: time) { [rings] in rings.append("overdue") }
        try await rings.wait(for: 1)
    }

    @Test func `an alarm in the farthest future does not fire, and does no harm`() async throws {
        _ = clock.alarm(at: BootTime(nanoseconds: .max)) { [rings] in rings.append("never") }
        alarm("now")
        #expect(try await rings.wait(for: 1) == ["now"])
    }

    @Test func `a cancelled alarm does not fire, even if it is cancelled late`() async throws {
        let early = alarm("early", in: .milliseconds(20))
        early.cancel()
        early.cancel()
        // The alarm is already due, but the queue cancels it before it can fire.
        await Task { @EngineActor in
            let due = alarm("due")
            due.cancel()
        }.value
        alarm("last", in: .milliseconds(40))
        #expect(try await rings.wait(for: 1) == ["last"])
    }

    @Test func `an alarm that another alarm cancels does not fire`() async throws {
        let time = clock.boot.advanced(by: .milliseconds(20))
        let second = clock.alarm(at: time.advanced(by: .nanoseconds(1))) { [rings] in rings.append("second") }
        _ = clock.alarm(at: time) { [rings] in
            rings.append("first")
            second.cancel()
        }
        alarm("last", in: .milliseconds(50))
        #expect(try await rings.wait(for: 2) == ["first", "last"])
    }

    @Test func `alarms may be set and cancelled from any thread`() async throws {
        await withTaskGroup(of: Void.self) { group in
            for number in 1...100 {
                group.addTask {
                    let alarm = alarm("\(number)", in: .milliseconds(number % 5))
                    if number.isMultiple(of: 2) { alarm.cancel() }
                }
            }
        }
        try await rings.wait { elements in
            Set(elements).isSuperset(of: (1...100).filter { $0 % 2 == 1 }.map(String.init))
        }
        alarm("last", in: .milliseconds(20))
        try await rings.wait { $0.last == "last" }
        #expect(Set(rings.elements).count == rings.elements.count, "each fires at most once")
    }

    @Test func `a later wake of the budget's clock replaces the earlier one`() async throws {
        let budget = clock.budgetClock()
        let (now, rings) = (budget.now, rings)
        budget.wake(at: now + .seconds(3600)) { rings.append("in an hour") }
        budget.wake(at: now + .milliseconds(800)) { rings.append("replaced") }
        budget.wake(at: now + .milliseconds(20)) { rings.append("first") }
        try await rings.wait(for: 1)
        budget.wake(at: now + .milliseconds(800)) { rings.append("called off") }
        budget.wake(at: nil) { rings.append("never") }
        budget.wake(at: now + .milliseconds(900)) { rings.append("second") }
        #expect(try await rings.wait(for: 2) == ["first", "second"])
    }

    @Test func `the date is the machine's date`() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let difference = clock.wall.milliseconds - Int64(time.tv_sec) * 1000
        #expect((-1000...60_000).contains(difference))
    }
}
