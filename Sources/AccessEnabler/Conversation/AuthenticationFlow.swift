// The phases of one app's login, as a state machine. It takes events and returns the effects to perform. It does no work
// itself and never waits. `Conversation` owns it. Contract: access-enabler.md §7.2, §7.4, §7.7a.

import PassProtocol

struct AuthenticationFlow: Sendable {
    /// The call that began the login. It decides what happens after a success.
    enum Origin: Hashable, Sendable {
        case authentication
        case authorization(ResourceID, data: [String: String])
    }

    /// The phase. It is indirect, because most sessions are idle, and a login with its origin is large.
    indirect enum Phase: Hashable, Sendable {
        case idle
        /// The service is asked for the list of providers, with this attempt number.
        case listing(Origin, Int)
        /// The platform's TV account is asked first, with this attempt number.
        case onPlatform(Origin, [Provider], Int)
        case choosing(Origin, [Provider])
        /// The service is asked for a code, with this attempt number.
        case beginning(Origin, ProviderID, Int)
        case secondScreen(Origin, OpenLogin)
        case browser(Origin, OpenLogin)
        /// The browser has returned, and the service is asked for the outcome.
        case completing(Origin, OpenLogin)
    }

    var phase = Phase.idle
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
        case .secondScreen(_, let login), .browser(_, let login), .completing(_, let login): login
        case .idle, .listing, .onPlatform, .choosing, .beginning: nil
        }
    }

    var origin: Origin? {
        switch phase {
        case .idle: nil
        case .listing(let origin, _), .onPlatform(let origin, _, _), .choosing(let origin, _),
            .beginning(let origin, _, _), .secondScreen(let origin, _), .browser(let origin, _),
            .completing(let origin, _):
            origin
        }
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
        if let login = question.openElsewhere, !question.isForced {
            phase = .secondScreen(question.origin, login)
            return [.watch(login)] + (login.provider.map { [.select($0)] } ?? []) + [.showCode(login)]
        }
        data = question.data
        mayUsePlatform = question.mayUsePlatform
        if let provider = question.chosenBefore { return begin(provider, question.origin) }
        // A forced call shows the picker, because the viewer may want another provider or a temporary pass. `begin` would
        // first end the login with the selected provider.
        if let provider = question.remembered, !question.isForced { return begin(provider, question.origin) }
        attempt += 1
        phase = .listing(question.origin, attempt)
        return [.fetchProviders(attempt)]
    }

    /// Whether the call joins the open login. A forced call does not join an unforced login. Only one authorization can
    /// follow a login.
    func joins(_ question: AuthenticationQuestion) -> Bool {
        guard let origin, !question.isForced || isForced else { return false }
        return question.origin == .authentication || origin == .authentication || question.origin == origin
    }

    /// Repeats the effects that the app has to show.
    private mutating func joined(_ question: AuthenticationQuestion) -> [AuthenticationEffect] {
        if question.origin != .authentication { phase = phase.from(question.origin) }
        switch phase {
        case .choosing(_, let providers): return [.showProviders(providers)]
        case .secondScreen(_, let login): return [.showCode(login)]
        case .browser(_, let login): return [.navigateAgain(login)]
        case .idle, .listing, .onPlatform, .beginning, .completing: return []
        }
    }

    private func isListing(_ attempt: Int) -> Bool { if case .listing(_, attempt) = phase { true } else { false } }

    private mutating func listed(_ providers: [Provider], _ attempt: Int) -> [AuthenticationEffect] {
        guard case .listing(let origin, attempt) = phase else { return [] }
        guard !providers.isEmpty else { return failed(.providerNotAvailable, .failed, because: .N500) }
        if mayUsePlatform, providers.contains(where: \.isOnPlatform) {
            phase = .onPlatform(origin, providers, attempt)
            return [.signOnWithPlatform(providers, attempt)]
        }
        phase = .choosing(origin, providers)
        return [.showProviders(providers)]
    }

    func isOnPlatform(_ attempt: Int) -> Bool {
        if case .onPlatform(_, _, attempt) = phase { true } else { false }
    }

    /// Handles the platform's answer. If the platform cannot sign the viewer in, our own picker follows. Contract: §17.5.
    private mutating func platformAnswered(_ ending: PartnerSignOn.Ending, _ attempt: Int) -> [AuthenticationEffect] {
        guard case .onPlatform(let origin, let providers, attempt) = phase else { return [] }
        switch ending {
        case .signedIn(let profile):
            phase = .idle
            return signedIn(profile, origin)
        case .alreadyIn(let provider, let reason):
            phase = .idle
            return alreadyIn(provider, reason, for: origin)
        case .selected(let provider):
            return [.select(provider.id), .track(.selection(provider.id))] + begin(provider.id, origin)
        case .regular(let obstacle):
            phase = .choosing(origin, providers)
            return (obstacle.map { [.reportPlatform($0)] } ?? []) + [.showProviders(providers)]
        }
    }

    /// Handles a choice. Within a flow it starts the login at once. Outside of a flow it is kept for the next
    /// `getAuthentication`; only a temporary pass, which needs no login, is used at once. Contract: §7.4, open-questions.md
    /// OQ-6.
    private mutating func chosen(_ choice: ProviderChoice) -> [AuthenticationEffect] {
        guard choice.isKnown else { return [.status(.genericAuthentication)] }
        let selection: [AuthenticationEffect] = [.select(choice.provider), .track(.selection(choice.provider))]
        if choice.isIn, !(isOpen && isForced) {
            let (origin, outcome) = (origin ?? .authentication, outcome(.authenticated))
            phase = .idle
            return (outcome == nil ? [] : [.leaveLogin]) + selection + [
                .status(.authenticated, outcome), .track(.authentication(choice.provider, isCached: true)),
            ] + goOn(origin)
        }
        switch phase {
        case .listing(let origin, _), .onPlatform(let origin, _, _), .choosing(let origin, _):
            return selection + goOn(choice, origin)
        case .idle:
            return selection + (choice.isBasicTempPass ? goOn(choice, .authentication) : [])
        case .beginning(let origin, _, _), .secondScreen(let origin, _), .browser(let origin, _),
            .completing(let origin, _):
            // The choice replaces the open login.
            return [.leaveLogin] + selection + goOn(choice, origin)
        }
    }

    private mutating func goOn(_ choice: ProviderChoice, _ origin: Origin) -> [AuthenticationEffect] {
        choice.isBasicTempPass && !choice.isPassByCall
            ? passed(choice.provider, origin) : begin(choice.provider, origin)
    }

    private mutating func begin(_ provider: ProviderID, _ origin: Origin) -> [AuthenticationEffect] {
        attempt += 1
        phase = .beginning(origin, provider, attempt)
        return [.beginLogin(LoginRequest(provider: provider, data: data, isForced: isForced), attempt)]
    }

    private mutating func passed(_ provider: ProviderID, _ origin: Origin) -> [AuthenticationEffect] {
        phase = .idle
        return [
            .refreshProfile(provider), .report(.N011), .remember(canAuthenticate: true),
            .status(.authenticated, LoginOutcome(.authenticated)), .track(.authentication(provider, isCached: false)),
        ] + goOn(origin)
    }
}
