// The phases of one app's login, as a state machine. It takes events and returns the effects to perform. It does no work itself
// and never waits. `Conversation` owns the state machine. Contract: access-enabler.md §7.2, §7.4, §7.7a.

import PassProtocol

struct AuthenticationFlow: Sendable {
    /// The call that began the login. This call decides what happens after a success.
    enum Origin: Hashable, Sendable {
        case authentication
        case authorization(ResourceID, data: [String: String])
    }

    /// The enum is `indirect` to save memory: a login is large, and most sessions have none.
    indirect enum Phase: Hashable, Sendable {
        case idle
        /// The service is asked for the list of providers.
        case listing
        /// The platform's TV account is asked before the viewer chooses a provider.
        case onPlatform([Provider])
        case choosing([Provider])
        /// The service is asked for a code.
        case beginning(ProviderID)
        case secondScreen(OpenLogin)
        case browser(OpenLogin)
        /// The browser has returned, and the service is asked for the outcome.
        case completing(OpenLogin)
    }

    var phase = Phase.idle
    /// The call that began the open login; nil means `getAuthentication`.
    @Rare private var begunBy: Origin?
    /// The number of the last question to the service. Answers to earlier questions are ignored.
    private var attempt = 0
    /// The `data` of `getAuthentication`, for the service.
    private var data: [String: String] = [:]
    private var mayUsePlatform = false
    /// Whether the app wants a new login even if the viewer is logged in.
    private var isForced = false

    var isOpen: Bool { phase != .idle }

    var openLogin: OpenLogin? {
        switch phase {
        case .secondScreen(let login), .browser(let login), .completing(let login): login
        case .idle, .listing, .onPlatform, .choosing, .beginning: nil
        }
    }

    private var origin: Origin { begunBy ?? .authentication }

    /// Each of the next three functions is named after a phase. It returns whether the flow is in this phase, and still waits
    /// for the answer to the question with this number.
    func isListing(_ attempt: Int) -> Bool { phase == .listing && attempt == self.attempt }
    func isOnPlatform(_ attempt: Int) -> Bool { if case .onPlatform = phase { attempt == self.attempt } else { false } }
    func isBeginning(_ attempt: Int) -> Bool { if case .beginning = phase { attempt == self.attempt } else { false } }

    mutating func end() {
        phase = .idle
        begunBy = nil
    }

    /// Ends the flow. If an authorization began the login, returns the effect that continues the authorization. Contract: §13.2
    /// step 2.
    mutating func conclude() -> [AuthenticationEffect] {
        defer { end() }
        return goOn(origin)
    }

    mutating func handle(_ event: AuthenticationEvent) -> [AuthenticationEffect] {
        switch event {
        case .asked(let question): asked(question)
        case .listed(let providers, let attempt): listed(providers, attempt)
        case .platformAnswered(let ending, let attempt): platformAnswered(ending, attempt)
        case .listingFailed(let attempt, let cause):
            isListing(attempt) ? failed(.genericAuthentication, .failed, because: cause) : []
        case .chosen(let choice): chosen(choice)
        case .begun(let step, let style, let attempt): begun(step, style: style, attempt: attempt)
        case .beginFailed(let attempt):
            isBeginning(attempt) ? failed(.genericAuthentication, .failed, because: .REG500, reporting: .REG500) : []
        case .urlHandled(let isRefusal): urlHandled(isRefusal)
        case .polled(let poll): polled(poll)
        case .completionFailed(let cause):
            if case .completing = phase { failed(.genericAuthentication, .failed, because: cause) } else { [] }
        case .expired: expired()
        case .replaced: replaced()
        case .cancelled: cancelled()
        case .signedOnElsewhere: signedOnElsewhere()
        case .abandoned: abandoned()
        }
    }
}

// MARK: - Questions and choices

extension AuthenticationFlow {
    /// Applies the decision table of §7.2. The first matching row wins.
    private mutating func asked(_ question: AuthenticationQuestion) -> [AuthenticationEffect] {
        if let provider = question.authenticatedWith, !question.isForced {
            return [
                .status(.authenticated, isOpen ? nil : LoginOutcome(.authenticated)),
                .track(.authentication(provider, isCached: true)),
            ] + goOn(question.origin)
        }
        if joins(question) { return joined(question) }
        if isOpen { return [.status(.multipleAuthenticationRequests)] }
        isForced = question.isForced
        begunBy = question.origin
        if let login = question.openElsewhere, !question.isForced {
            phase = .secondScreen(login)
            return [.watch(login)] + (login.provider.map { [.select($0)] } ?? []) + [.showCode(login)]
        }
        data = question.data
        mayUsePlatform = question.mayUsePlatform
        if let provider = question.chosenBefore { return begin(provider) }
        // A forced call shows the picker, because the viewer may want another provider or a temporary pass. Without the picker,
        // `begin` would end the login with the selected provider before the viewer has chosen.
        if let provider = question.remembered, !question.isForced { return begin(provider) }
        attempt += 1
        phase = .listing
        return [.fetchProviders(attempt)]
    }

