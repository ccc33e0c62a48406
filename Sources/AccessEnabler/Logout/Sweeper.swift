// Keeps the logouts that are under way to the service, one call for each login, and the pauses after which those that
// it has not heard of are tried again. `LogoutDelivery` owns it and decides what is sent.

@EngineActor final class Sweeper {
    enum Outcome: Sendable {
        case told(LogoutStep)
        /// The service answers that it will not do it. No later attempt helps.
        case refused
        case unreached(BackendFault)
    }

    private var underWay: [ProfileKey: Task<Outcome, Never>] = [:]
    private var alarm: (any EngineAlarm)?
    private var pause: Duration?
    var isSweeping = false
    /// What the service would not do: not asked for again before the next start.
    var refused: Set<ProfileKey> = []
    /// How often the service's answer made no sense.
    private var unusable: [ProfileKey: Int] = [:]
    private static let mostUnusable = 3

    /// The service has answered often enough without sense. It is asked on, but nobody waits for that.
    func isGivenUp(_ key: ProfileKey) -> Bool { unusable[key, default: 0] >= Self.mostUnusable }

    /// Tells the service, or joins the call that is under way for this login, for as long as there is time.
    func send(
        _ key: ProfileKey, by end: BootTime?, clock: any EngineClock,
        _ work: @escaping @EngineActor () async -> Outcome
    ) async -> Outcome {
        if let task = underWay[key] { return await outcome(of: task, by: end, clock: clock) }
        let task = Task { @EngineActor in await work() }
        underWay[key] = task
        let outcome = await task.value
        guard underWay[key] == task else { return outcome }
        underWay[key] = nil
        switch outcome {
        case .told: unusable[key] = nil
        case .refused: refused.insert(key)
        case .unreached(let fault):
            if fault.kind == .unusableAnswer {
                unusable[key] = min(unusable[key, default: 0], Self.mostUnusable) + 1
            }
        }
        return outcome
    }

    private func outcome(of task: Task<Outcome, Never>, by end: BootTime?, clock: any EngineClock) async -> Outcome {
        guard let end else { return await task.value }
        let race = Race<Outcome>()
        let alarm = clock.alarm(at: end) {
            Task { @EngineActor in race.finish(.unreached(BackendFault(.deadline))) }
        }
        defer { alarm.cancel() }
        Task { @EngineActor in race.finish(await task.value) }
        return await race.winner()
    }

    /// There is a new login: the old one's end must not reach it.
    func callOff(_ key: ProfileKey) {
        underWay.removeValue(forKey: key)?.cancel()
        refused.remove(key)
        unusable[key] = nil
    }

    /// After a new logout the pauses begin anew.
    func reset() {
        alarm?.cancel()
        alarm = nil
        pause = nil
    }

    /// Rings after a pause that is twice as long each time.
    func retryLater(
        _ settings: EngineSettings, clock: any EngineClock, _ ring: @escaping @EngineActor @Sendable () -> Void
    ) {
        let next = min(pause.map { $0 * 2 } ?? settings.logoutRetry, settings.longestLogoutRetry)
        pause = next
        alarm = clock.alarm(at: clock.boot.advanced(by: next), ring)
    }
}

/// Of several ends the first one counts.
@EngineActor private final class Race<Value: Sendable> {
    private var value: Value?
    private var waiter: CheckedContinuation<Value, Never>?

    func finish(_ value: Value) {
        guard self.value == nil else { return }
        self.value = value
        waiter?.resume(returning: value)
        waiter = nil
    }

    func winner() async -> Value {
        if let value { return value }
        return await withCheckedContinuation { waiter = $0 }
    }
}
