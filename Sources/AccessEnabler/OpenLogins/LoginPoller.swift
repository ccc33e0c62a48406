// Asks the service at intervals whether the viewer has logged in with one code. There is one poller for each code,
// however many sessions show it; after a restart it also polls before any session shows the code again. Contract:
// access-enabler.md §7.7; rest-v2.md §7.

@EngineActor final class LoginPoller {
    enum End: Sendable {
        case done(Profile)
        case gone
        case expired
    }

    let key: LoginKey
    let login: OpenLogin
    /// The sessions that show the code.
    var watchers: Set<Int64> = []
    private var schedule: PollSchedule
    private var alarm: (any EngineAlarm)?
    private var isStopped = false
    private let ask: @EngineActor () async throws(BackendFault) -> LoginPoll
    private let isOver: @EngineActor () -> Bool
    private let ended: @EngineActor (LoginPoller, End) async -> Void
    private let ports: EnginePorts

    /// `lifetime` counts from now, on the clock that neither stops nor jumps. `isOver` says whether the code has
    /// expired by the service's date, as far as that is known, because not every service reports it.
    init(
        key: LoginKey, login: OpenLogin, lifetime: Duration, ports: EnginePorts,
        ask: @escaping @EngineActor () async throws(BackendFault) -> LoginPoll,
        isOver: @escaping @EngineActor () -> Bool,
        ended: @escaping @EngineActor (LoginPoller, End) async -> Void
    ) {
        self.key = key
        self.login = login
        self.ports = ports
        self.ask = ask
        self.isOver = isOver
        self.ended = ended
        let begins = ports.clock.boot
        schedule = PollSchedule(begins: begins, ends: begins.advanced(by: max(lifetime, .zero)))
        arm(schedule.first(chance: ports.chance()))
    }

    func stop() {
        isStopped = true
        alarm?.cancel()
        alarm = nil
    }

    /// When the next poll is due, for the status report.
    private(set) var next: BootTime?
    /// Whether a poll is waiting for the service.
    private(set) var isAsking = false

    private func arm(_ step: PollSchedule.Next) {
        switch step {
        case .ask(let time):
            next = time
            alarm = ports.clock.alarm(at: time) { [weak self] in
                guard let self else { return }
                Task { @EngineActor in await self.poll() }
            }
        case .expire(let time):
            next = nil
            alarm = ports.clock.alarm(at: time) { [weak self] in
                guard let self else { return }
                Task { @EngineActor in await self.finish(.expired) }
            }
        }
    }

    private func poll() async {
        guard !isStopped else { return }
        let outcome: PollSchedule.Outcome
        isAsking = true
        defer { isAsking = false }
        do throws(BackendFault) {
            let poll = try await ask()
            switch poll {
            case .done(let profile): return await finish(.done(profile))
            case .gone: return await finish(.gone)
            case .pending where isOver(): return await finish(.expired)
            case .pending: outcome = .pending
            }
        } catch {
            switch error.kind {
            // The service rejects the request itself, and would reject it again.
            case .refused: return await finish(.gone)
            case .throttled: outcome = .throttled
            default: outcome = .failed
            }
        }
        guard !isStopped else { return }
        arm(schedule.next(after: outcome, at: ports.clock.boot, chance: ports.chance()))
    }

    private func finish(_ end: End) async {
        guard !isStopped else { return }
        stop()
        await ended(self, end)
    }
}
