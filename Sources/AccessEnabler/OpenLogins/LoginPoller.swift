// Polls the service for the outcome of one code. `OpenLogins` owns one poller for each open code, which several
// sessions may show. After a restart a code is polled even before a session shows it again. Contract: access-enabler.md
// §7.7; rest-v2.md §7.

@EngineActor final class LoginPoller {
    /// How the code ended. `gone`: the service no longer knows the code, or refuses the question. `replaced`: another
    /// app has asked for a code.
    enum End: Sendable {
        case done(Profile)
        case gone
        case expired
        case replaced
    }

    let key: LoginKey
    let login: OpenLogin
    /// The requestor's login when the polls began.
    var former: Profile?
    /// Whether the next app that asks gets a new code, because this code has no link and a new one may.
    var isOutdated = false
    /// The numbers of the sessions that show the code.
    var watchers: Set<Int64> = []
    private var schedule: PollSchedule
    private var alarm: (any EngineAlarm)?
    private var isStopped = false
    private let ask: @EngineActor () async throws(BackendFault) -> LoginPoll
    private let isOver: @EngineActor () -> Bool
    private let ended: @EngineActor (LoginPoller, End) async -> Void
    /// The number of open codes.
    private let codes: @EngineActor () -> Int
    private let ports: EnginePorts

    /// Begins to poll. `lifetime` counts from now, on the monotonic clock. `isOver` says whether the code has expired
    /// by the service's date, because not every service says so in its answer. `ended` is called once, unless `stop`
    /// comes first.
    init(
        key: LoginKey, login: OpenLogin, lifetime: Duration, ports: EnginePorts,
        codes: @escaping @EngineActor () -> Int,
        ask: @escaping @EngineActor () async throws(BackendFault) -> LoginPoll,
        isOver: @escaping @EngineActor () -> Bool,
        ended: @escaping @EngineActor (LoginPoller, End) async -> Void
    ) {
        self.key = key
        self.login = login
        self.ports = ports
        self.codes = codes
        self.ask = ask
        self.isOver = isOver
        self.ended = ended
        let begins = ports.clock.boot
        schedule = PollSchedule(begins: begins, ends: begins.advanced(by: max(lifetime, .zero)))
        arm(schedule.first(chance: ports.chance(), codes: codes()))
    }

    func stop() {
        isStopped = true
        alarm?.cancel()
        alarm = nil
    }

    /// The time of the next poll, for the status report. Nil if the code expires before it.
    private(set) var next: BootTime?
    /// Whether a poll is under way.
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
            // The service refuses the question, so a retry is useless.
            case .refused: return await finish(.gone)
            case .throttled: outcome = .throttled
            default: outcome = .failed
            }
        }
        guard !isStopped else { return }
        arm(schedule.next(after: outcome, at: ports.clock.boot, chance: ports.chance(), codes: codes()))
    }

    private func finish(_ end: End) async {
        guard !isStopped else { return }
        stop()
        await ended(self, end)
    }
}
