// The events that a conversation is told of, and the effects that it wants done. The session performs the effects in
// their order (`Session.perform`), and what comes of one may be the next event.

/// `getAuthentication`, with everything its decision depends on. Contract: access-enabler.md §7.2.
struct AuthenticationQuestion: Sendable {
    var origin = AuthenticationFlow.Origin.authentication
    var isForced = false
    var data: [String: String] = [:]
    /// The provider of a valid login, if there is one.
    var authenticatedWith: ProviderID?
    /// A code that another session of this requestor shows already: no second one is made. rpc.md §4.
    var openElsewhere: OpenLogin?
    /// The box has a TV account of its own.
    var mayUsePlatform = false
    /// What the app chose since the last flow; the conversation knows it.
    var chosenBefore: ProviderID?
    /// Remembered, and the last login there succeeded (`canAuthenticate`).
    var remembered: ProviderID?
}

struct ProviderChoice: Sendable {
    var provider: ProviderID
    /// In the requestor's list.
    var isKnown = true
    var isBasicTempPass = false
    /// A pass that the service lets nobody use before it was asked for.
    var isPassByCall = false
    /// There is a good login already. OQ-9.
    var isIn = false
}

enum AuthenticationEvent: Sendable {
    case asked(AuthenticationQuestion)
    /// The service's list came, or could not be had. The number is that of the effect `fetchProviders` that asked for
    /// it.
    case listed([Provider], Int)
    case listingFailed(Int)
    case platformAnswered(PartnerSignOn.Ending, Int)
    case chosen(ProviderChoice)
    /// The service's answer to the effect `beginLogin` with this number.
    case begun(LoginStep, LoginStyle, Int)
    case beginFailed(Int)
    /// `handleExternalURL`; a refusal is a URL with `error=`.
    case urlHandled(isRefusal: Bool)
    case polled(LoginPoll)
    /// The service could not say what came of the browser's way.
    case completionFailed
    /// The code's time is over.
    case expired
    /// `setSelectedProvider(null)`
    case cancelled
    /// Another app's login counts for this one.
    case signedOnElsewhere
    /// Logout, another requestor, or the app is gone.
    case abandoned
}

/// Second argument of `setAuthenticationStatus(0, …)`. Contract: access-enabler.md §3, §7.8.
enum AuthenticationFailure: String, Hashable, Sendable {
    case notAuthenticated = "USER_NOT_AUTHENTICATED_ERROR"
    case providerNotSelected = "PROVIDER_NOT_SELECTED_ERROR"
    case generic = "GENERIC_AUTHENTICATION_ERROR"
    case noProviders = "PROVIDER_NOT_AVAILABLE_ERROR"
    case multipleRequests = "MULTIPLE_AUTHENTICATION_REQUESTS_ERROR"
}

enum AuthenticationStatus: Hashable, Sendable {
    case success
    case failure(AuthenticationFailure)
}

/// Codes of the status channel that belong to a flow. Contract: access-enabler.md §20.
enum AuthenticationReport: String, Hashable, Sendable {
    case degradedLogin = "N010"
    case temporaryLogin = "N011"
    case cancelled = "N005"
    case noTokenOnSession = "N130"
    case regcodeFailed = "REG500"
}

/// Contract: access-enabler.md §19.
enum TrackedEvent: Hashable, Sendable {
    case authentication(ProviderID, isCached: Bool)
    case authenticationFailed
    case selection(ProviderID)
}

enum AuthenticationEffect: Sendable {
    case status(AuthenticationStatus)
    case report(AuthenticationReport)
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
    case poll(OpenLogin)
    case leaveLogin
    /// Ask once what came of the browser's way.
    case complete(OpenLogin)
    case adopt(Profile)
    /// The service knows a login that we have not seen yet.
    case refreshProfile(ProviderID)
    case authorize(ResourceID, data: [String: String])
}
