// The port to the box's clocks. The engine has none of its own: it reads this one and sets alarms on it. Any thread
// may read the times and set or cancel an alarm; alarms ring on the engine's queue.

public protocol EngineClock: Sendable {
    /// Counts suspend and does not jump: for deadlines.
    var boot: BootTime { get }
    /// The machine's date, which may be wrong; the engine corrects it by what the service's answers say.
    var wall: ServerTime { get }
    /// Calls back on the engine's queue at that time or as soon after as possible.
    func alarm(at time: BootTime, _ ring: @escaping @EngineActor @Sendable () -> Void) -> any EngineAlarm
}

/// An alarm that was set. After `cancel` it does not ring any more.
public protocol EngineAlarm: Sendable {
    func cancel()
}
