// Login and logout in REST V1. A code always allows a new login, and a temporary pass has a call of its own.
// Contract: rest-v1.md §6.1, §6.2, §6.4, §6.13, §7, §9.1; rest-v2.md §19 items 6 to 11, §21.

import AccessEnabler

extension V1Backend {
    public func beginLogin(_ request: LoginRequest, _ caller: BackendCaller) async throws(BackendFault) -> LoginStep {
        if let provider = request.provider,
            try await providers(caller).contains(where: { $0.id == provider && $0.isTempPass })
        {
            return try await parts.alone(by: caller.deadline) { [self] timeLimit in
                try await beginPass(provider, caller: caller, timeLimit: timeLimit)
            }
        }
        return try await parts.alone(by: caller.deadline) { [self] timeLimit in
            let former = try await login(caller, timeLimit: timeLimit, repeating: .freely, urgency: .session)
            if let former, !request.isForced, (request.provider ?? former.answer.provider) == former.answer.provider {
                // A login of the platform does not count for an app that may not use the platform.
                // access-enabler.md §17.4.
                let isBarred = (caller.partnerStatus?.permission ?? .granted) != .granted
                let profile =
                    isBarred
                    ? try await readProfile(caller, timeLimit: timeLimit, repeating: .freely, urgency: .session) : nil
                if profile?.kind != .appleSSO { return .alreadyIn(former.answer.provider, former.reason) }
            }
            return try await showCode(request, besides: former?.answer.mark, caller: caller, timeLimit: timeLimit)
        }
    }

    /// Starts a temporary pass. The service may accept one that is used up, so the login is read afterwards. Contract:
    /// §9.1, §9.3.
    private func beginPass(
        _ provider: ProviderID, caller: BackendCaller, timeLimit: TimeLimit
    ) async throws(BackendFault) -> LoginStep {
        let site = parts.configuration.site(of: caller.registration.app)
        _ = try await ask(caller, timeLimit: timeLimit, repeating: .whenUnseen) {
            $0.freePreview(provider, domainName: site.domainName)
        } reading: {
            V1Reading.done($0, from: .freePreview)
        }
        guard try await login(caller, timeLimit: timeLimit, repeating: .freely, urgency: .session) != nil else {
            throw BackendFault(
                .refused(
                    ServiceError(
                        status: 403, code: "temporary_access_duration_limit_exceeded", actionName: "authentication")))
        }
        return .alreadyIn(provider, .temporary)
    }

    /// Requests a code. A second request would replace the code of the first, so it is repeated only if the first has
    /// certainly not arrived.
    private func showCode(
        _ request: LoginRequest, besides former: String?, caller: BackendCaller, timeLimit: TimeLimit
    ) async throws(BackendFault) -> LoginStep {
        let app = caller.registration.app
        let site = parts.configuration.site(of: app)
        let page = parts.configuration.activationURL(of: app)
        let answer = try await ask(caller, timeLimit: timeLimit, repeating: .whenUnseen) {
            $0.createCode(provider: request.provider, registrationURL: page)
        } reading: {
            V1Reading.read(RegistrationCodeAnswer.self, $0, from: .code)
        }
        let code = RegistrationCode(rawValue: answer.code)
        let origin = parts.configuration.origin.description
        if request.style == .browser, let provider = request.provider {
            let url = V1Pages(origin: origin, site: site, caller: caller).login(
                code, at: provider, genericData: try TemporaryIdentity(caller.temporaryIdentity).json)
            return try LoginStep.openURL(answer.login(url, at: provider, besides: former)).bounded()
        }
        // The page that the answer names, otherwise the box's own. Contract: open-questions.md OQ-39.
        let named = answer.registrationURL.flatMap { absolute($0, origin) }
        let url = named.map { LoginSite.Complete.page($0, code) } ?? site.activation(of: code)
        return try LoginStep.showCode(answer.login(url, at: request.provider, besides: former)).bounded()
    }

    /// The poll identifies the device and not the code: a token that existed before is not the result of this login.
    public func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll {
        let found = try await profile(caller, repeating: .never, besides: login.sessionID, code: login.code)
        return found.map(LoginPoll.done) ?? .pending
    }

    /// Errors are ignored, because nobody waits for the result and the code may have ended already.
    public func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async {
        _ = try? await parts.alone(by: caller.deadline) { [self] timeLimit in
            try await ask(caller, timeLimit: timeLimit, repeating: .whenUnseen) {
                $0.deleteCode(login.code)
            } reading: {
                V1Reading.done($0, from: .code)
            }
        }
    }

    /// Ends the requestor's login at the service, with whatever provider it is. The provider's own session ends in a
    /// browser, if the app has one. Contract: access-enabler.md §18.
    public func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep {
        let site = parts.configuration.site(of: caller.registration.app)
        defer { parts.logouts.add() }
        do {
            _ = try await parts.alone(by: caller.deadline) { [self] timeLimit in
                try await ask(caller, timeLimit: timeLimit, repeating: .freely) {
                    $0.logout()
                } reading: {
                    V1Reading.done($0, from: .logout)
                }
            }
        } catch {
            if case .refused(let refusal) = error.kind, refusal.meansNoProfile { return .nothingToDo }
            throw error
        }
        let origin = parts.configuration.origin.description
        return .openURL(V1Pages(origin: origin, site: site, caller: caller).logout)
    }
}

extension V1Backend.Login {
    fileprivate var reason: LoginReason {
        switch origin {
        case .authnall, .authzall: .degraded
        case .temppass: .temporary
        case .hba, .partner, nil: .regular
        }
    }
}
