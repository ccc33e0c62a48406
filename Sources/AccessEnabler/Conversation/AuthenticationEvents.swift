// The events that a conversation receives, and the effects that it asks for. The session performs the effects in their
// order (`Session.perform`); the result of an effect may be the next event.

/// `getAuthentication`, with everything that the decision about it depends on. Contract: access-enabler.md §7.2.
struct AuthenticationQuestion: Sendable {
    var origin = AuthenticationFlow.Origin.authentication
    var isForced = false
    var data: [String: String] = [:]
    /// The provider of a valid login, if there is one.
    var authenticatedWith: ProviderID?
    /// A code that another session of this requestor shows. It is shared instead of requesting a second one. rpc.md §4.
    var openElsewhere: OpenLogin?
    /// The box has a TV account of its own.
    var mayUsePlatform = false
    /// The provider chosen since the last flow. The conversation fills it in.
    var chosenBefore: ProviderID?
    /// The selected provider, if the last login with it succeeded (`canAuthenticate`).
    var remembered: ProviderID?
}

struct ProviderChoice: Sendable {
    var provider: ProviderID
    /// The provider is in the requestor's list.
    var isKnown = true
    var isBasicTempPass = false
    /// A temporary pass that has to be requested from the service before it can be used.
    var isPassByCall = false
    /// There is already a valid login with this provider. OQ-9.
    var isIn = false
}

enum AuthenticationEvent: Sendable {
    case asked(AuthenticationQuestion)
    /// The service's list has arrived, or could not be fetched. The number is that of the effect `fetchProviders`.
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
    /// The service did not say what became of the login in the browser.
    case completionFailed
    /// The code has expired.
    case expired
    /// `setSelectedProvider(null)`
    case cancelled
    /// Another app's login counts for this one.
    case signedOnElsewhere
    /// Logout, another requestor, or the app is gone.
    case abandoned
}

/// The second argument of `setAuthenticationStatus(0, …)`. Contract: access-enabler.md §3, §7.8.
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

/// The codes of the status channel that a login flow reports. Contract: access-enabler.md §20.
enum AuthenticationReport: String, Hashable, Sendable {
    case degradedLogin = "N010"
    case temporaryLogin = "N011"
    case cancelled = "N005"
    case noTokenOnSession = "N130"
    case regcodeFailed = "REG500"
}

/// What is reported as tracking data. Contract: access-enabler.md §19.
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
    /// Fetch a login that the service has and that is not known here yet.
    case refreshProfile(ProviderID)
    case authorize(ResourceID, data: [String: String])
}
