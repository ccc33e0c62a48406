// Login and logout in REST V2. Contract: rest-v2.md S1, P3, L1, §7.

public import AccessEnabler

extension V2Backend {
    /// The call is repeated only if the service has definitely not seen the first call, because a second session would replace
    /// the first.
    public func beginLogin(
        _ request: LoginRequest, _ caller: BackendCaller
    ) async throws(BackendFault) -> LoginStep {
        let site = parts.configuration.site(of: caller.registration.app)
        let domainName = try await parts.domainName(caller, in: self)
        var isFresh = request.isFresh
        if request.isForced, let provider = request.provider {
            do throws(BackendFault) { if try await !hasEndedLogin(at: provider, caller) { isFresh = true } } catch {
                guard isFresh else { throw error }
            }
        }
        // If the viewer chooses the provider on a page, that page also decides where the login ends.
        let redirectURL =
            request.style == .browser ? site.browserRedirect : request.provider == nil ? nil : site.finish
        return try await parts.alone(for: caller) { [self, isFresh] timeLimit in
            func ask(signOn: Bool, redirectURL: String?) async throws(BackendFault) -> LoginStep {
                let answer = try await self.ask(
                    SessionAnswer.self, caller: caller, timeLimit: timeLimit, repeating: .whenUnseen, signOn: signOn
                ) {
                    $0.createSession(provider: request.provider, domainName: domainName, redirectURL: redirectURL)
                }
                return try answer.step(parts.configuration.origin, style: request.style)
            }
            func ask(signOn: Bool) async throws(BackendFault) -> LoginStep {
                var step: LoginStep
                var missing: OpenLogin.MissingLink = domainName == nil ? .noDomain : .notGiven
                do throws(BackendFault) { step = try await ask(signOn: signOn, redirectURL: redirectURL) } catch {
                    guard request.style == .secondScreen, redirectURL != nil, error.isAboutRedirect else { throw error }
                    missing = .addressRefused
                    step = try await ask(signOn: signOn, redirectURL: nil)
                }
                guard redirectURL != nil, case .showCode(var login) = step, login.link == nil else { return step }
                login.missingLink = missing
                return .showCode(login)
            }
            var step = try await ask(signOn: true)
            if isFresh { step = try await fresh(step, for: caller, within: timeLimit, asking: ask) }
            return try Self.presented(step, to: request.style, at: site).bounded()
        }
    }

    /// Returns a step that begins a new login. If the service has refused to end an earlier login, `step` may accept that
    /// login. In this case, this method registers the app again and asks again, because the earlier login belongs to the app's
    /// registration at the service. The service may then let the viewer in by single sign-on. In this case, this method asks
    /// once more, without sign-on tokens, because the service needs these tokens for single sign-on. Ruling 44; contract:
    /// rest-v2.md L1.
    private func fresh(
        _ step: LoginStep, for caller: BackendCaller, within timeLimit: TimeLimit,
        asking ask: (_ signOn: Bool) async throws -> LoginStep
    ) async throws -> LoginStep {
        var step = step
        if case .alreadyIn(_, .regular) = step {
            try await parts.replaceClient(of: caller, timeLimit)
            step = try await ask(true)
        }
        guard step.isByEarlierLogin else { return step }
        switch try await ask(false) {
        case .showCode(var login):
            login.leavesLogout = true
            return .showCode(login)
        case .openURL(var login):
            login.leavesLogout = true
            return .openURL(login)
        case let step where step.isByEarlierLogin:
            throw BackendFault.unusable("the service lets the viewer in by a login that has ended here")
        case let step: return step
        }
    }

