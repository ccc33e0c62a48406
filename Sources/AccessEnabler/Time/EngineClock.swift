// The port to the box's clocks; the engine has no clock of its own. Times may be read, and alarms set or cancelled,
// from any thread. Alarms ring on the engine's queue.

public protocol EngineClock: Sendable {
    /// The clock for deadlines. It includes suspend and never jumps.
    var boot: BootTime { get }
    /// The machine's date, which may be wrong. The engine corrects it by the dates of the service's answers.
    var wall: ServerTime { get }
    /// Calls `ring` on the engine's queue at that time, or as soon after it as possible.
    func alarm(at time: BootTime, _ ring: @escaping @EngineActor @Sendable () -> Void) -> any EngineAlarm
}

/// An alarm that was set. It does not ring after `cancel`.
public protocol EngineAlarm: Sendable {
    func cancel()
}
