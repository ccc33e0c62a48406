// The events that a conversation gets, and the effects that it returns to the session. The session performs the effects in
// order (`Session.perform`). An effect may have a result, which the session passes to the conversation as the next event.

import PassProtocol

/// A call of `getAuthentication`, with all facts that decide its answer. Contract: access-enabler.md §7.2.
struct AuthenticationQuestion: Sendable {
    var origin = AuthenticationFlow.Origin.authentication
    var isForced = false
    var data: [String: String] = [:]
    /// The provider of a valid login, if there is one.
    var authenticatedWith: ProviderID?
    /// An open code of this requestor that another session already shows. This session shows the same code and does not ask
    /// for a second one. rpc.md §4.
    var openElsewhere: OpenLogin?
    /// Whether the box has a TV account of its own.
    var mayUsePlatform = false
    /// The provider that the app has chosen since the last login. `Conversation` sets this.
    var chosenBefore: ProviderID?
    /// The selected provider, if the last login with it succeeded (`canAuthenticate`).
    var remembered: ProviderID?
}

/// A call of `setSelectedProvider` with a provider.
struct ProviderChoice: Sendable {
    var provider: ProviderID
    /// Whether the provider is in the requestor's list.
    var isKnown = true
    /// Whether the provider is a temporary pass. Such a pass needs no login by the viewer.
    var isBasicTempPass = false
    /// Whether the provider is a temporary pass that begins with a call to the service (`BackendTraits.temporaryPassByCall`).
    var isPassByCall = false
    /// Whether the viewer is already logged in with this provider. OQ-9.
    var isIn = false
}

enum AuthenticationEvent: Sendable {
    case asked(AuthenticationQuestion)
    /// The service has sent the list of providers, or has failed. The number identifies the effect `fetchProviders`.
    case listed([Provider], Int)
    case listingFailed(Int, SDKStatus = .N500)
    /// The sign-on with the TV account has ended. If it led to a login, this login is already stored. The number identifies the
    /// effect `signOnWithPlatform`.
    case platformAnswered(PartnerSignOn.Ending, Int)
    case chosen(ProviderChoice)
    /// The service's answer to the effect `beginLogin` with this number.
    case begun(LoginStep, LoginStyle, Int)
    case beginFailed(Int)
    /// The app has called `handleExternalURL`. A URL with the parameter `error` is a refusal.
    case urlHandled(isRefusal: Bool)
    /// The service's answer about the outcome of the login. A completed login is already stored.
    case polled(LoginPoll)
    /// The service could not be asked for the outcome of a login in the browser.
    case completionFailed(SDKStatus = .N500)
    /// The code has expired.
    case expired
    /// This code is invalid, because another app has asked for a code and the service knows only the newest code.
    case replaced
    /// The app has called `setSelectedProvider(null)`.
    case cancelled
    /// A login made in another app has become valid for this app.
    case signedOnElsewhere
    /// The viewer has logged out, the app has set another requestor, or the app has disconnected.
    case abandoned
}

/// The events of `sendTrackingData`. Contract: access-enabler.md §19.
enum TrackedEvent: Hashable, Sendable {
    case authentication(ProviderID, isCached: Bool)
    case authenticationFailed
    case selection(ProviderID)
}

enum AuthenticationEffect: Sendable {
    /// Send the callback `setAuthenticationStatus`. The outcome is set if a login that this app began has ended. Contract:
    /// access-enabler.md §3, §7.8.
    case status(FlowErrorCode, LoginOutcome? = nil)
    /// Send this code on the status channel, with the callback `status`. Contract: access-enabler.md §20.
    case report(SDKStatus)
    /// Tell the app that its login was replaced by the login of another app.
    case tellReplaced(LoginOutcome)
    case track(TrackedEvent)
    case fetchProviders(Int)
    case signOnWithPlatform([Provider], Int)
    case reportPlatform(PartnerSignOn.Obstacle)
    case showProviders([Provider])
    case select(ProviderID)
    case deselect
    case remember(canAuthenticate: Bool)
    case beginLogin(LoginRequest, Int)
    case showCode(OpenLogin)
    case navigate(OpenLogin)
    /// Send the login page again, because the app has asked for a login while this login is open.
    case navigateAgain(OpenLogin)
    /// Note that this session shows a code that another session has asked for.
    case watch(OpenLogin)
    case leaveLogin
    /// The browser has returned: ask the service for the outcome.
    case complete(OpenLogin)
    /// Ask the service for a login that passd does not know yet.
    case refreshProfile(ProviderID)
    case authorize(ResourceID, data: [String: String])
}
