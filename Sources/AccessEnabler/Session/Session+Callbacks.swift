// Makes the callbacks that the login flow (`Conversation`) asks for, and the lists of `sendTrackingData`. Contract:
// access-enabler.md §7.4, §7.5, §7.8, §19.

import PassJSON
import PassProtocol

extension Session {
    func emit(
        _ code: FlowErrorCode, _ reason: Callback.Reason? = nil, outcome: LoginOutcome? = nil,
        saying sentence: BoxSentence? = nil
    ) {
        emit(code, reason, outcome: outcome, words: sentence.map { ViewerWords($0) })
    }

    func emit(_ code: FlowErrorCode, _ reason: Callback.Reason?, outcome: LoginOutcome?, words: ViewerWords?) {
        if outcome != nil { drawn = nil }
        let isIn = code == .authenticated
        if isIn { signedOut = nil }
        emit(.setAuthenticationStatus(status: isIn ? 1 : 0, code, reason, outcome, isIn ? nil : words))
    }

    func signInSentence(for asker: Asker) -> BoxSentence {
        if engine.logins.hasUsedUpPass(selection(for: asker), of: asker.key) { return .passUsedUp }
        return signedOut ?? (engine.logins.hasEndedLogin(selection(for: asker), of: asker.key) ? .signInAgain : .signIn)
    }

    /// Notes the outcome of a login that is being stored. The conversation counts this login as ended, but the app does not
    /// know the outcome yet.
    func conclude(_ effects: ArraySlice<AuthenticationEffect>) {
        for case .status(.authenticated, let outcome?) in effects { concluding = outcome }
    }

    /// If a logout or cancel comes while a login is being stored, the outcome of this login; otherwise nil. Returned only once.
    func outcomeOfConclusion() -> LoginOutcome? {
        defer { concluding = nil }
        return concluding.map { LoginOutcome(.cancelled, code: $0.code) }
    }

    /// A logout also ends the app's login that is still in progress. Returns the outcome of this login.
    func outcomeOfLogout() -> LoginOutcome? { conversation.outcome(.cancelled) ?? outcomeOfConclusion() }

    /// Tells the app to open a page in its browser. Contract: access-enabler.md §7.5.
    func navigate(to url: String, of provider: ProviderID?) {
        let isSecure = provider.map(engine.settings.secureBrowserProviders.contains) ?? false
        emit(.navigateToUrl(url, useSVC: options.handleSVC == true && isSecure ? true : nil))
    }

    func openBrowser(for login: OpenLogin, _ asker: Asker) {
        let clock = engine.context.ports.clock
        let end = conversation.browser.open(login, at: clock.boot)
        browserExpiry = clock.alarm(
            at: end,
            starting: { [weak self] in
                guard let self else { return }
                await perform(conversation.browserExpired(login), for: asker, isAwaited: false)
            })
        navigate(to: login.url, of: login.provider)
    }

    func emit(code login: OpenLogin) {
        emit(.status(.registrationCode(invitation(login))))
    }

    /// What the viewer needs to log in on the second screen.
    func invitation(_ login: OpenLogin) -> LoginInvitation {
        LoginInvitation(
            code: login.code.rawValue, link: login.link, url: login.page,
            expires: engine.context.boxDate(login.end), qr: qr(login))
    }

    private func qr(_ login: OpenLogin) -> QRPicture? {
        guard let form = options.qr ?? nil else { return nil }
        guard let page = login.scanned else { return .noPage }
        if let drawn, drawn.page == page, drawn.form == form { return drawn.picture }
        let picture = engine.context.ports.qr(page, form)
        drawn = (page, form, picture)
        return picture
    }

    func track(_ event: TrackedEvent, for asker: Asker) {
        switch event {
        case .authentication(let provider, let isCached):
            let profile = engine.logins.profile(at: asker.key.profileKey(at: provider))
            track(Tracking.authentication(provider, guid: guid(profile), isCached: isCached))
        case .authenticationFailed: track(Tracking.authenticationFailed)
        case .selection(let provider): track(Tracking.selection(provider))
        }
    }
}

/// A list of `sendTrackingData`. A value that does not apply is an empty text, so that the other values keep their positions.
/// Contract: access-enabler.md §19; open-questions.md OQ-30.
struct Tracking: Sendable {
    /// The contract has no device type for a TV box.
    static let deviceType = "unknown"
    static let clientType = "linux"
    static let system = "Linux"

    let event: TrackingEvent
    let data: [String]

    private static let box = [deviceType, clientType, system]

    static func authentication(_ provider: ProviderID, guid: String, isCached: Bool) -> Tracking {
        Tracking(
            event: .authentication, data: ["true", provider.rawValue, guid, isCached ? "true" : "false"] + box)
    }

    static let authenticationFailed = Tracking(event: .authentication, data: ["false", "", "", ""] + box)

    static func authorization(_ provider: ProviderID, guid: String, isCached: Bool) -> Tracking {
        Tracking(
            event: .authorization,
            data: ["true", provider.rawValue, guid, isCached ? "true" : "false", "", ""] + box)
    }

    static func authorizationFailed(_ code: FlowErrorCode, details: String) -> Tracking {
        Tracking(event: .authorization, data: ["false", "", "", "", code.rawValue, details] + box)
    }

    static func selection(_ provider: ProviderID) -> Tracking {
        Tracking(event: .getSelectedProvider, data: [provider.rawValue] + box)
    }
}
