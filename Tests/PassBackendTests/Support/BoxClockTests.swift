// Tests that a clock may be advanced while alarms are still being set. Other tests do that.

import AccessEnabler
import PassTestKit
import PassTestTools
import Testing

@Suite struct BoxClockTests {
    @Test func `an alarm that is set after its time still fires`() async {
        let rung = Recorder<String>()
        let box = BoxClock()
        let late = (boot: box.boot, now: box.now)
        box.advance(by: .seconds(1))
        _ = box.alarm(at: late.boot) { rung.append("engine") }
        box.wake(at: late.now) { rung.append("budget") }
        let gate = VirtualClock()
        gate.wake(at: gate.now) { rung.append("gate") }
        await eventually { Set(rung.elements) == ["engine", "budget", "gate"] }
        #expect(box.alarmCount == 0 && gate.alarm == nil)
    }
}