    /// Ends the login that a forced login replaces, because otherwise S1 would answer that the viewer is logged in. A temporary
    /// pass is never logged out. Returns false if the service refuses the logout. Contract: rest-v2.md §19 item 7.
    private func hasEndedLogin(at provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> Bool {
        if try await providers(caller).contains(where: { $0.id == provider && $0.isTempPass }) { return true }
        do throws(BackendFault) { _ = try await logout(provider, caller, repeating: .freely) } catch {
            guard let refusal = error.refusal, refusal.code != "invalid_integration" else { throw error }
            return false
        }
        return true
    }

    /// Returns the step with the configured page for the code. If no page is configured, the step keeps the page that the
    /// service named.
    private static func presented(
        _ step: LoginStep, to style: LoginStyle, at site: LoginSite
    ) throws(BackendFault) -> LoginStep {
        switch step {
        case .showCode(var login):
            if let page = site.activation(of: login.code) { login.url = page }
            guard style == .secondScreen || !login.url.isEmpty else {
                // The app opens a page in a browser, but the service and the configuration name no page.
                var fault = BackendFault.unusable(
                    "it names no page for a browser, and [backend] activation-url is none")
                fault.lacksPage = true
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
            switch error.refusal?.code {
            case "authenticated_profile_missing": return .pending
            case "invalid_authentication_session", "invalid_parameter_code": return .gone
            default: throw error
            }
        }
    }

    /// Does nothing, because REST V2 has no call for this: the code expires, or the next code replaces it.
    public func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async {}

    /// If the service refuses the address to which the logout leads, the call is repeated without the address. Ruling 44.
    public func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep {
        try await logout(provider, caller, repeating: .unlessThrottled)
    }

    private func logout(
        _ provider: ProviderID, _ caller: BackendCaller, repeating repetition: Repetition.Policy
    ) async throws(BackendFault) -> LogoutStep {
        let site = parts.configuration.site(of: caller.registration.app)
        // The address to which the logout leads. If the app has no browser, the viewer may open the page of the logout on a
        // phone.
        let redirectURL = caller.options.style == .browser ? site.browserRedirect : site.finish
        defer { parts.countLogout() }
        do {
            return try await parts.alone(for: caller) { [self] timeLimit in
                func ask(_ redirectURL: String?) async throws(BackendFault) -> LogoutStep {
                    try await self.ask(
                        LogoutAnswer.self, caller: caller, timeLimit: timeLimit, repeating: repetition,
                        signOn: true
                    ) {
                        $0.logout(provider, redirectURL: redirectURL)
                    }.step(for: provider, parts.configuration.origin)
                }
                do throws(BackendFault) { return try await ask(redirectURL) } catch {
                    guard redirectURL != nil, error.isAboutRedirect else { throw error }
                    return try await ask(nil)
                }
            }
        } catch {
            guard error.meansNoProfile else { throw error }
            return .nothingToDo
        }
    }
}

extension LoginStep {
    /// Whether the service lets the viewer in by an earlier login. False if the service lets everybody in.
    fileprivate var isByEarlierLogin: Bool {
        switch self {
        case .alreadyIn(_, .regular), .alreadyIn(_, .signOn): true
        case .alreadyIn, .showCode, .openURL: false
        }
    }
}

extension BackendFault {
    fileprivate var isAboutRedirect: Bool { refusal?.code == "invalid_parameter_redirect_url" }
}

/// Logins with the platform's TV account in REST V2. Contract: rest-v2.md X1, X2, §12.3.
extension V2Backend {
    public func partnerRequest(
        _ provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> PartnerStep {
        let domainName = parts.knownDomainName(caller)
        return try await parts.alone(for: caller) { [self] timeLimit in
            try await ask(
                PartnerSessionAnswer.self, caller: caller, timeLimit: timeLimit, repeating: .whenUnseen, signOn: true
            ) {
                $0.createPartnerSession(partner.name, domainName: domainName, redirectURL: nil)
            }.step()
        }
    }

    /// The call is repeated only if the service has definitely not seen the first call, because the response can be used only
    /// once.
    public func exchange(
        _ response: Secret, at provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> Profile {
        let parameter = SAMLParameter.encoded(response)
        let found = try await parts.alone(for: caller) { [self] timeLimit in
            try await ask(
                ProfilesAnswer.self, caller: caller, timeLimit: timeLimit, repeating: .whenUnseen, signOn: true
            ) {
                $0.createPartnerProfile(partner.name, parameter)
            }.profiles
        }
        guard let profile = found.first(where: { $0.provider == provider }) else { throw BackendFault(.unusableAnswer) }
        return profile
    }
}
