// Reports logouts to the service. A login that has ended here leaves a *tombstone*. This record stays until the service knows
// of the end, even after a restart. While the tombstone exists, no answer of the service restores the login. Only a new login
// of the viewer counts. `Logouts` ends the logins on this box. Contract: access-enabler.md §9.5, §18; open-questions.md OQ-13.

import PassProtocol

@EngineActor final class LogoutDelivery {
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

    /// The pause that begins when the service could not process a logout.
    private struct Rest {
        let ends: BootTime
        let length: Duration
        let fault: BackendFault
    }

    private let context: EngineContext
    private let logins: Logins
    /// The calls in progress, at most one for each login.
    private var calls: [ProfileKey: Call] = [:]
    /// The logouts that the service has refused. They are sent again before the next login with the provider, and after a
    /// restart.
    private var refused: [ProfileKey: BackendFault] = [:]
    /// Logouts that the service could not process. Each is retried after a pause that grows with every attempt.
    private var rests: [ProfileKey: Rest] = [:]
    /// Whether all pending logouts are being reported.
    private(set) var isSweeping = false
    private var sweepAlarm: (any EngineAlarm)?
    private var sweepPause: Duration?
    /// Whether an open code may lead to a login that this logout could end. `Engine` sets this closure.
    var isLoginOpen: (ProfileKey) -> Bool = { _ in false }

    init(_ context: EngineContext, _ logins: Logins) {
        self.context = context
        self.logins = logins
    }

    private var clock: any EngineClock { context.ports.clock }

    private var tombstones: Set<ProfileKey> { logins.tombstones }

    /// Reports the logout. If a call for this logout is already in progress, waits for that call, at most until `end`. Removes
    /// the tombstone when the service has accepted the logout or has no such login.
    func deliver(_ key: ProfileKey, for asker: Asker, by end: BootTime? = nil) async -> Outcome {
        let shared = calls[key]?.urgency ?? Urgency(asker.urgency.rank)
        let link = asker.urgency.follow { shared.raise(to: $0) }
        defer { asker.urgency.unfollow(link) }
        if let task = calls[key]?.task {
            guard let end else { return await task.value }
            return await context.within(clock.boot.duration(to: end)) { await task.value }
                ?? .unreached(BackendFault(.deadline))
        }
        let task = Task { @EngineActor in await report(key, for: asker, urgency: shared, by: end) }
        calls[key] = Call(task: task, urgency: shared)
        let outcome = await task.value
        // If this report was cancelled in the meantime, its outcome does not count.
        guard calls[key]?.task == task else { return outcome }
        calls[key] = nil
        note(outcome, of: key)
        return outcome
    }

    private func report(
        _ key: ProfileKey, for asker: Asker, urgency: Urgency, by end: BootTime?
    ) async -> Outcome {
        var caller = context.caller(for: asker, until: end ?? context.callDeadline)
        caller.urgency = urgency
        var step = LogoutStep.nothingToDo
        do throws(BackendFault) { step = try await asker.backend.logout(key.provider, caller) } catch {
            switch error.kind {
            case .refused(let refusal) where refusal.meansNothingToEnd: break
            case .refused(let refusal) where refusal.meansLater: return .unreached(error)
            case .refused, .registrationRefused:
                // Each reason is reported to the operator only once.
                if refused[key]?.code != error.code {
                    context.publish(.logoutRefused, key.requestor, key.provider, because: .init(error))
                }
                return .refused(error)
            default: return .unreached(error)
            }
        }
        // A cancelled report leaves the tombstone, because the tombstone may belong to a later logout of the same login.
        if !Task.isCancelled { await logins.removeTombstone(key) }
        return .told(step)
    }

    private func note(_ outcome: Outcome, of key: ProfileKey) {
        switch outcome {
        case .told: forget(key)
        case .refused(let fault): refused[key] = fault
        case .unreached(let fault):
            guard fault.isTrouble else { return }
            let (first, longest) = (context.settings.logoutRetry, context.settings.longestLogoutRetry)
            let length = rests[key].map { min($0.length * 2, longest) } ?? first
            rests[key] = Rest(ends: clock.boot.advanced(by: length), length: length, fault: fault)
        }
    }

    private func forget(_ key: ProfileKey) {
        refused[key] = nil
        rests[key] = nil
    }

    /// The logouts that the service has refused, with the service's reasons. Each is sent again before the next login with the
    /// provider.
    var refusals: [Engine.OwedLogout] { owed(refused) }

