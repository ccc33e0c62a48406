// Login and logout in REST V2. Contract: rest-v2.md S1, P3, L1, §7.

import AccessEnabler

extension V2Backend {
    /// A second session would replace the first, so the call is repeated only if the service surely has not seen the
    /// first.
    public func beginLogin(
        _ request: LoginRequest, _ caller: BackendCaller
    ) async throws(BackendFault) -> LoginStep {
        let site = configuration.site(of: caller.registration.app)
        let domainName = try await parts.domainName(caller, in: self)
        if request.isForced, let provider = request.provider { try await endLogin(at: provider, caller) }
        // A phone that has logged in must not be sent to an address that only the box can use.
        let redirectURL = request.style == .browser ? site.browserRedirect : nil
        return try await parts.alone(for: caller) { [calls, origin] timeLimit in
            let answer = try await calls.ask(
                SessionAnswer.self, caller: caller, timeLimit: timeLimit, repeating: .whenUnseen, signOn: true
            ) {
                $0.createSession(provider: request.provider, domainName: domainName, redirectURL: redirectURL)
            }
            return try Self.presented(answer.step(origin, style: request.style), to: request.style, at: site).bounded()
        }
    }

    /// Ends the login that a forced one replaces, because S1 would answer that the viewer is logged in. A temporary pass
    /// is never logged out. Contract: rest-v2.md §19 item 7.
    private func endLogin(at provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) {
        let isPass = try await providers(caller).contains { $0.id == provider && $0.isTempPass }
        if !isPass { _ = try await logout(provider, caller) }
    }

    /// For a code, shows the configured activation page, or else the URL that the service gave; a browser goes to the
    /// latter.
    private static func presented(
        _ step: LoginStep, to style: LoginStyle, at site: LoginSite
    ) throws(BackendFault) -> LoginStep {
        switch step {
        case .showCode(var login):
            if let page = site.activation(of: login.code) { login.url = page }
            guard style == .secondScreen || !login.url.isEmpty else {
                // Nobody could type the code, and a browser has nowhere to go.
                var fault = BackendFault(.unusableAnswer)
                fault.lacksPage = true
                fault.reason = "it names no page for a browser, and [backend] activation-url is none"
                throw fault
            }
            return .showCode(login)
        case .openURL(let login) where login.url.isEmpty: throw BackendFault(.unusableAnswer)
        case .openURL, .alreadyIn: return step
        }
    }

    public func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll {
        do {
            let profiles = try await profiles(of: login, caller)
            let profile = profiles.first { $0.provider == login.provider } ?? profiles.first
            return profile.map(LoginPoll.done) ?? .pending
        } catch {
            guard case .refused(let refusal) = error.kind else { throw error }
            switch refusal.code {
            case "authenticated_profile_missing": return .pending
            case "invalid_authentication_session", "invalid_parameter_code": return .gone
            default: throw error
            }
        }
    }

    /// REST V2 has no call for this: the code expires, or the next one replaces it.
    public func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async {}

    public func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep {
        let site = configuration.site(of: caller.registration.app)
        defer { parts.logouts.add() }
        do {
            return try await parts.alone(for: caller) { [calls, origin] timeLimit in
                try await calls.ask(
                    LogoutAnswer.self, caller: caller, timeLimit: timeLimit, repeating: .freely, signOn: true
                ) {
                    $0.logout(provider, redirectURL: site.browserRedirect)
                }.step(for: provider, origin)
            }
        } catch {
            if case .refused(let refusal) = error.kind, refusal.meansNoProfile { return .nothingToDo }
            throw error
        }
    }
}
