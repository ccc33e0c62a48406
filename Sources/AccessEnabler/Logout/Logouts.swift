// Ends logins. A viewer's logout ends every login of the device. The setting `logout-scope` can limit the logout to the
// requestor. An operator or a storage check may end fewer logins. The order is fixed. First the logins end, and the change is
// committed. Then the apps are told. Finally, the service is told (`LogoutDelivery`). Contract: access-enabler.md §5.2, §9.5,
// §18; open-questions.md OQ-13, OQ-16.

import PassProtocol

@EngineActor final class Logouts {
    /// The app's remaining steps, and whether the end of all logins is durable. There is one step for each login of the app's
    /// own requestor.
    struct Outcome {
        typealias Step = (provider: ProviderID, step: LogoutStep, isTold: Bool)
        var steps: [Step] = []
        var isDurable: Bool
    }

    /// The logins that a logout ends, and the other data that it erases.
    private struct Scope {
        /// Whether the logout is for all requestors of the device.
        var isWhole: Bool
        var tellsService = true
        var cause = LoginEndCause.logout
        var by: String?
        var ends: (ProfileKey) -> Bool
        /// Returns true for requestors whose selection is forgotten even if none of their logins ends.
        var forgetsChoice: (RequestorID) -> Bool = { _ in false }
        /// The requestors whose logins from older storage layouts are forgotten. Nil means the requestors that lose a login. If
        /// `isWhole` is true, all such logins are forgotten instead.
        var importedRequestors: Set<RequestorID>?
    }

    /// The name of the operator in events about logins that an admin call has ended.
    static let theOperator = "operator"

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

    /// Logs a viewer out. The returned steps are for the caller's own requestor. The service first gets the logouts of that
    /// requestor, within the call's deadline, and then the other logouts. `ended` is called when the logins have ended here.
    func logout(for asker: Asker, session: Int64, style: LoginStyle, ended: () -> Void) async -> Outcome {
        let end = asker.deadline ?? context.callDeadline
        // A viewer who signed in with the platform's account is still signed in on the platform. Contract: §17.8.
        let platforms = Set(logins.profiles.filter { $0.value.kind == .appleSSO }.keys)
        let own = logins.profileKeys(of: asker.key).sorted { $0.provider < $1.provider }
        let isWhole = context.settings.logoutScope == .device
        delivery.endRests()
        await openLogins.cancelLogin(of: asker.key, by: session)
        await openLogins.giveUpUnwatched { isWhole || $0.requestor == asker.key.requestor }
        let (told, isDurable) = await endLogins(
            Scope(isWhole: isWhole, by: asker.key.registration.app.rawValue) { [key = asker.key] in
                isWhole || $0.requestor == key.requestor
            })
        ended()
        await tellApps(told, except: session)
        var steps: [Outcome.Step] = []
        for key in own {
            var step = LogoutStep.finished
            var isTold = false
            if context.ports.clock.boot < end,
                case .told(let answer) = await delivery.deliver(key, for: asker, by: end)
            {
                (step, isTold) = (answer, true)
            }
            if platforms.contains(key) { step = step.endingAtPlatform(style) }
            steps.append((key.provider, step, isTold))
        }
        delivery.sweepTombstones()
        return Outcome(steps: steps, isDurable: isDurable)
    }

    /// Logs out for an operator, or for a viewer in the app `app`. The app need not have a requestor. Nil selects all
    /// requestors or all providers. Returns the number of logins that have ended, and whether their end is durable.
    func logout(
        requestor: RequestorID?, provider: ProviderID?, tellingService: Bool, by app: AppID?
    ) async -> (count: Int, isDurable: Bool) {
        delivery.endRests()
        let before = logins.profiles.count
        let isWhole = requestor == nil && provider == nil
        if isWhole, tellingService { await openLogins.giveUpUnwatched { _ in true } }
        let (told, isDurable) = await endLogins(
            Scope(
                isWhole: isWhole, tellsService: tellingService, cause: tellingService ? .logout : .forgotten,
                by: app?.rawValue ?? Self.theOperator
            ) { key in
                (requestor == nil || key.requestor == requestor) && (provider == nil || key.provider == provider)
            })
        await tellApps(told, except: nil, saying: app == nil ? .signInAgain : nil)
        delivery.sweepTombstones()
        // A new login during the erasure must not make the number negative.
        return (max(0, before - logins.profiles.count), isDurable)
    }

