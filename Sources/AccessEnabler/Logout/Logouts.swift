// The end of logins: at once here, and at the service as soon as it hears of it, which is `LogoutDelivery`'s. A viewer
// ends every login of the device; an operator or the check of the storage may end fewer. This type owns the order of
// things: what ends is erased and written down, then apps hear of it, then the service.
// Contract: access-enabler.md §5.2, §9.5, §18; open-questions.md OQ-13, OQ-16.

import PassProtocol

@EngineActor final class Logouts {
    /// What the caller's own requestor has left to do, and whether the end is written down.
    struct Outcome {
        var steps: [(ProviderID, LogoutStep)] = []
        var isDurable: Bool
    }

    /// Whose logins end.
    private struct Erasure {
        /// Of all requestors.
        var isWhole: Bool
        var tellsService = true
        /// Which logins end.
        var ends: (ProfileKey) -> Bool
        /// Whose choice of a provider is forgotten also where no login of theirs ends.
        var forgetsChoice: (RequestorID) -> Bool = { _ in false }
        /// Whose logins of older layouts are forgotten; nil: those of the requestors that lose a login, or of all.
        var importedRequestors: Set<RequestorID>?
    }

    private let context: EngineContext
    private let logins: Logins
    private let openLogins: OpenLogins
    private let audience: Audience
    private let delivery: LogoutDelivery

    init(
        _ context: EngineContext, _ logins: Logins, openLogins: OpenLogins, audience: Audience, delivery: LogoutDelivery
    ) {
        self.context = context
        self.logins = logins
        self.openLogins = openLogins
        self.audience = audience
        self.delivery = delivery
    }

    /// A viewer's logout. Everything of all requestors is erased; the steps are those of the caller's own requestor.
    /// The service hears of as many of them as there is time for in a call, and of the others afterwards.
    func logout(for asker: Asker, session: Int64, style: LoginStyle) async -> Outcome {
        let end = context.callDeadline
        // Who signed in at the platform is still signed in there. Contract: §17.8.
        let platforms = Set(logins.contents.profiles.filter { $0.value.kind == .appleSSO }.keys)
        let own = logins.profileKeys(of: asker.key).sorted { $0.provider < $1.provider }
        let isWhole = context.settings.logoutScope == .device
        await openLogins.cancelLogin(of: asker.key, by: session)
        let (told, isDurable) = await erase(
            Erasure(isWhole: isWhole) { [key = asker.key] in isWhole || $0.requestor == key.requestor })
        await tellApps(told, except: session)
        var steps: [(ProviderID, LogoutStep)] = []
        for key in own {
            var step = LogoutStep.finished
            if context.ports.clock.boot < end,
                case .told(let answer) = await delivery.deliver(key, for: asker, by: end)
            {
                step = answer
            }
            if platforms.contains(key) { step = step.endingAtPlatform(style) }
            steps.append((key.provider, step))
        }
        delivery.sweepTombstones()
        return Outcome(steps: steps, isDurable: isDurable)
    }

    /// An operator's. The number of logins that are gone, and whether that is written down.
    func logout(
        requestor: RequestorID?, provider: ProviderID?, tellingService: Bool
    ) async -> (count: Int, isDurable: Bool) {
        let before = logins.contents.profiles.count
        let isWhole = requestor == nil && provider == nil
        let (told, isDurable) = await erase(
            Erasure(isWhole: isWhole, tellsService: tellingService) { key in
                (requestor == nil || key.requestor == requestor) && (provider == nil || key.provider == provider)
            })
        await tellApps(told, except: nil)
        delivery.sweepTombstones()
        // Whoever logged in meanwhile is not counted.
        return (max(0, before - logins.contents.profiles.count), isDurable)
    }

    /// What `setRequestor` does to storage before the service is asked: `all` erases if anything is wrong, `clear`
    /// always; only what belongs to the app. It is silent for the app that asked, and others hear that they are logged
    /// out. Registrations stay: they are not logins. rpc.md §5; contract: dcr.md §7.
    func checkStorage(
        _ check: SetRequestor.StorageCheck, of requestors: Set<RequestorID>, mayEraseAll: Bool, session: Int64
    ) async {
        switch check {
        case .none: return
        case .all: if logins.memory.fault == nil, await context.ports.vault.examine() { return }
        case .clear: break
        }
        let isMeant = { @Sendable in mayEraseAll || requestors.contains($0) }
        let (told, _) = await erase(
            Erasure(
                isWhole: mayEraseAll, ends: { isMeant($0.requestor) }, forgetsChoice: isMeant,
                importedRequestors: requestors))
        await tellApps(told, except: session)
        delivery.sweepTombstones()
    }

    /// Those who were logged in and are not any more.
    private func tellApps(_ told: [(LoginKey, ProviderID)], except session: Int64?) async {
        for (key, provider) in told {
            context.publish(.authentication(key.requestor, provider, isAuthenticated: false, .logout))
            await audience.tellLogout(of: key, except: session)
        }
    }

    /// Whose login it was, and whether its end is written down.
    private func erase(_ erasure: Erasure) async -> (told: [(LoginKey, ProviderID)], isDurable: Bool) {
        logins.memory.endUnreadLogins(tellingService: erasure.tellsService, erasure.ends)
        let keys = Set(logins.contents.profiles.keys.filter(erasure.ends))
        let told = Set(keys.map(\.login)).compactMap { key in
            logins.login(of: key).flatMap { keys.contains(key.profileKey(at: $0.provider)) ? (key, $0.provider) : nil }
        }
        var changes: [VaultChange] = []
        if erasure.isWhole { logins.epochs.endAll() }
        logins.questions.noteEnded(keys)
        for key in keys {
            changes.append(.profile(key, nil))
            // The viewer is logged out: what the service still knows must not come back with its next answer.
            if erasure.tellsService { changes.append(.tombstone(key, true)) }
            logins.endAnswers(under: key)
        }
        if !erasure.tellsService {
            // Whoever wants no word about it to the service wants none about what was ended before either.
            for key in logins.contents.tombstones where erasure.ends(key) {
                delivery.callOff(key)
                changes.append(.tombstone(key, false))
            }
        }
        let providers = Dictionary(grouping: keys, by: \.requestor).mapValues { Set($0.map(\.provider)) }
        for (requestor, selection) in logins.contents.selections
        where erasure.isWhole || erasure.forgetsChoice(requestor)
            || providers[requestor]?.contains(selection.provider.id) == true
        {
            changes.append(.selection(requestor, nil))
        }
        await logins.memory.commit(changes)
        let imported = erasure.isWhole ? nil : erasure.importedRequestors ?? Set(keys.map(\.requestor))
        let isForgotten = await context.ports.importer?.forget(imported) ?? true
        let isDurable = logins.memory.hasSaved(changes) && isForgotten
        return (told.sorted { $0.0.requestor < $1.0.requestor }, isDurable)
    }
}

extension LogoutStep {
    /// A browser still has a page to open.
    fileprivate func endingAtPlatform(_ style: LoginStyle) -> LogoutStep {
        if case .openURL = self, style == .browser { self } else { .systemSettings }
    }
}
