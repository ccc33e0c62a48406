// The engine has no clock of its own: it reads this one and sets alarms on it.

public protocol EngineClock: Sendable {
    /// Counts suspend and does not jump: for deadlines.
    var boot: BootTime { get }
    /// The machine's date, which may be wrong; the engine corrects it by what the service's answers say.
    var wall: ServerTime { get }
    /// Calls back on the engine's queue at that time or as soon after as possible.
    func alarm(at time: BootTime, _ ring: @escaping @EngineActor @Sendable () -> Void) -> any EngineAlarm
}

public protocol EngineAlarm: Sendable {
    func cancel()
}
