// A clock that a test sets. Alarms fire in order, on the engine's queue, without real waiting.

public import AccessEnabler
import Synchronization

public final class VirtualClock: EngineClock {
    private struct Alarm {
        let number: UInt64
        let time: BootTime
        let ring: @EngineActor @Sendable () -> Void
    }

    private struct State {
        var boot: BootTime
        var wall: ServerTime
        var alarms: [Alarm] = []
        var last: UInt64 = 0
    }

    private let state: Mutex<State>
    /// The times of all alarms that were ever set, for tests that wait for one.
    public let settings = Recorder<BootTime>()

    /// The `date` is in milliseconds since the epoch.
    public init(date: Int64 = 1_795_564_800_000) {
        state = Mutex(
            State(boot: BootTime(nanoseconds: 100_000_000_000), wall: ServerTime(milliseconds: date)))
    }

    public var boot: BootTime { state.withLock { $0.boot } }
    public var wall: ServerTime { state.withLock { $0.wall } }
    public var alarmCount: Int { state.withLock { $0.alarms.count } }

    public func alarm(at time: BootTime, _ ring: @escaping @EngineActor @Sendable () -> Void) -> any EngineAlarm {
        let number = state.withLock { state in
            state.last += 1
            state.alarms.append(Alarm(number: state.last, time: time, ring: ring))
            return state.last
        }
        settings.append(time)
        return Handle(clock: self, number: number)
    }

    /// Advances both clocks. Alarms that become due fire in order.
    @EngineActor public func advance(by duration: Duration) {
        let end = boot.advanced(by: duration)
        while let alarm = due(until: end) { alarm.ring() }
        pass(to: end)
    }

    /// Sets the date, but not the boot clock.
    public func setDate(_ milliseconds: Int64) {
        state.withLock { $0.wall = ServerTime(milliseconds: milliseconds) }
    }

    private func due(until end: BootTime) -> Alarm? {
        let alarm: Alarm? = state.withLock { state in
            guard
                let next = state.alarms.filter({ $0.time <= end }).min(by: {
                    ($0.time, $0.number) < ($1.time, $1.number)
                })
            else { return nil }
            state.alarms.removeAll { $0.number == next.number }
            return next
        }
        if let alarm { pass(to: max(boot, alarm.time)) }
        return alarm
    }

    private func pass(to time: BootTime) {
        state.withLock { state in
            state.wall = state.wall.advanced(by: state.boot.duration(to: time))
            state.boot = time
        }
    }

    private final class Handle: EngineAlarm {
        let clock: VirtualClock
        let number: UInt64

        init(clock: VirtualClock, number: UInt64) {
            self.clock = clock
            self.number = number
        }

        func cancel() { clock.state.withLock { $0.alarms.removeAll { $0.number == number } } }
    }
}
