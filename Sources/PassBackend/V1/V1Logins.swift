// Login and logout in REST V1. A code always leads to a new login. A temporary pass needs no code: one call begins it.
// Contract: rest-v1.md §6.1, §6.2, §6.4, §6.13, §7, §9.1; rest-v2.md §19 items 6 to 11, §21.

public import AccessEnabler

extension V1Backend {
    public func beginLogin(_ request: LoginRequest, _ caller: BackendCaller) async throws(BackendFault) -> LoginStep {
        if let provider = request.provider,
            try await providers(caller).contains(where: { $0.id == provider && $0.isTempPass })
        {
            return try await parts.alone(for: caller) { [self] timeLimit in
                try await beginPass(provider, caller: caller, timeLimit: timeLimit)
            }
        }
        return try await parts.alone(for: caller) { [self] timeLimit in
            let key = LoginKey(registration: caller.registration, requestor: caller.requestor)
            let isNobodyIn = !request.isFresh && absences.contains(key, at: parts.sender.clock.boot)
            let former = isNobodyIn ? nil : try await login(caller, timeLimit: timeLimit, repeating: .freely)
            if let former, !request.isForced, !request.isFresh,
                (request.provider ?? former.answer.provider) == former.answer.provider
            {
                // An app without permission for the platform's TV account must not use a login from this account.
                // access-enabler.md §17.4.
                let isBarred = (caller.partnerStatus?.permission ?? .granted) != .granted
                let profile =
                    isBarred
                    ? try await readProfile(caller, timeLimit: timeLimit, repeating: .freely) : nil
                if profile?.kind != .appleSSO { return .alreadyIn(former.answer.provider, Self.reason(former)) }
            }
            return try await showCode(request, besides: former?.answer.mark, caller: caller, timeLimit: timeLimit)
        }
    }

    /// The login is read after the call, because the call may succeed although the pass is used up. Contract: §9.1, §9.3.
    private func beginPass(
        _ provider: ProviderID, caller: BackendCaller, timeLimit: TimeLimit
    ) async throws(BackendFault) -> LoginStep {
        let domainName = try await parts.domainName(caller, in: self)
        _ = try await ask(caller, timeLimit: timeLimit, repeating: .whenUnseen) {
            $0.freePreview(provider, domainName: domainName)
        } reading: {
            V1Endpoint.freePreview.done($0)
        }
        guard try await login(caller, timeLimit: timeLimit, repeating: .freely) != nil else {
            throw BackendFault(
                .refused(
                    ServiceError(
                        status: 403, code: "temporary_access_duration_limit_exceeded", actionName: "authentication")))
        }
        return .alreadyIn(provider, .temporary)
    }

    /// The call is repeated only if the service has definitely not seen the first call, because a second code would replace the
    /// first.
    private func showCode(
        _ request: LoginRequest, besides former: String?, caller: BackendCaller, timeLimit: TimeLimit
    ) async throws(BackendFault) -> LoginStep {
        let site = parts.configuration.site(of: caller.registration.app)
        let answer = try await ask(
            RegistrationCodeAnswer.self, from: .code, caller, timeLimit: timeLimit, repeating: .whenUnseen
        ) {
            $0.createCode(provider: request.provider, registrationURL: site.activationURL)
        }.answer
        let code = RegistrationCode(rawValue: answer.code)
        let origin = parts.configuration.origin
        var link: String?
        var missingLink: OpenLogin.MissingLink?
        if let provider = request.provider {
            let pages = V1Pages(origin: origin, site: site, caller: caller)
            let identity = try TemporaryIdentity(caller.options.temporaryIdentity).json
            if request.style == .browser {
                let url = pages.login(
                    code, at: provider, domainName: try await parts.domainName(caller, in: self), genericData: identity,
                    endingAt: site.browserRedirect)
                return try LoginStep.openURL(answer.login(url, at: provider, besides: former)).bounded()
            }
            if let finish = site.finish {
                // If the domain cannot be read, there is no link, but the viewer can still type the code.
                let domainName = (try? await parts.domainName(caller, in: self)) ?? nil
                link = domainName.map {
                    pages.login(code, at: provider, domainName: $0, genericData: identity, endingAt: finish)
                }
                if link == nil { missingLink = .noDomain }
            }
            let (finding, login) = await lookAtPage(code, at: provider, pages, caller: caller, timeLimit: timeLimit)
            if finding == .refused, link != nil { (link, missingLink) = (nil, .addressRefused) }
            // The login may have begun without the viewer's action. If the app requires a new login, passd accepts such a login
            // only if it belongs to no viewer. Ruling 44.
            let isNobodys = login.map(Self.reason) == .degraded
            if let login, login.answer.mark != former, isNobodys || !(request.isFresh || request.isForced) {
                return .alreadyIn(provider, Self.reason(login))
            }
        }
        // The configured page, or else the page that the service names. Contract: open-questions.md OQ-39.
        let named = answer.registrationURL.flatMap { absolute($0, origin) }
        let url = site.activation(of: code) ?? named.map { LoginSite.page($0, code) }
        var login = answer.login(url ?? "", at: request.provider, besides: former)
        (login.link, login.missingLink) = (link, missingLink)
        return try LoginStep.showCode(login).bounded()
    }

