// One session's conversation with its viewer about a login: the flow from the question to its end, and everything that
// is known only because of it, such as what the viewer chose, backed out of, or has open in a browser. It is pure: it
// is told what happened and what time it is, and says what is to be done. The session does that, and tells it what came
// of it. Contract: access-enabler.md §7.

struct Conversation: Sendable {
    /// What a choice of a provider leads to.
    enum ChoiceOutcome: Sendable {
        case goesOn([AuthenticationEffect])
        /// Without a flow the choice is for the next one. OQ-6.
        case isForLater([AuthenticationEffect])
    }

    private var flow = AuthenticationFlow()
    private(set) var browser = AppBrowser()
    /// Chosen outside of a flow, for the next one.
    private(set) var choice: ProviderID?
    /// `data` of the last `getAuthentication`.
    private var data: [String: String] = [:]
    /// The same, as far as it was for the temporary pass that was chosen.
    private(set) var temporaryIdentity: [String: String] = [:]
    /// What kept the platform from signing on when it was asked last.
    private(set) var platformObstacle: PartnerSignOn.Obstacle?
    /// The login that a flow has chosen away from: where a cancel signs nobody out, it comes back. OQ-9.
    private(set) var formerSelection: Selection?
    /// How often the viewer backed out: a choice that was under way then is no choice any more.
    private(set) var cancelCount = 0
    /// The requestor's list, as it was asked for last.
    private(set) var offered: [Provider] = []

    // MARK: Where it stands

    var phase: AuthenticationFlow.Phase { flow.phase }
    var isOpen: Bool { flow.isOpen }
    /// The login whose code or page the app shows.
    var openLogin: OpenLogin? { flow.openLogin }
    var isInBrowser: Bool { if case .browser = phase { true } else { false } }
    var waitsForBrowser: Bool { browser.isAwaited || isInBrowser }
    /// Nothing is under way that would have to be told afterwards, and nothing is known of the viewer alone.
    var isAtRest: Bool { !isOpen && browser.isClosed && temporaryIdentity.isEmpty }
    /// What viewers choose from: no temporary passes. Contract: rest-v2.md §13, §18.2.
    var picker: [Provider] { offered.filter { !$0.isTempPass } }

    func isOnPlatform(_ attempt: Int) -> Bool { flow.isOnPlatform(attempt) }

    func isBeginning(_ attempt: Int) -> Bool { flow.isBeginning(attempt) }

    func isCompleting(_ login: OpenLogin) -> Bool { if case .completing(_, login) = phase { true } else { false } }

    /// A login is under way, and the question wants another one.
    func conflicts(with question: AuthenticationQuestion) -> Bool {
        isOpen && (question.authenticatedWith == nil || question.isForced)
    }

    // MARK: What happens

    mutating func handle(_ event: AuthenticationEvent) -> [AuthenticationEffect] {
        switch event {
        case .asked(let question): return ask(question)
        case .listed(let providers, let attempt):
            let effects = flow.handle(.listed(providers.filter { !$0.isTempPass }, attempt))
            if !effects.isEmpty { offered = providers }
            return effects
        case .platformAnswered(.selected(let provider), _):
            if !offered.contains(provider) { offered.append(provider) }
            return flow.handle(event)
        case .signedOnElsewhere:
            if isInBrowser { browser.overtake() }
            return flow.handle(event)
        default: return flow.handle(event)
        }
    }

    private mutating func ask(_ question: AuthenticationQuestion) -> [AuthenticationEffect] {
        var question = question
        question.chosenBefore = choice
        if choice != nil, choice != question.openElsewhere?.provider { question.openElsewhere = nil }
        // The choice is for this flow, whatever becomes of that.
        if !conflicts(with: question) { choice = nil }
        return flow.handle(.asked(question))
    }

    mutating func remember(data: [String: String]) { self.data = data }

    /// The viewer chose a provider of the requestor's list. `isIn`: there is a good login with it already.
    mutating func choose(_ provider: Provider, isIn: Bool, isPassByCall: Bool) -> ChoiceOutcome {
        let (wasOpen, isPass) = (isOpen, provider.isTempPass)
        temporaryIdentity = isPass ? data : [:]
        var choice = ProviderChoice(provider: provider.id)
        choice.isBasicTempPass = isPass
        choice.isPassByCall = isPass && isPassByCall
        choice.isIn = isIn && !isPass
        let effects = flow.handle(.chosen(choice))
        guard !wasOpen, !isPass else { return .goesOn(effects) }
        self.choice = provider.id
        return .isForLater(effects)
    }

    /// `setSelectedProvider(null)`; the flow is told by `cancelled`.
    mutating func cancel() {
        choice = nil
        cancelCount += 1
    }

    mutating func forgetChoice() { choice = nil }

    /// The viewer logs out in this app.
    mutating func logOut() -> [AuthenticationEffect] {
        choice = nil
        temporaryIdentity = [:]
        return flow.handle(.abandoned)
    }

    /// Another requestor is set up: nothing of the former one's viewer is meant for this one.
    mutating func forgetViewer() {
        choice = nil
        browser.forgetOvertaken()
        offered = []
        data = [:]
        temporaryIdentity = [:]
        formerSelection = nil
    }

    mutating func noteOffered(_ providers: [Provider]) { offered = providers }

    mutating func notePlatformObstacle(_ obstacle: PartnerSignOn.Obstacle?) { platformObstacle = obstacle }

    // MARK: Selections

    mutating func rememberFormerSelection(_ selection: Selection?) { formerSelection = selection }

    mutating func forgetFormerSelection() { formerSelection = nil }

    mutating func forgetTemporaryIdentity() { temporaryIdentity = [:] }

    // MARK: The browser

    /// Until when the login's page is waited for.
    mutating func openBrowser(for login: OpenLogin, at now: BootTime) -> BootTime { browser.open(login, at: now) }

    mutating func openBrowser(for pages: [AppBrowser.LogoutPage]) { browser.open(pages) }

    mutating func closeBrowserLogin() -> OpenLogin? { browser.closeLogin() }

    mutating func browserCameBack() -> AppBrowser.Return { browser.comeBack(fromLogin: isInBrowser) }

    /// The time for which the login's page was waited for is over.
    mutating func browserExpired(_ login: OpenLogin) -> [AuthenticationEffect] {
        guard case .browser(_, login) = phase else { return [] }
        return flow.handle(.expired)
    }
}
