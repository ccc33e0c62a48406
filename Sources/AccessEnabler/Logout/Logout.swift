// Logout ends every login of the device: at once here, and at the service as soon as it hears of it. What it has not
// heard yet is a tombstone, which survives a restart and which no answer of the service brings back to life; only a new
// login does. Contract: access-enabler.md §9.5, §18; open-questions.md OQ-13.

import PassProtocol

extension Engine {
    /// What the caller's own requestor has left to do, and whether the end is written down.
    struct LogoutOutcome {
        var steps: [(ProviderID, LogoutStep)] = []
        var isDurable: Bool
    }

    /// Everything of all requestors is erased; the steps are those of the caller's own requestor. The service hears of as
    /// many of them as there is time for in a call, and of the others afterwards.
    func logout(_ standing: Standing, _ session: Session) async -> LogoutOutcome {
        let end = deadline(settings.callDeadline)
        // Who signed in at the platform is still signed in there. Contract: §17.8.
        let platforms = Set(memory.contents.profiles.filter { $0.value.kind == .appleSSO }.keys)
        let own = memory.contents.profiles.keys.filter { $0.login == standing.key }.sorted { $0.provider < $1.provider }
        let isWhole = settings.logoutScope == .device
        await giveUpLogin(standing.key, for: session)
        let (told, isDurable) = await erase(isWhole: isWhole) { [key = standing.key] in
            isWhole || $0.requestor == key.requestor
        }
        await tellOfLogout(told, except: session)
        var steps: [(ProviderID, LogoutStep)] = []
        for place in own {
            var step = LogoutStep.finished
            if ports.clock.boot < end, case .told(let answer) = await send(place, standing, by: end) { step = answer }
            if platforms.contains(place) { step = step.endingAtPlatform(session.options.style) }
            steps.append((place.provider, step))
        }
        sweepTombstones()
        return LogoutOutcome(steps: steps, isDurable: isDurable)
    }

    /// An operator's: of some or all logins, with or without telling the service. The number of logins that are gone, and
    /// whether that is written down.
    @discardableResult public func logout(
        requestor: RequestorID? = nil, provider: ProviderID? = nil, tellingService: Bool
    ) async -> (count: Int, isDurable: Bool) {
        let before = memory.contents.profiles.count
        let isWhole = requestor == nil && provider == nil
        let (told, isDurable) = await erase(isWhole: isWhole, tellingService: tellingService) { place in
            (requestor == nil || place.requestor == requestor) && (provider == nil || place.provider == provider)
        }
        await tellOfLogout(told, except: nil)
        sweepTombstones()
        // Whoever logged in meanwhile is not counted.
        return (max(0, before - memory.contents.profiles.count), isDurable)
    }

    /// Those who were logged in and are not any more.
    func tellOfLogout(_ told: [(LoginKey, ProviderID)], except session: Session?) async {
        for (key, provider) in told {
            tell(.authentication(key.requestor, provider, isAuthenticated: false, .logout))
            for other in ready(key) where other !== session { await other.loggedOut() }
        }
    }

    /// Whose login it was, and whether its end is written down.
    private func erase(
        isWhole: Bool, tellingService: Bool = true, _ isMeant: @escaping (ProfileKey) -> Bool
    ) async -> (told: [(LoginKey, ProviderID)], isDurable: Bool) {
        memory.endUnread(tellingService: tellingService, isMeant)
        let places = Set(memory.contents.profiles.keys.filter(isMeant))
        let requestors = Set(places.map(\.requestor))
        let told = Set(places.map(\.login)).compactMap { key in
            login(of: key).flatMap { places.contains(key.profile(at: $0.provider)) ? (key, $0.provider) : nil }
        }
        var changes: [VaultChange] = []
        if isWhole { epochs.turnAll() }
        inquiries.end(places)
        for place in places {
            changes.append(.profile(place, nil))
            if tellingService { changes.append(.tombstone(place, true)) }
            recollections[place] = nil
            epochs.turn(place.login)
        }
        let providers = Dictionary(grouping: places, by: \.requestor).mapValues { Set($0.map(\.provider)) }
        if !tellingService {
            // Whoever wants no word about it to the service wants none about what was ended before either.
            for place in memory.contents.tombstones where isMeant(place) {
                sweeper.callOff(place)
                changes.append(.tombstone(place, false))
            }
        }
        for (requestor, selection) in memory.contents.selections
        where isWhole || providers[requestor]?.contains(selection.provider.id) == true {
            changes.append(.selection(requestor, nil))
        }
        await memory.commit(changes)
        let isForgotten = await ports.importer?.forget(isWhole ? nil : requestors) ?? true
        let isDurable = memory.hasSaved(changes) && isForgotten
        return (told.sorted { $0.0.requestor < $1.0.requestor }, isDurable)
    }

