// One session's conversation with its viewer about a login: it owns the login flow from the question to its end, and
// everything that is known only because of it, such as the provider that was chosen or the page that is open in a
// browser. It is pure: it receives events and times and returns effects; the session performs them and reports their
// results. Contract: access-enabler.md §7.

struct Conversation: Sendable {
    /// What a choice of a provider leads to.
    enum ChoiceOutcome: Sendable {
        case goesOn([AuthenticationEffect])
        /// No flow is under way; the choice is kept for the next one. OQ-6.
        case isForLater([AuthenticationEffect])
    }

    private var flow = AuthenticationFlow()
    private(set) var browser = AppBrowser()
    /// The provider that was chosen outside of a flow, for the next one.
    private(set) var choice: ProviderID?
    /// `data` of the last `getAuthentication`.
    private var data: [String: String] = [:]
    /// The part of `data` that identifies the viewer of the chosen temporary pass.
    private(set) var temporaryIdentity: [String: String] = [:]
    /// Why the platform did not sign the viewer on when it was asked last.
    private(set) var platformObstacle: PartnerSignOn.Obstacle?
    /// The selection that the flow has replaced. It is restored by a cancel that does not log the viewer out. OQ-9.
    private(set) var formerSelection: Selection?
    /// How often the viewer has cancelled. A choice that was under way at a cancel no longer counts.
    private(set) var cancelCount = 0
    /// The requestor's list of providers, as last fetched.
    private(set) var offered: [Provider] = []

    // MARK: State

    var phase: AuthenticationFlow.Phase { flow.phase }
    var isOpen: Bool { flow.isOpen }
    /// The login whose code or page the app shows.
    var openLogin: OpenLogin? { flow.openLogin }
    var isInBrowser: Bool { if case .browser = phase { true } else { false } }
    var waitsForBrowser: Bool { browser.isAwaited || isInBrowser }
    /// Nothing is under way that would cause later callbacks, and nothing is known of the viewer that is not stored.
    var isAtRest: Bool { !isOpen && browser.isClosed && temporaryIdentity.isEmpty }
    /// The providers of the picker, which contains no temporary passes. Contract: rest-v2.md §13, §18.2.
    var picker: [Provider] { offered.filter { !$0.isTempPass } }

    func isOnPlatform(_ attempt: Int) -> Bool { flow.isOnPlatform(attempt) }

    func isBeginning(_ attempt: Int) -> Bool { flow.isBeginning(attempt) }

    func isCompleting(_ login: OpenLogin) -> Bool { if case .completing(_, login) = phase { true } else { false } }

    /// A login is under way, and the question asks for another one.
    func conflicts(with question: AuthenticationQuestion) -> Bool {
        isOpen && (question.authenticatedWith == nil || question.isForced)
    }

    // MARK: Events

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
        // The choice counts for this flow only, however it ends.
        if !conflicts(with: question) { choice = nil }
        return flow.handle(.asked(question))
    }

    mutating func remember(data: [String: String]) { self.data = data }

    /// The viewer chose a provider of the requestor's list. `isIn`: there is already a valid login with it.
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

    /// Another requestor is being set up: what is known of the former one's viewer must not reach it.
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

    /// Returns until when to wait for the login page.
    mutating func openBrowser(for login: OpenLogin, at now: BootTime) -> BootTime { browser.open(login, at: now) }

    mutating func openBrowser(for pages: [AppBrowser.LogoutPage]) { browser.open(pages) }

    mutating func closeBrowserLogin() -> OpenLogin? { browser.closeLogin() }

    mutating func browserCameBack() -> AppBrowser.Return { browser.comeBack(fromLogin: isInBrowser) }

    /// The wait for the login page has ended.
    mutating func browserExpired(_ login: OpenLogin) -> [AuthenticationEffect] {
        guard case .browser(_, login) = phase else { return [] }
        return flow.handle(.expired)
    }
}