    /// The logouts that the service could not process yet. Each is retried after a pause.
    var untaken: [Engine.OwedLogout] {
        owed(rests.filter { refused[$0.key] == nil }.mapValues(\.fault))
    }

    private func owed(_ faults: [ProfileKey: BackendFault]) -> [Engine.OwedLogout] {
        faults.filter { tombstones.contains($0.key) && context.hasService($0.key.registration) }
            .map { (requestor: $0.key.requestor, provider: $0.key.provider, fault: $0.value) }
            .sorted { ($0.requestor, $0.provider) < ($1.requestor, $1.provider) }
    }

    private func deliver(
        _ key: ProfileKey, by end: BootTime? = nil, urgency: Urgency = Urgency(.background)
    ) async -> Outcome {
        var asker = context.backgroundAsker(for: key.login)
        asker.urgency = urgency
        return await deliver(key, for: asker, by: end)
    }

    /// Reports pending logouts before a login, because a later report would end the new login. Includes logouts of other
    /// requestors at the same service, because single sign-on joins the logins. If the service refuses a logout or cannot
    /// process it now, the login does not wait, and the logout is reported later (ruling 44). Throws if the service cannot be
    /// reached, or if two thirds of the call's remaining time are not enough. In the second case, the remaining logouts are
    /// reported in the background, so that a later attempt has fewer logouts to report.
    func settleLogouts(at provider: ProviderID?, before asker: Asker) async throws(BackendFault) {
        let key = asker.key
        let end = context.deadline(after: context.limited(context.settings.callDeadline, by: asker) * 2 / 3)
        // Skips logouts that could end a later login, and logouts that the service has just failed to process.
        let pending = owed(at: provider, before: key, orOf: key).filter {
            !couldEndLogin($0) && !isResting($0)
        }.sorted { $0.requestor < $1.requestor }
        for (index, tombstone) in pending.enumerated() {
            guard clock.boot < end else {
                sweepTombstones()
                throw Self.waiting(BackendFault(.deadline))
            }
            guard case .unreached(let fault) = await deliver(tombstone, by: end, urgency: Urgency(.viewer)) else {
                continue
            }
            guard fault.isTrouble else { throw Self.waiting(fault) }
            guard fault.kind == .deadline else { continue }
            calls.removeValue(forKey: tombstone)?.task.cancel()
            // If more logouts are pending, no time is left for them, so the login cannot begin now.
            guard index + 1 == pending.count else {
                sweepTombstones()
                throw Self.waiting(fault)
            }
        }
    }

    /// Whether a login with this provider has ended here, and the service may not know of its end. If so, only a new login by
    /// the viewer may count.
    func isOwed(at provider: ProviderID?, before key: LoginKey) -> Bool { !owed(at: provider, before: key).isEmpty }

    /// The pending logouts at the service of `key`: those with this provider, or with any provider if `provider` is nil. If
    /// `login` is given, all its logouts are included.
    private func owed(at provider: ProviderID?, before key: LoginKey, orOf login: LoginKey? = nil) -> Set<ProfileKey> {
        tombstones.filter { tombstone in
            context.hasService(tombstone.registration) && tombstone.registration.shares(serviceWith: key.registration)
                && (provider == nil || tombstone.provider == provider || tombstone.login == login)
        }
    }

    /// Marks the fault as caused by an earlier logout, not by the login.
    private static func waiting(_ fault: BackendFault) -> BackendFault {
        var fault = fault
        fault.reason = "the service has not yet been told of an earlier logout" + (fault.reason.map { ": \($0)" } ?? "")
        return fault
    }

    /// Reports pending logouts before the service is asked about logins, because the service still accepts the ended logins
    /// until it knows of the logouts. With single sign-on, it accepts them for all requestors. Stops after a third of
    /// `setupDeadline`, because a viewer is waiting.
    func deliverWhatIsDue(_ urgency: Urgency) async {
        await deliverWhatIsDue(urgency, by: context.deadline(after: context.settings.setupDeadline / 3))
    }

    /// Reports pending logouts for an operator, and takes at most as long as a call (`callDeadline`). Returns the logouts that
    /// the service has not accepted.
    func deliverAll() async -> Set<ProfileKey> {
        await deliverWhatIsDue(Urgency(.viewer), by: context.callDeadline)
        return tombstones
    }