    /// Tells the service. A tombstone goes when it has heard, or has nothing to end.
    private func send(_ place: ProfileKey, _ standing: Standing, by end: BootTime? = nil) async -> Sweeper.Outcome {
        await sweeper.send(place, by: end, ports.clock) { [self] in
            let caller = caller(standing, deadline: end ?? deadline(settings.callDeadline))
            do throws(BackendFault) {
                let step = try await standing.backend.logout(place.provider, caller)
                // A login came in between: what is a tombstone now is another logout's.
                guard !Task.isCancelled else { return .told(step) }
                await memory.commit([.tombstone(place, false)])
                return .told(step)
            } catch {
                switch error.kind {
                case .refused(let refusal) where refusal.meansNothingToEnd:
                    guard !Task.isCancelled else { return .told(.nothingToDo) }
                    await memory.commit([.tombstone(place, false)])
                    return .told(.nothingToDo)
                case .refused, .registrationRefused: return .refused
                default: return .unreached(error)
                }
            }
        }
    }

    /// Before anybody logs in: a logout that reaches the service only afterwards would end the new login. Those of other
    /// requestors count as well, since sign-on joins them; those at other services do not. Throws if the service cannot be told now,
    /// or not of all of them in most of a call's time; then it goes on to hear of them, and whoever tries again comes further.
    func settleLogouts(at provider: ProviderID?, _ key: LoginKey) async throws(BackendFault) {
        let end = deadline(settings.callDeadline * 2 / 3)
        let pending = memory.contents.tombstones.filter { place in
            !isHopeless(place) && !sweeper.isGivenUp(place)
                && place.registration.shares(serviceWith: key.registration)
                && (provider == nil || place.provider == provider || place.login == key)
        }
        for place in pending.sorted(by: { $0.requestor < $1.requestor }) {
            guard ports.clock.boot < end else {
                sweepTombstones()
                throw Self.waiting(BackendFault(.deadline))
            }
            if case .unreached(let fault) = await send(place, background(place.login), by: end),
                !sweeper.isGivenUp(place)
            {
                throw Self.waiting(fault)
            }
        }
    }

    /// What the login itself has nothing to do with.
    private static func waiting(_ fault: BackendFault) -> BackendFault {
        var fault = fault
        fault.reason = "the service has yet to hear of an earlier logout" + (fault.reason.map { ": \($0)" } ?? "")
        return fault
    }

    /// Before the service is asked who is logged in: what it has not heard of is still a login to it, and one of all
    /// requestors that sign-on joins. As far as it can be told now.
    func tellOfLogouts() async {
        // Somebody waits for what comes after.
        let end = ports.clock.boot.advanced(by: settings.callDeadline / 3)
        var silent: Set<String> = []
        for place in memory.contents.tombstones.sorted(by: { $0.requestor < $1.requestor }) where maySweep(place) {
            guard ports.clock.boot < end else { return }
            guard !silent.contains(place.registration.origin) else { continue }
            if case .unreached = await send(place, background(place.login), by: end) {
                silent.insert(place.registration.origin)
            }
        }
    }

    /// Tells the service of the logouts that it has not heard of, again and again with growing pauses.
    func sweepTombstones() {
        sweeper.reset()
        guard !sweeper.isSweeping, !memory.contents.tombstones.isEmpty else { return }
        sweeper.isSweeping = true
        Task { @EngineActor [weak self] in await self?.sweep() }
    }

    private func sweep() async {
        for place in memory.contents.tombstones.sorted(by: { $0.requestor < $1.requestor }) {
            guard !isStopping, memory.contents.tombstones.contains(place), maySweep(place) else { continue }
            _ = await send(place, background(place.login))
        }
        sweeper.isSweeping = false
        guard !isStopping, memory.contents.tombstones.contains(where: { !isHopeless($0) }) else { return }
        sweeper.rest(settings, ports.clock) { [weak self] in
            Task { @EngineActor [weak self] in
                guard let self, !sweeper.isSweeping else { return }
                sweeper.isSweeping = true
                await sweep()
            }
        }
    }

    /// The service will not hear of it, or is not there.
    private func isHopeless(_ place: ProfileKey) -> Bool {
        sweeper.refused.contains(place) || !hasService(place.registration)
    }

    /// Not while somebody is logging in there, or has done so since with this provider at the same service.
    private func maySweep(_ place: ProfileKey) -> Bool {
        guard pollers[place.login] == nil, !isHopeless(place) else { return false }
        return !memory.contents.profiles.keys.contains {
            $0.provider == place.provider && $0.registration.shares(serviceWith: place.registration)
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

extension LogoutStep {
    /// A browser still has a page to open.
    fileprivate func endingAtPlatform(_ style: LoginStyle) -> LogoutStep {
        if case .openURL = self, style == .browser { self } else { .systemSettings }
    }
}

extension EnhancedError {
    fileprivate var meansNothingToEnd: Bool {
        code == "invalid_integration" || code == "invalid_parameter_mvpd" || code.hasPrefix("authenticated_profile_")
    }
}