    /// Checks the storage for `setRequestor`, before the service is asked. `all` erases data only if the store has a fault.
    /// `clear` always erases data. Only the data of `requestors` is erased. The calling app gets no callback; other apps are
    /// told that they are logged out. Registrations are kept, because they are not logins. rpc.md §5; contract: dcr.md §7.
    func checkStorage(
        _ check: SetRequestor.StorageCheck, of requestors: Set<RequestorID>, by app: AppID, session: Int64
    ) async {
        switch check {
        case .none: return
        case .all: if logins.isStoreWorking, await context.ports.vault.examine() { return }
        case .clear: break
        }
        let (told, _) = await endLogins(
            Scope(
                isWhole: false, cause: .store, by: app.rawValue, ends: { requestors.contains($0.requestor) },
                forgetsChoice: requestors.contains, importedRequestors: requestors))
        await tellApps(told, except: session)
        delivery.sweepTombstones()
    }

    private func tellApps(
        _ told: [(LoginKey, ProviderID)], except session: Int64?, saying sentence: BoxSentence? = nil
    ) async {
        for (key, _) in told {
            await audience.tellEnd(of: key, .logout, except: session, saying: sentence)
        }
    }

    /// Ends the logins, and the selections of their providers. If the service has to be told, each login leaves a tombstone, so
    /// that the service's next answer does not restore the login. Earlier tombstones stay in any case. Returns the ended logins
    /// that were valid and selected, and whether the end is durable.
    private func endLogins(_ scope: Scope) async -> (told: [(LoginKey, ProviderID)], isDurable: Bool) {
        let keys = Set(logins.profiles.keys.filter(scope.ends))
        let inUse = Set(keys.filter { context.hasService($0.registration) }.map(\.login)).compactMap { key in
            logins.login(of: key).map { (key, $0.provider) }
        }
        logins.endUnread(tellingService: scope.tellsService, scope.ends)
        for (key, _) in inUse { logins.epochs.noteLogout(of: key) }
        if scope.isWhole { logins.epochs.endAll() }
        var changes: [VaultChange] = []
        for key in keys {
            delivery.forgetRefusal(of: key)
            changes.append(.profile(key, nil))
        }
        logins.questions.noteEnded(keys)
        if scope.tellsService {
            // While the service has switched off a provider for a requestor, the requestor's login with this provider does not
            // count here. But the service still has the login, so its logout must be reported. E21.
            let lapsed = logins.contents.lapsed.filter(scope.ends)
            logins.questions.noteEnded(lapsed)
            changes += lapsed.map { .lapse($0, false) } + keys.union(lapsed).map { .tombstone($0, true) }
        }
        for (requestor, selection) in logins.contents.selections
        where scope.isWhole || scope.forgetsChoice(requestor)
            || keys.contains(where: { $0.requestor == requestor && $0.provider == selection.provider.id })
        {
            changes.append(.selection(requestor, nil))
        }
        await logins.end(keys, scope.cause, by: scope.by, with: changes)
        let imported = scope.isWhole ? nil : scope.importedRequestors ?? Set(keys.map(\.requestor))
        let isForgotten = await context.ports.importer?.forget(imported) ?? true
        let isDurable = logins.hasSaved(changes) && isForgotten
        let told = inUse.filter { key, provider in keys.contains(key.profileKey(at: provider)) }
        return (told.sorted { $0.0.requestor < $1.0.requestor }, isDurable)
    }
}

extension LogoutStep {
    /// Returns the step after the logout of a login from the platform: the viewer has to sign out in the platform's settings.
    /// If a browser still has to open a logout page, returns this page instead.
    fileprivate func endingAtPlatform(_ style: LoginStyle) -> LogoutStep {
        if case .openURL = self, style == .browser { self } else { .systemSettings }
    }
}