    private func deliverWhatIsDue(_ urgency: Urgency, by end: BootTime) async {
        var silent: Set<String> = []
        for tombstone in tombstones.sorted(by: { $0.requestor < $1.requestor }) where mayDeliver(tombstone) {
            guard clock.boot < end else { return }
            guard !silent.contains(tombstone.registration.origin) else { continue }
            if case .unreached(let fault) = await deliver(tombstone, by: end, urgency: urgency) {
                // If the service has refused this logout, it can be reached, and may accept other logouts.
                if case .refused = fault.kind { continue }
                silent.insert(tombstone.registration.origin)
            }
        }
    }

    /// Reports all pending logouts in the background, and repeats this with growing pauses while any logouts are left.
    func sweepTombstones() {
        // There may be a new logout, so the pauses restart with the shortest one.
        sweepAlarm?.cancel()
        (sweepAlarm, sweepPause) = (nil, nil)
        startSweep()
    }

    private func startSweep() {
        guard !isSweeping, !tombstones.isEmpty else { return }
        isSweeping = true
        Task { @EngineActor [weak self] in await self?.sweep() }
    }

    private func sweep() async {
        for tombstone in tombstones.sorted(by: { $0.requestor < $1.requestor }) {
            guard !context.isStopping, tombstones.contains(tombstone), mayDeliver(tombstone) else { continue }
            _ = await deliver(tombstone)
        }
        isSweeping = false
        guard !context.isStopping, tombstones.contains(where: { !isHopeless($0) }) else { return }
        let pause = min(sweepPause.map { $0 * 2 } ?? context.settings.logoutRetry, context.settings.longestLogoutRetry)
        sweepPause = pause
        sweepAlarm = clock.alarm(at: clock.boot.advanced(by: pause)) { [weak self] in self?.startSweep() }
    }

    /// Cancels the report of an earlier logout, because the report must not end a new login with the same provider. If
    /// `isSettled` is false, the logout still has to be reported later.
    func callOff(_ key: ProfileKey, isSettled: Bool = true) {
        calls.removeValue(forKey: key)?.task.cancel()
        if isSettled { forget(key) }
    }

    /// Forgets the refusal, because the login has ended again and this is a new logout.
    func forgetRefusal(of key: ProfileKey) { refused[key] = nil }

    func endRests() { rests = [:] }

    /// Whether this logout is in its pause after a failed attempt.
    private func isResting(_ key: ProfileKey) -> Bool { rests[key].map { clock.boot < $0.ends } ?? false }

    /// Whether a report cannot succeed: the service refuses it, or is no longer configured.
    private func isHopeless(_ tombstone: ProfileKey) -> Bool {
        refused[tombstone] != nil || !context.hasService(tombstone.registration)
    }

    /// Whether the logout may be reported now. It must wait during a pause, while a login with the provider is open, and while
    /// the report could end a later login.
    private func mayDeliver(_ tombstone: ProfileKey) -> Bool {
        !isLoginOpen(tombstone) && !isHopeless(tombstone) && !isResting(tombstone)
            && !couldEndLogin(tombstone)
    }

    /// Whether the report could end a login that began after the logout. This is true if a login with this provider at the same
    /// service is stored, because single sign-on may have joined it to the login that ended.
    private func couldEndLogin(_ tombstone: ProfileKey) -> Bool {
        logins.profiles.keys.contains {
            $0.provider == tombstone.provider && $0.registration.shares(serviceWith: tombstone.registration)
        }
    }
}

extension RegistrationKey {
    /// Whether both registrations have a service in common, on the same interface. The origin of a registration for united
    /// services is a list of their addresses, separated by spaces.
    func shares(serviceWith other: RegistrationKey) -> Bool {
        guard interface == other.interface else { return false }
        let others = other.origin.split(separator: " ")
        return origin.split(separator: " ").contains { others.contains($0) }
    }
}

extension BackendFault {
    /// Whether the service was reached but cannot process the logout at the moment. It may still accept a login.
    fileprivate var isTrouble: Bool {
        switch kind {
        case .serverError, .unusableAnswer, .throttled, .deadline, .refused: true
        case .noService, .registrationRefused, .tokenRefused, .unreachable, .insecure, .overloaded, .cancelled: false
        }
    }
}

extension ServiceError {
    /// Whether the service says that it has no such login.
    fileprivate var meansNothingToEnd: Bool { code.hasPrefix("authenticated_profile_") }

    /// Whether the service may accept the logout later. While a provider is switched off for a requestor, the service keeps the
    /// login but refuses its logout. E21.
    fileprivate var meansLater: Bool { meansLapsedIntegration || action == .retry }
}
