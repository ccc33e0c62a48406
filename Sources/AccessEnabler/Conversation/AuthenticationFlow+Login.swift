// The second part of the state machine: it begins with the service's answer to `beginLogin` and lasts until the login ends.
// Contract: access-enabler.md §7.5 to §7.8.

import PassProtocol

// MARK: - The login itself

extension AuthenticationFlow {
    mutating func begun(_ step: LoginStep, style: LoginStyle, attempt: Int) -> [AuthenticationEffect] {
        guard isBeginning(attempt) else { return [] }
        switch step {
        case .alreadyIn(let provider, let reason): return alreadyIn(provider, reason)
        case .showCode(let login), .openURL(let login):
            switch style {
            case .secondScreen:
                phase = .secondScreen(login)
                return [.showCode(login)]
            case .browser:
                phase = .browser(login)
                return [.navigate(login)]
            }
        }
    }

    mutating func alreadyIn(_ provider: ProviderID, _ reason: LoginReason) -> [AuthenticationEffect] {
        [.refreshProfile(provider)] + told(reason) + [
            .remember(canAuthenticate: true), .status(.authenticated, LoginOutcome(.authenticated)),
            .track(.authentication(provider, isCached: false)),
        ] + conclude()
    }

    mutating func signedIn(_ profile: Profile, code: RegistrationCode? = nil) -> [AuthenticationEffect] {
        [.leaveLogin] + told(profile.kind.reason) + [
            .remember(canAuthenticate: true),
            .status(.authenticated, LoginOutcome(.authenticated, code: code?.rawValue)),
            .track(.authentication(profile.provider, isCached: false)),
        ] + conclude()
    }

    private func told(_ reason: LoginReason) -> [AuthenticationEffect] {
        switch reason {
        case .degraded: [.report(.N010)]
        case .temporary: [.report(.N011)]
        case .regular, .signOn: []
        }
    }

    /// Handles the URL with which the browser has returned to the app. Only the first URL of a login counts; repeated or
    /// unexpected URLs change nothing. Contract: §7.6.
    mutating func urlHandled(_ isRefusal: Bool) -> [AuthenticationEffect] {
        guard case .browser(let login) = phase else { return [] }
        if isRefusal { return failed(.genericAuthentication, .denied, because: .N500) }
        phase = .completing(login)
        return [.complete(login)]
    }

    mutating func polled(_ poll: LoginPoll) -> [AuthenticationEffect] {
        guard let login = openLogin else { return [] }
        switch (poll, phase) {
        case (.done(let profile), _): return signedIn(profile, code: login.code)
        case (.pending, .completing), (.gone, _):
            return failed(.genericAuthentication, .failed, because: .N130, reporting: .N130)
        case (.pending, _): return []
        }
    }

    /// Handles an expired code. The provider stays selected, but the next login shows the picker again. Contract: §7.7,
    /// open-questions.md OQ-8.
    mutating func expired() -> [AuthenticationEffect] {
        guard openLogin != nil else { return [] }
        return failed(.genericAuthentication, .expired, because: .N130, reporting: .N130)
    }
}

// MARK: - Ends

extension AuthenticationFlow {
    /// Ends this login, because another app has asked for a code. Contract: §7.8; rpc.md §3.
    mutating func replaced() -> [AuthenticationEffect] {
        guard openLogin != nil, let outcome = outcome(.cancelled, .N130) else { return [] }
        end()
        return [.leaveLogin, .remember(canAuthenticate: false), .tellReplaced(outcome), .track(.authenticationFailed)]
    }

    /// Handles a cancel by the app. Undoes the choice of a provider, whether or not a login is open. Contract: §7.4 "Null =
    /// cancel", open-questions.md OQ-7.
    mutating func cancelled() -> [AuthenticationEffect] {
        let outcome = outcome(.cancelled, .N005)
        end()
        return (outcome == nil ? [] : [.leaveLogin]) + [
            .deselect, .status(.providerNotSelected, outcome), .report(.N005),
        ]
            + [.track(.authenticationFailed)]
    }

    /// Ends this login, because a login made in another app is now valid here. If an authorization began this login, the
    /// authorization continues. rpc.md §5.
    mutating func signedOnElsewhere() -> [AuthenticationEffect] {
        isOpen ? [.leaveLogin] + conclude() : []
    }

    /// Handles a logout, a change of the app's requestor, or a disconnect of the app.
    mutating func abandoned() -> [AuthenticationEffect] {
        guard isOpen else { return [] }
        end()
        return [.leaveLogin]
    }

    mutating func failed(
        _ code: FlowErrorCode, _ kind: LoginOutcome.Kind, because cause: SDKStatus, reporting report: SDKStatus? = nil
    ) -> [AuthenticationEffect] {
        guard let outcome = outcome(kind, cause) else { return [] }
        end()
        return [.leaveLogin, .remember(canAuthenticate: false)] + (report.map { [.report($0)] } ?? []) + [
            .status(code, outcome), .track(.authenticationFailed),
        ]
    }

    /// The outcome of the open login; nil if there is none.
    func outcome(_ kind: LoginOutcome.Kind, _ cause: SDKStatus? = nil) -> LoginOutcome? {
        isOpen ? LoginOutcome(kind, cause, code: openLogin?.code.rawValue) : nil
    }

    /// The effect that continues an authorization that has waited for the login; empty for other calls.
    func goOn(_ origin: Origin) -> [AuthenticationEffect] {
        guard case .authorization(let resource, let data) = origin else { return [] }
        return [.authorize(resource, data: data)]
    }
}
