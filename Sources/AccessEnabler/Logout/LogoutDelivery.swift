// Logouts on their way to the service. A login that has ended here leaves a tombstone until the service has heard of
// it; a tombstone survives a restart, and no answer of the service brings its login back to life, only a new login
// does. This type owns who is told when; `Sweeper` keeps what is under way.
// Contract: access-enabler.md §9.5, §18; open-questions.md OQ-13.

@EngineActor final class LogoutDelivery {
    private let context: EngineContext
    private let logins: Logins
    let sweeper = Sweeper()
    /// A code of this requestor is on a screen. The engine's composition sets it.
    var isSomebodyLoggingIn: (LoginKey) -> Bool = { _ in false }

    init(_ context: EngineContext, _ logins: Logins) {
        self.context = context
        self.logins = logins
    }

    private var clock: any EngineClock { context.ports.clock }

    private var tombstones: Set<ProfileKey> { logins.contents.tombstones }

    /// Tells the service. A tombstone goes when it has heard, or has nothing to end.
    func deliver(_ key: ProfileKey, for asker: Asker, by end: BootTime? = nil) async -> Sweeper.Outcome {
        await sweeper.send(key, by: end, clock: clock) { [self] in
            let caller = context.caller(for: asker, until: end ?? context.callDeadline)
            var step = LogoutStep.nothingToDo
            do throws(BackendFault) { step = try await asker.backend.logout(key.provider, caller) } catch {
                switch error.kind {
                case .refused(let refusal) where refusal.meansNothingToEnd: break
                case .refused, .registrationRefused: return .refused
                default: return .unreached(error)
                }
            }
            // Unless a login came in between: what is a tombstone now is another logout's.
            if !Task.isCancelled { await logins.memory.commit([.tombstone(key, false)]) }
            return .told(step)
        }
    }

    private func deliver(_ key: ProfileKey, by end: BootTime? = nil) async -> Sweeper.Outcome {
        await deliver(key, for: context.backgroundAsker(for: key.login), by: end)
    }

    /// Before anybody logs in: a logout that reaches the service only afterwards would end the new login. Those of
    /// other requestors count as well, since sign-on joins them; those at other services do not. Throws if the service
    /// cannot be told now, or not of all of them in most of a call's time; then it goes on to hear of them, and whoever
    /// tries again comes further.
    func settleLogouts(at provider: ProviderID?, before key: LoginKey) async throws(BackendFault) {
        let end = context.deadline(after: context.settings.callDeadline * 2 / 3)
        let pending = tombstones.filter { tombstone in
            !isHopeless(tombstone) && !sweeper.isGivenUp(tombstone)
                && tombstone.registration.shares(serviceWith: key.registration)
                && (provider == nil || tombstone.provider == provider || tombstone.login == key)
        }
        for tombstone in pending.sorted(by: { $0.requestor < $1.requestor }) {
            guard clock.boot < end else {
                sweepTombstones()
                throw Self.waiting(BackendFault(.deadline))
            }
            if case .unreached(let fault) = await deliver(tombstone, by: end), !sweeper.isGivenUp(tombstone) {
                throw Self.waiting(fault)
            }
        }
    }

    /// The fault says that the login itself has nothing to do with it.
    private static func waiting(_ fault: BackendFault) -> BackendFault {
        var fault = fault
        fault.reason = "the service has not yet been told of an earlier logout" + (fault.reason.map { ": \($0)" } ?? "")
        return fault
    }

    /// Before the service is asked who is logged in: what it has not heard of is still a login to it, and one of all
    /// requestors that sign-on joins. As far as it can be told now, since somebody waits for what comes after.
    func deliverWhatIsDue() async {
        let end = context.deadline(after: context.settings.callDeadline / 3)
        var silent: Set<String> = []
        for tombstone in tombstones.sorted(by: { $0.requestor < $1.requestor }) where mayDeliver(tombstone) {
            guard clock.boot < end else { return }
            guard !silent.contains(tombstone.registration.origin) else { continue }
            if case .unreached = await deliver(tombstone, by: end) { silent.insert(tombstone.registration.origin) }
        }
    }

    /// Tells the service of the logouts that it has not heard of, again and again with growing pauses.
    func sweepTombstones() {
        sweeper.reset()
        guard !sweeper.isSweeping, !tombstones.isEmpty else { return }
        sweeper.isSweeping = true
        Task { @EngineActor [weak self] in await self?.sweep() }
    }

    private func sweep() async {
        for tombstone in tombstones.sorted(by: { $0.requestor < $1.requestor }) {
            guard !context.isStopping, tombstones.contains(tombstone), mayDeliver(tombstone) else { continue }
            _ = await deliver(tombstone)
        }
        sweeper.isSweeping = false
        guard !context.isStopping, tombstones.contains(where: { !isHopeless($0) }) else { return }
        sweeper.retryLater(context.settings, clock: clock) { [weak self] in
            Task { @EngineActor [weak self] in
                guard let self, !sweeper.isSweeping else { return }
                sweeper.isSweeping = true
                await sweep()
            }
        }
    }

    /// A viewer has logged in there: an earlier logout must not reach the new login.
    func callOff(_ key: ProfileKey) { sweeper.callOff(key) }

    /// The service will not hear of it, or is not there.
    private func isHopeless(_ tombstone: ProfileKey) -> Bool {
        sweeper.refused.contains(tombstone) || !context.hasService(tombstone.registration)
    }

    /// Not while somebody is logging in there, or has done so since with this provider at the same service.
    private func mayDeliver(_ tombstone: ProfileKey) -> Bool {
        guard !isSomebodyLoggingIn(tombstone.login), !isHopeless(tombstone) else { return false }
        return !logins.contents.profiles.keys.contains {
            $0.provider == tombstone.provider && $0.registration.shares(serviceWith: tombstone.registration)
        }
    }
}

extension RegistrationKey {
    /// Who names several services at once has them all in the origin.
    fileprivate func shares(serviceWith other: RegistrationKey) -> Bool {
        let others = other.origin.split(separator: " ")
        return origin.split(separator: " ").contains { others.contains($0) }
    }
}

extension ServiceError {
    fileprivate var meansNothingToEnd: Bool {
        code == "invalid_integration" || code == "invalid_parameter_mvpd" || code.hasPrefix("authenticated_profile_")
    }
}
