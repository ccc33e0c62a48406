// Delivers logouts to the service. A login that has ended here leaves a tombstone until the service knows of its end. A
// tombstone survives a restart; no answer of the service revives its login, only a new login does. This type decides
// which logout is sent when; `Sweeper` keeps track of the calls.
// Contract: access-enabler.md §9.5, §18; open-questions.md OQ-13.

@EngineActor final class LogoutDelivery {
    private let context: EngineContext
    private let logins: Logins
    let sweeper = Sweeper()
    /// Returns whether a code of this requestor is open. `Engine` sets it.
    var isSomebodyLoggingIn: (LoginKey) -> Bool = { _ in false }

    init(_ context: EngineContext, _ logins: Logins) {
        self.context = context
        self.logins = logins
    }

    private var clock: any EngineClock { context.ports.clock }

    private var tombstones: Set<ProfileKey> { logins.contents.tombstones }

    /// Sends the logout. The tombstone is removed when the service has accepted it or has no such login.
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
            // After a new login, the tombstone belongs to a later logout and stays.
            if !Task.isCancelled { await logins.memory.commit([.tombstone(key, false)]) }
            return .told(step)
        }
    }

    private func deliver(_ key: ProfileKey, by end: BootTime? = nil) async -> Sweeper.Outcome {
        await deliver(key, for: context.backgroundAsker(for: key.login), by: end)
    }

    /// Delivers pending logouts before a login starts, since a logout that arrives later would end the new login. Those
    /// of other requestors at the same service count as well, because sign-on joins them. Throws if the service cannot
    /// be reached, or if two thirds of a call's time are not enough; delivery then goes on, so that a later attempt has
    /// less to do.
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

    /// Adds to the fault that it happened to a logout, and not to the login itself.
    private static func waiting(_ fault: BackendFault) -> BackendFault {
        var fault = fault
        fault.reason = "the service has not yet been told of an earlier logout" + (fault.reason.map { ": \($0)" } ?? "")
        return fault
    }

    /// Delivers what it can before the service is asked who is logged in: the service still considers these logins
    /// valid, also for other requestors. It uses at most a third of a call's time, because a caller is waiting.
    func deliverWhatIsDue() async {
        let end = context.deadline(after: context.settings.callDeadline / 3)
        var silent: Set<String> = []
        for tombstone in tombstones.sorted(by: { $0.requestor < $1.requestor }) where mayDeliver(tombstone) {
            guard clock.boot < end else { return }
            guard !silent.contains(tombstone.registration.origin) else { continue }
            if case .unreached = await deliver(tombstone, by: end) { silent.insert(tombstone.registration.origin) }
        }
    }

    /// Delivers all pending logouts in the background, and tries again with growing pauses.
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

    /// A viewer has logged in again: stops the delivery of an earlier logout, which would end the new login.
    func callOff(_ key: ProfileKey) { sweeper.callOff(key) }

    /// The service refuses this logout, or is not configured.
    private func isHopeless(_ tombstone: ProfileKey) -> Bool {
        sweeper.refused.contains(tombstone) || !context.hasService(tombstone.registration)
    }

    /// No logout is sent while a login is open for the requestor, or if there is a newer login with this provider at
    /// the same service.
    private func mayDeliver(_ tombstone: ProfileKey) -> Bool {
        guard !isSomebodyLoggingIn(tombstone.login), !isHopeless(tombstone) else { return false }
        return !logins.contents.profiles.keys.contains {
            $0.provider == tombstone.provider && $0.registration.shares(serviceWith: tombstone.registration)
        }
    }
}

extension RegistrationKey {
    /// A registration with several services names all of them in `origin`.
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
