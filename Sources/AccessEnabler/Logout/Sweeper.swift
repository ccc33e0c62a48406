// Keeps the calls that report logouts, at most one for each login, and the pauses between attempts. `LogoutDelivery`
// owns it and decides which logouts are sent.

@EngineActor final class Sweeper {
    enum Outcome: Sendable {
        case told(LogoutStep)
        /// The service refuses the logout, and later attempts would probably not help.
        case refused(BackendFault)
        case unreached(BackendFault)
    }

    private struct Call {
        let task: Task<Outcome, Never>
        let urgency: Urgency
    }

    private var underWay: [ProfileKey: Call] = [:]
    private var alarm: (any EngineAlarm)?
    private var pause: Duration?
    var isSweeping = false
    /// Logouts that the service has refused. They are sent again before the next login there, and after a restart.
    private(set) var refused: [ProfileKey: BackendFault] = [:]
    private struct Rest {
        let ends: BootTime
        let length: Duration
        let fault: BackendFault
    }
    /// Logouts that the service could not process. Each is retried after a pause that grows with every attempt.
    private var rests: [ProfileKey: Rest] = [:]

    /// Logouts that the service has not refused, but could not process at the last attempt, with the reason.
    var untaken: [ProfileKey: BackendFault] { rests.filter { refused[$0.key] == nil }.mapValues(\.fault) }

    /// Whether this logout is in its pause after an attempt. The attempts of one call are over then.
    func isResting(_ key: ProfileKey, at now: BootTime) -> Bool { rests[key].map { now < $0.ends } ?? false }

    /// Ends all pauses, because of a new logout.
    func endRests() { rests = [:] }

    /// Performs the call, or joins the one under way for this login. Waits until `end` at most.
    func send(
        _ key: ProfileKey, by end: BootTime?, urgency: Urgency, settings: EngineSettings, clock: any EngineClock,
        _ work: @escaping @EngineActor (Urgency) async -> Outcome
    ) async -> Outcome {
        let shared = underWay[key]?.urgency ?? Urgency(urgency.rank)
        let link = urgency.follow { shared.raise(to: $0) }
        defer { urgency.unfollow(link) }
        if let call = underWay[key] { return await outcome(of: call.task, by: end, clock: clock) }
        let task = Task { @EngineActor in await work(shared) }
        underWay[key] = Call(task: task, urgency: shared)
        let outcome = await task.value
        guard underWay[key]?.task == task else { return outcome }
        underWay[key] = nil
        switch outcome {
        case .told:
            refused[key] = nil
            rests[key] = nil
        case .refused(let fault): refused[key] = fault
        case .unreached(let fault):
            if fault.isTrouble {
                let length = rests[key].map { min($0.length * 2, settings.longestLogoutRetry) } ?? settings.logoutRetry
                rests[key] = Rest(ends: clock.boot.advanced(by: length), length: length, fault: fault)
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

    /// Cancels the report of a logout, because a new login has been made there.
    func callOff(_ key: ProfileKey) {
        cancel(key)
        refused[key] = nil
        rests[key] = nil
    }

    /// The login has ended again, which is another logout.
    func forgetRefusal(of key: ProfileKey) { refused[key] = nil }

    /// Cancels a report that is under way.
    func cancel(_ key: ProfileKey) { underWay.removeValue(forKey: key)?.task.cancel() }

    /// Starts again with the shortest pause, because there is a new logout.
    func reset() {
        alarm?.cancel()
        alarm = nil
        pause = nil
    }

    /// Calls `ring` after a pause, which doubles each time up to the limit in the settings.
    func retryLater(
        _ settings: EngineSettings, clock: any EngineClock, _ ring: @escaping @EngineActor @Sendable () -> Void
    ) {
        let next = min(pause.map { $0 * 2 } ?? settings.logoutRetry, settings.longestLogoutRetry)
        pause = next
        alarm = clock.alarm(at: clock.boot.advanced(by: next), ring)
    }
}

extension BackendFault {
    /// Whether the service was reached and cannot process the logout at the moment. It may still accept a login.
    var isTrouble: Bool {
        switch kind {
        case .serverError, .unusableAnswer, .throttled, .deadline, .refused: true
        case .noService, .registrationRefused, .tokenRefused, .unreachable, .insecure, .overloaded, .cancelled: false
        }
    }
}

/// Waits for the first of several results and ignores the others.
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