    /// Whether the call joins this session's open login. A forced call does not join an unforced login. Two different
    /// authorizations cannot wait for the same login. A call that cannot join the open login is refused.
    func joins(_ question: AuthenticationQuestion) -> Bool {
        guard isOpen, !question.isForced || isForced else { return false }
        return question.origin == .authentication || origin == .authentication || question.origin == origin
    }

    /// Sends the app again what the viewer has to see: the picker, the code or the login page.
    private mutating func joined(_ question: AuthenticationQuestion) -> [AuthenticationEffect] {
        if question.origin != .authentication { begunBy = question.origin }
        switch phase {
        case .choosing(let providers): return [.showProviders(providers)]
        case .secondScreen(let login): return [.showCode(login)]
        case .browser(let login): return [.navigateAgain(login)]
        case .idle, .listing, .onPlatform, .beginning, .completing: return []
        }
    }

    private mutating func listed(_ providers: [Provider], _ attempt: Int) -> [AuthenticationEffect] {
        guard isListing(attempt) else { return [] }
        guard !providers.isEmpty else { return failed(.providerNotAvailable, .failed, because: .N500) }
        if mayUsePlatform, providers.contains(where: \.isOnPlatform) {
            phase = .onPlatform(providers)
            return [.signOnWithPlatform(providers, attempt)]
        }
        phase = .choosing(providers)
        return [.showProviders(providers)]
    }

    /// Handles the platform's answer. If the platform cannot sign the viewer in, our own picker follows. Contract: §17.5.
    private mutating func platformAnswered(_ ending: PartnerSignOn.Ending, _ attempt: Int) -> [AuthenticationEffect] {
        guard isOnPlatform(attempt), case .onPlatform(let providers) = phase else { return [] }
        switch ending {
        case .signedIn(let profile): return signedIn(profile)
        case .alreadyIn(let provider, let reason): return alreadyIn(provider, reason)
        case .selected(let provider):
            return [.select(provider.id), .track(.selection(provider.id))] + begin(provider.id)
        case .regular(let obstacle):
            phase = .choosing(providers)
            return (obstacle.map { [.reportPlatform($0)] } ?? []) + [.showProviders(providers)]
        }
    }

    /// Handles the choice of a provider. If a login is open, a login with the chosen provider replaces it at once. If no login
    /// is open, a temporary pass is used at once, because it needs no login by the viewer. Every other choice is kept for the
    /// next `getAuthentication`. Contract: §7.4, open-questions.md OQ-6.
    private mutating func chosen(_ choice: ProviderChoice) -> [AuthenticationEffect] {
        guard choice.isKnown else { return [.status(.genericAuthentication)] }
        let selection: [AuthenticationEffect] = [.select(choice.provider), .track(.selection(choice.provider))]
        if choice.isIn, !(isOpen && isForced) {
            let outcome = outcome(.authenticated)
            return (outcome == nil ? [] : [.leaveLogin]) + selection + [
                .status(.authenticated, outcome), .track(.authentication(choice.provider, isCached: true)),
            ] + conclude()
        }
        switch phase {
        case .listing, .onPlatform, .choosing: return selection + goOn(choice)
        case .idle: return selection + (choice.isBasicTempPass ? goOn(choice) : [])
        // The choice replaces the open login.
        case .beginning, .secondScreen, .browser, .completing: return [.leaveLogin] + selection + goOn(choice)
        }
    }

    private mutating func goOn(_ choice: ProviderChoice) -> [AuthenticationEffect] {
        choice.isBasicTempPass && !choice.isPassByCall ? alreadyIn(choice.provider, .temporary) : begin(choice.provider)
    }

    private mutating func begin(_ provider: ProviderID) -> [AuthenticationEffect] {
        attempt += 1
        phase = .beginning(provider)
        return [.beginLogin(LoginRequest(provider: provider, data: data, isForced: isForced), attempt)]
    }
}
