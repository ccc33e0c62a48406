// Performs the steps of one sign-on with the box's TV account: asks the account and the service, and remembers the
// account's answers. `PartnerSignOn` decides the steps. Contract: access-enabler.md §17.

/// One sign-on with the TV account. The visit is a value, so that `setRequestor` can pause it before the first question to the
/// service, and can then resume it more than once.
@EngineActor struct PlatformVisit {
    private let engine: Engine
    private let partner: Partner
    var asker: Asker
    /// Makes the caller for a question to the service.
    private let caller: (Asker) -> BackendCaller
    /// Tells the app of the platform's dialogs.
    private let show: @EngineActor @Sendable (PlatformDialog) -> Void
    private var signOn: PartnerSignOn
    private var move: PartnerSignOn.Move

    init(
        _ engine: Engine, _ partner: Partner, _ signOn: PartnerSignOn, for asker: Asker,
        caller: @escaping (Asker) -> BackendCaller, show: @escaping @EngineActor @Sendable (PlatformDialog) -> Void
    ) {
        self.engine = engine
        self.partner = partner
        self.asker = asker
        self.caller = caller
        self.show = show
        self.signOn = signOn
        move = signOn.firstMove
    }

    /// Whether the platform has answered the request for permission.
    var hasPermission: Bool { signOn.permission != nil }

    /// Performs the steps before the first question to the service.
    mutating func askPlatform() async {
        while move.isAboutPlatform { await step() }
    }

    /// Performs the remaining steps, and returns the end of the sign-on. `isLate` is called when the platform's steps together
    /// exceed this time.
    mutating func finish(
        within time: Duration, isLate: (@Sendable @EngineActor () -> Void)?
    ) async -> PartnerSignOn.Ending {
        let clock = engine.context.ports.clock
        var left = time
        while true {
            if case .end(let ending) = move { return ending }
            // The task is cancelled if the viewer has cancelled or the platform has exceeded its time.
            if Task.isCancelled { return .regular(.cancelled) }
            guard let isLate, move.isAboutPlatform else {
                await step()
                continue
            }
            let began = clock.boot
            let alarm = clock.alarm(at: began.advanced(by: left), isLate)
            await step()
            alarm.cancel()
            left = max(.zero, left - began.duration(to: clock.boot))
        }
    }

    /// Performs the next step and determines the one after it.
    private mutating func step() async {
        let event = await answer()
        move = signOn.handle(event, at: engine.context.now)
        guard let permission = signOn.permission else { return }
        let app = asker.key.registration.app
        engine.context.partnerAsked[app] = engine.context.ports.clock.boot
        // Until the platform reports its account, the last report is used, because a status without an account would tell the
        // service that no viewer is signed in on the platform.
        var status = engine.context.partnerStatus[app] ?? PartnerStatus(partner: partner, permission: permission)
        status.permission = permission
        if let account = signOn.account {
            (status.providerID, status.expires, status.isAccountKnown) = (account.providerID, account.expires, true)
        }
        engine.context.partnerStatus[app] = status
        engine.loginEnds.refresh()
    }

    private func answer() async -> PartnerSignOn.Event {
        let platform = engine.context.ports.platform
        let dialog: @Sendable (PlatformDialog) -> Void = { [show] dialog in
            Task { @EngineActor in show(dialog) }
        }
        let backend = asker.backend
        switch move {
        case .askPermission(let mayPrompt):
            do throws(PlatformFault) {
                let app = asker.key.registration.app
                return .permission(.success(try await platform.permission(of: app, mayPrompt: mayPrompt, dialog)))
            } catch {
                return .permission(.failure(error))
            }
        case .askAccount(let query):
            do throws(PlatformFault) {
                return .account(.success(try await platform.account(query, dialog)))
            } catch {
                return .account(.failure(error))
            }
        case .fetchProviders:
            return .providers(try? await backend.providers(caller(asker)))
        case .requestProfile(let provider):
            // A logout that is not reported yet must not end the new login.
            guard (try? await engine.logoutDelivery.settleLogouts(at: provider.id, before: asker)) != nil else {
                return .request(nil)
            }
            let step = try? await backend.partnerRequest(provider.id, of: partner, caller(asker))
            // Does not use an earlier login that has ended here, even if the service does not know of its end yet.
            if case .alreadyIn(let known, let reason)? = step, reason == .regular || reason == .signOn,
                engine.logoutDelivery.isOwed(at: known, before: asker.key)
            {
                return .request(.regular("The service has not yet ended the previous login."))
            }
            return .request(step)
        case .exchange(let response, let provider):
            return .exchanged(try? await backend.exchange(response, at: provider.id, of: partner, caller(asker)))
        case .end: return .exchanged(nil)
        }
    }
}

extension PartnerSignOn.Move {
    /// Whether the move asks the platform and not the service.
    fileprivate var isAboutPlatform: Bool {
        switch self {
        case .askPermission, .askAccount: true
        case .fetchProviders, .requestProfile, .exchange, .end: false
        }
    }
}