    /// Finds out whether there is a login page. The service may let everybody in, for example while the provider has a fault.
    /// In this case, this method returns the resulting login, because the viewer needs no code. If the service is slow or
    /// refuses the request, the viewer still gets the code without much delay. Contract: rest-v1.md §6.4; access-enabler.md
    /// §7.2 row 4; ruling 43.
    private func lookAtPage(
        _ code: RegistrationCode, at provider: ProviderID, _ pages: V1Pages, caller: BackendCaller,
        timeLimit: TimeLimit
    ) async -> (V1Pages.Finding, Login?) {
        let asked = parts.sender.clock.boot
        let limit = half(of: timeLimit, atMost: .seconds(2))
        guard !providersWithPage.contains(provider, at: asked),
            let domainName = try? await parts.domainName(caller, in: self),
            let identity = try? TemporaryIdentity(caller.options.temporaryIdentity)
        else { return (.other, nil) }
        let end = pages.site.finish ?? pages.site.browserRedirect
        let query = pages.loginQuery(
            code, at: provider, domainName: domainName, genericData: identity.json, endingAt: end)
        let finding = try? await parts.sender.clock.alone(until: limit.deadline, limit.urgency) {
            [self] limit throws(BackendFault) in
            try await ask(caller, timeLimit: limit, repeating: .never) {
                $0.loginPage(query)
            } reading: {
                .success(pages.finding($0, endingAt: end))
            }
        }
        // A refusal is not remembered, because the operator may correct the cause before the next code.
        providersWithPage.note(
            finding != .leadsBack && finding != .refused, provider, until: asked.advanced(by: Self.absenceLife))
        guard finding == .leadsBack else { return (finding ?? .other, nil) }
        let login = try? await login(caller, timeLimit: half(of: timeLimit), repeating: .never)
        return (.leadsBack, login?.answer.provider == provider ? login : nil)
    }

    /// Polls the login. A login from before the code does not count. The service may return such a login, because the service
    /// finds logins by the device and not by the code.
    public func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll {
        let found = try await profile(caller, repeating: .never, besides: login.sessionID, code: login.code)
        return found.map(LoginPoll.done) ?? .pending
    }

    /// Ignores errors, because no caller waits for the outcome, and the code may be gone already.
    public func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async {
        _ = try? await parts.alone(for: caller) { [self] timeLimit in
            try await ask(caller, timeLimit: timeLimit, repeating: .whenUnseen) {
                $0.deleteCode(login.code)
            } reading: {
                V1Endpoint.code.done($0)
            }
        }
    }

    /// Ends the requestor's login at the service, whichever provider the login is with. If the app has a browser, the browser
    /// then opens a page that ends the provider's own session. Contract: access-enabler.md §18.
    public func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep {
        let site = parts.configuration.site(of: caller.registration.app)
        defer { parts.countLogout() }
        do {
            _ = try await parts.alone(for: caller) { [self] timeLimit in
                try await ask(caller, timeLimit: timeLimit, repeating: .unlessThrottled) {
                    $0.logout()
                } reading: {
                    V1Endpoint.logout.done($0)
                }
            }
        } catch {
            guard error.meansNoProfile else { throw error }
            return .nothingToDo
        }
        // The address of the page contains the device's identifier, which some apps and all phones must not see. Even without
        // the page, the login itself has already ended.
        guard caller.mayShowDevice, caller.options.style == .browser else { return .finished }
        return .openURL(V1Pages(origin: parts.configuration.origin, site: site, caller: caller).logout)
    }

    private static func reason(_ login: Login) -> LoginReason {
        switch login.origin {
        case .authnall, .authzall: .degraded
        case .temppass: .temporary
        case .hba, .partner, nil: .regular
        }
    }
}

/// Logins with the platform's TV account in REST V1. Contract: rest-v1.md §10.
extension V1Backend {
    /// Returns the bytes of the service's answer unchanged, because they are meant for the provider.
    public func partnerRequest(
        _ provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> PartnerStep {
        let token = try await parts.alone(for: caller) { [self] timeLimit in
            try await ask(caller, timeLimit: timeLimit, repeating: .freely) {
                $0.profileRequest(provider, deviceType: partner.deviceType)
            } reading: { response -> Result<[UInt8], CallTrouble> in
                guard response.status == 200 else {
                    return .failure(CallTrouble(response, V1Endpoint.profileRequest.refusal))
                }
                // A web page from a machine between box and service is not a request.
                let isPage = response.headers["Content-Type"]?.lowercased().hasPrefix("text/html") ?? false
                guard !response.body.isEmpty, !isPage else { return .failure(.fault(BackendFault(.unusableAnswer))) }
                return .success(response.body)
            }
        }
        return .forward(PartnerRequest(verificationToken: token))
    }

    /// The call is repeated only if the service has definitely not seen the first call, because the response can be used only
    /// once. The login is read after the call.
    public func exchange(
        _ response: Secret, at provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> Profile {
        let parameter = SAMLParameter.encoded(response)
        let found = try await parts.alone(for: caller) { [self] timeLimit in
            _ = try await ask(caller, timeLimit: timeLimit, repeating: .whenUnseen) {
                $0.exchange(parameter, at: provider, deviceType: partner.deviceType)
            } reading: {
                V1Endpoint.exchange.done($0)
            }
            return try await readProfile(caller, timeLimit: timeLimit, repeating: .freely)
        }
        guard let profile = found, profile.provider == provider else {
            throw BackendFault(.unusableAnswer)
        }
        return profile
    }
}
