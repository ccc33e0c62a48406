// Polls the service for the outcome of one code. `OpenLogins` owns one poller for each open code. Several sessions may show the
// same code. After a restart, a code is polled even before a session shows it again. Contract: access-enabler.md §7.7;
// rest-v2.md §7.

@EngineActor final class LoginPoller {
    /// The way in which the code ended. `gone`: the service refuses the question. `expired`: the service no longer knows the
    /// code. `replaced`: another app has asked for a code.
    enum End: Sendable {
        case done(Profile)
        case gone
        case expired
        case replaced
    }

    let login: OpenLogin
    let asker: Asker
    /// The requestor's login when the polls began.
    var former: Profile?
    /// Whether the next app that asks for a code gets a new one. True if a new code may have a link or a page that this code
    /// does not have.
    var isOutdated = false
    /// The numbers of the sessions that show the code.
    var watchers: Set<Int64> = []
    private var schedule: PollSchedule
    private var alarm: (any EngineAlarm)?
    private var isStopped = false
    private let ports: EnginePorts
    private weak var owner: OpenLogins?

    var key: LoginKey { asker.key }
    /// The number of open codes.
    private var codes: Int { owner?.pollers.count ?? 1 }

    /// Begins to poll. `lifetime` counts from now, on the steady clock. The owner is told of the end once, unless `stop` is
    /// called before the end.
    init(_ login: OpenLogin, for asker: Asker, lifetime: Duration, ports: EnginePorts, owner: OpenLogins) {
        self.login = login
        self.asker = asker
        self.ports = ports
        self.owner = owner
        let begins = ports.clock.boot
        schedule = PollSchedule(begins: begins, ends: begins.advanced(by: max(lifetime, .zero)))
        arm(schedule.first(chance: ports.chance(), codes: codes))
    }

    func stop() {
        isStopped = true
        alarm?.cancel()
        alarm = nil
    }

    /// The time of the next poll, for the status report. Nil if the code expires before that time.
    private(set) var next: BootTime?
    /// Whether a poll is under way.
    private(set) var isAsking = false

    private func arm(_ step: PollSchedule.Next) {
        switch step {
        case .ask(let time):
            next = time
            alarm = ports.clock.alarm(at: time, starting: { [weak self] in await self?.poll() })
        case .expire(let time):
            next = nil
            alarm = ports.clock.alarm(at: time, starting: { [weak self] in await self?.finish(.expired) })
        }
    }

    private func poll() async {
        guard !isStopped else { return }
        let outcome: PollSchedule.Outcome
        isAsking = true
        defer { isAsking = false }
        do throws(BackendFault) {
            switch try await owner?.ask(self) ?? .gone {
            case .done(let profile): return await finish(.done(profile))
            // The service forgets a code when it expires.
            case .gone: return await finish(.expired)
            // Not every service reports in its answer that the code has expired.
            case .pending where owner?.hasEnded(login) == true: return await finish(.expired)
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
        arm(schedule.next(after: outcome, at: ports.clock.boot, chance: ports.chance(), codes: codes))
    }

    private func finish(_ end: End) async {
        guard !isStopped else { return }
        stop()
        await owner?.finish(self, end)
    }
}
