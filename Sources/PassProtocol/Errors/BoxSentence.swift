// All sentences of the box for viewers, in one place. The raw value is the stable `displayCode`. An app in another language
// shows a translated sentence for this code. rpc.md §2, §4; ruling 45.

public enum BoxSentence: String, Sendable, CaseIterable {
    case notPermitted
    case notPermittedNow
    case parentalControls
    case refusedOften
    case passUsedUp
    /// The outcome is unknown, because the provider or the service is slow, is down, or gets too many requests.
    case tryLater
    /// Waiting does not help, because the operator or the app's developer has to act.
    case notAvailable
    case providerNotAvailable
    case signIn
    case signInAgain
    case signedOutElsewhere
    case codeExpired
    case codeInvalid
    case signInRefused
    case signInLater
    case signInOpen
    case anotherSignIn

    public var text: String {
        switch self {
        case .notPermitted: "Your TV provider does not permit this."
        case .notPermittedNow: "Your TV provider does not permit this at the moment."
        case .parentalControls: "Your TV provider's parental controls do not permit this."
        case .refusedOften: "Your TV provider has refused this several times. Try again later."
        case .passUsedUp: "Your temporary pass is used up."
        case .tryLater: "This cannot be checked at the moment. Try again later."
        case .notAvailable: "This is not available in this app."
        case .providerNotAvailable:
            "This TV provider is not available in this app at the moment. Choose another one, or try again later."
        case .signIn: "Sign in with your TV provider to watch this."
        case .signInAgain: "Sign in with your TV provider again to watch this."
        case .signedOutElsewhere: "Another app has signed you out. Sign in with your TV provider again."
        case .codeExpired: "The time for signing in is over. Start again."
        case .codeInvalid: "This code is no longer valid. Start again."
        case .signInRefused: "Your TV provider did not sign you in."
        case .signInLater: "Signing in does not work at the moment. Try again later."
        case .signInOpen: "A sign-in is open already. Finish it, or cancel it."
        case .anotherSignIn: "Another app has started a sign-in."
        }
    }

    /// The general sentence for an error, if no other sentence fits better.
    init(_ name: ErrorName) {
        self =
            switch name {
            case .denied, .parseError, .invalidRequest, .methodNotFound, .invalidParams: .notAvailable
            case .internalError, .limit, .notReady, .requestorNotSet: .tryLater
            case .flowConflict: .signInOpen
            case .unanswered(let status): Self(status)
            }
    }

    /// The sentence for an unanswered question about a resource. `status` is the reason.
    public init(undecided status: SDKStatus) { self.init(status) }

    private init(_ status: SDKStatus) {
        self =
            switch status {
            case .R400, .R401, .CFG400, .SEC403, .Z130: .notAvailable
            case .N130: .codeExpired
            case .N111: .passUsedUp
            case .N500, .REG500: .signInLater
            default: .tryLater
            }
    }
}

extension Callback.Reason {
    /// The sentence for a viewer whose login ended for this reason. `logout` means a logout in another app, because after its
    /// own logout an app needs no sentence.
    public var sentence: BoxSentence? {
        switch self {
        case .sso: nil
        case .logout: .signedOutElsewhere
        case .revoked, .expired: .signInAgain
        case .replaced: .anotherSignIn
        }
    }
}
