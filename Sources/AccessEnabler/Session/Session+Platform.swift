// The box's own TV account as a way to a login: quietly while a requestor is set up, with the platform's picker when a
// login is asked for. Contract: access-enabler.md §17.

import PassJSON
import PassProtocol

extension Session {
    /// A way that stands still where the service is to be asked next.
    struct PlatformVisit {
        var signOn: PartnerSignOn
        var move: PartnerSignOn.Move
    }

    /// During `getAuthentication`, before our own picker. Contract: §17.5, open-questions.md OQ-5.
    func signOnWithPlatform(
        _ providers: [Provider], _ attempt: Int, _ standing: Standing
    ) async -> [AuthenticationEffect] {
        guard let partner = engine.ports.platform.partner, flow.isOnPlatform(attempt) else { return [] }
        let key = standing.key
        let epoch = engine.epochs.joint(key)
        let way = Task { @EngineActor in
            let signOn = PartnerSignOn(.interactive, key.registration.app, key.requestor, providers: providers)
            var visit = PlatformVisit(signOn: signOn, move: signOn.firstMove)
            return await finish(&visit, partner, standing)
        }
        platformRun = way
        let ending = await way.value
        guard flow.isOnPlatform(attempt), !isClosed, epoch == engine.epochs.joint(key) else { return [] }
        platformRun = nil
        platformObstacle = nil
        switch ending {
        case .signedIn(let profile): await take(profile, key)
        case .regular(let obstacle): platformObstacle = obstacle
        case .alreadyIn, .selected: break
        }
        if case .selected(let provider) = ending, !offered.contains(provider) { offered.append(provider) }
        return flow.handle(.platformAnswered(ending, attempt))
    }

    /// During `setRequestor`: may the app use the account, and who is signed in there? It goes along with the calls to
    /// the service from now on. Logins that came from the platform end with its permission. Contract: §17.3, §17.4.
    func visitPlatform(_ standing: Standing) async -> PlatformVisit? {
        platformObstacle = nil
        guard let partner = engine.ports.platform.partner else { return nil }
        let signOn = PartnerSignOn(.silent, standing.key.registration.app, standing.key.requestor)
        var visit = PlatformVisit(signOn: signOn, move: signOn.firstMove)
        while visit.move.isAboutPlatform { await step(&visit, partner, standing) }
        if let permission = visit.signOn.permission, permission != .granted {
            await engine.endPlatformLogins(standing.key)
        }
        return visit
    }

    /// The rest of the way, for a viewer who is signed in at the platform and not at the service.
    func signOnSilently(_ start: PlatformVisit?, _ standing: Standing) async {
        guard var visit = start, let partner = engine.ports.platform.partner, engine.login(of: standing.key) == nil
        else { return }
        let epoch = engine.epochs.joint(standing.key)
        switch await finish(&visit, partner, standing) {
        case .signedIn(let profile) where epoch == engine.epochs.joint(standing.key):
            await take(profile, standing.key)
        case .regular(let obstacle):
            platformObstacle = obstacle
            if let obstacle { report(obstacle, .setup) }
        case .signedIn, .alreadyIn, .selected: break
        }
    }

    private func finish(
        _ visit: inout PlatformVisit, _ partner: Partner, _ standing: Standing
    ) async -> PartnerSignOn.Ending {
        while true {
            if case .end(let ending) = visit.move { return ending }
            await step(&visit, partner, standing)
        }
    }

    /// Makes the move, and finds the next one.
    private func step(_ visit: inout PlatformVisit, _ partner: Partner, _ standing: Standing) async {
        let event = await answer(to: visit.move, partner, standing)
        visit.move = visit.signOn.handle(event, at: engine.now)
        guard let permission = visit.signOn.permission else { return }
        let account = visit.signOn.account
        engine.partnerStatus[standing.key.registration.app] = PartnerStatus(
            partner: partner, permission: permission, providerID: account?.providerID, expires: account?.expires)
    }

    private func answer(
        to move: PartnerSignOn.Move, _ partner: Partner, _ standing: Standing
    ) async -> PartnerSignOn.Event {
        let platform = engine.ports.platform
        let dialog: @Sendable (PlatformDialog) -> Void = { dialog in
            Task { @EngineActor [weak self] in self?.emit(dialog) }
        }
        let backend = standing.backend
        switch move {
        case .askPermission(let mayPrompt):
            do throws(PlatformFault) {
                let app = standing.key.registration.app
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
            return .providers(try? await backend.providers(caller(standing)))
        case .requestProfile(let provider):
            // What is still to be ended there must not end the login that comes now.
            guard (try? await engine.settleLogouts(at: provider.id, standing.key)) != nil else { return .request(nil) }
            return .request(try? await backend.partnerRequest(provider.id, of: partner, caller(standing)))
        case .exchange(let response, let provider):
            return .exchanged(try? await backend.exchange(response, at: provider.id, of: partner, caller(standing)))
        case .end: return .exchanged(nil)
        }
    }

    private func take(_ profile: Profile, _ key: LoginKey) async {
        let isNew = await engine.adopt(profile, key)
        engine.announceSoon(profile, from: key, isNew: isNew, toldAlready: [number])
    }

    // MARK: What is told

    private func emit(_ dialog: PlatformDialog) {
        switch dialog {
        case .present(let handle): emit(.presentTvProviderDialog(JSONObject([("handle", .string(handle))])))
        case .dismiss(let handle): emit(.dismissTvProviderDialog(JSONObject([("handle", .string(handle))])))
        }
    }

    enum PlatformOccasion { case setup, check, login }

    func report(_ obstacle: PartnerSignOn.Obstacle, _ occasion: PlatformOccasion) {
        switch (obstacle, occasion) {
        case (.denied, _): report(.VSA403)
        case (.undetermined, _): report(.VSA404)
        case (.failed(let reason), .setup): report(.AAPL, reason)
        case (.failed(let reason), .check): report(.AAPL_ERROR, reason)
        case (.failed(let reason), .login): report(.VSA503, reason)
        case (.otherProvider, .login): report(.N003)
        case (.unsupportedProvider, .login): report(.N004)
        case (.cancelled, .login): report(.N005)
        case (.otherProvider, _), (.unsupportedProvider, _), (.cancelled, _): break
        }
    }
}

extension PartnerSignOn.Move {
    /// And not about the service.
    fileprivate var isAboutPlatform: Bool {
        switch self {
        case .askPermission, .askAccount: true
        case .fetchProviders, .requestProfile, .exchange, .end: false
        }
    }
}
