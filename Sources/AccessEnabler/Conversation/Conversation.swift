// The login flow of one session, with the facts that only this session knows: the provider that its viewer has chosen, the
// number of cancels, and the pages in the app's browser. A conversation owns the state machine and the browser's state. It does
// no work itself: it takes events and the time, and returns effects. The session owns the conversation and performs the
// effects. Contract: access-enabler.md §7.

import PassProtocol

struct Conversation: Sendable {
    /// What happens after the choice of a provider.
    enum ChoiceOutcome: Sendable {
        case goesOn([AuthenticationEffect])
        /// No login is open, so the choice is kept for the next login. OQ-6.
        case isForLater([AuthenticationEffect])
    }

    private(set) var flow = AuthenticationFlow()
    var browser = AppBrowser()
    /// The provider that the app chose while no login was open. The next login uses it.
    private(set) var choice: ProviderID?
    /// The `data` of the last `getAuthentication`.
    private var data: [String: String] = [:]
    /// The filter for the platform's picker, from the last `getAuthentication`.
    private(set) var filter: GetAuthentication.Filter?
    /// The `data` that was sent for the chosen temporary pass. It identifies the viewer at the service.
    var temporaryIdentity: [String: String] = [:]
    /// Why the last sign-on with the platform failed.
    @Rare var platformObstacle: PartnerSignOn.Obstacle?
    /// The provider that the viewer has chosen in this app but has not logged in with. Only this session knows it. OQ-9.
    @Rare var ownChoice: Provider?
    /// How often the viewer has cancelled. Work that began before the last cancel is dropped.
    private(set) var cancelCount = 0
    /// The requestor's list of providers, as last received.
    var offered: [Provider] = []

    // MARK: State

    var phase: AuthenticationFlow.Phase { flow.phase }
    var isOpen: Bool { flow.isOpen }
    /// The login whose code or page the app shows.
    var openLogin: OpenLogin? { flow.openLogin }
    var isInBrowser: Bool { if case .browser = phase { true } else { false } }
    var waitsForBrowser: Bool { browser.isAwaited || isInBrowser }
    /// Whether no login and no browser page is open, and no identity for a temporary pass is kept.
    var isAtRest: Bool { !isOpen && browser.isClosed && temporaryIdentity.isEmpty }
    /// The providers for the picker, without temporary passes. Contract: rest-v2.md §13, §18.2.
    var picker: [Provider] { offered.filter { !$0.isTempPass } }

    func isCompleting(_ login: OpenLogin) -> Bool { if case .completing(login) = phase { true } else { false } }

    /// Whether the question asks for a different login than the one in progress.
    func conflicts(with question: AuthenticationQuestion) -> Bool {
        isOpen && (question.authenticatedWith == nil || question.isForced) && !flow.joins(question)
    }

    /// Whether passd needs an answer of the service before it can tell the app what to show.
    var waitsForService: Bool {
        switch phase {
        case .listing, .beginning: true
        case .idle, .onPlatform, .choosing, .secondScreen, .browser, .completing: false
        }
    }

    func outcome(_ kind: LoginOutcome.Kind, _ cause: SDKStatus? = nil) -> LoginOutcome? { flow.outcome(kind, cause) }

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
        // The choice is for this login only, even if this login fails.
        if !conflicts(with: question) { choice = nil }
        return flow.handle(.asked(question))
    }

    mutating func remember(data: [String: String], filter: GetAuthentication.Filter? = nil) {
        self.data = data
        self.filter = filter
    }

    /// Handles the viewer's choice of a provider in the requestor's list. `isIn`: the viewer is already logged in with this
    /// provider. `isPassByCall`: at this service, a temporary pass begins with a call.
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

    /// Handles `setSelectedProvider(null)`. The session then passes the event `cancelled` to the flow.
    mutating func cancel() {
        choice = nil
        cancelCount += 1
    }

    mutating func forgetChoice() {
        choice = nil
        ownChoice = nil
    }

    /// Handles a logout by the viewer in this app.
    mutating func logOut() -> [AuthenticationEffect] {
        forgetChoice()
        temporaryIdentity = [:]
        return flow.handle(.abandoned)
    }

    /// Forgets the former requestor's viewer, because the app sets another requestor.
    mutating func forgetViewer() {
        choice = nil
        browser.forgetOvertaken()
        offered = []
        data = [:]
        filter = nil
        temporaryIdentity = [:]
        ownChoice = nil
    }

    // MARK: The browser

    /// Ends this login, because the browser has not returned from the login page in time.
    mutating func browserExpired(_ login: OpenLogin) -> [AuthenticationEffect] {
        guard case .browser(login) = phase else { return [] }
        return flow.handle(.expired)
    }
}
