// The port to the box's clocks and timers. The engine has no clock of its own. The times may be read, and alarms set
// and cancelled, on any thread; alarms ring on the engine's queue.

public protocol EngineClock: Sendable {
    /// The clock for deadlines: it counts while the box sleeps and does not jump.
    var boot: BootTime { get }
    /// The box's date, which may be wrong. `ServerClock` corrects it.
    var wall: ServerTime { get }
    /// Calls `ring` on the engine's queue, at that time or as soon after it as possible.
    func alarm(at time: BootTime, _ ring: @escaping @EngineActor @Sendable () -> Void) -> any EngineAlarm
}

/// An alarm that has been set. After `cancel` it does not ring.
public protocol EngineAlarm: AnyObject, Sendable {
    func cancel()
}
