// All sentences of the box for viewers. The raw value is the stable `displayCode`. The texts, in all languages, are in
// clients/sentences.json. rpc.md §2, §4; ruling 45.

import CTexts

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

    /// The sentence in the language of this BCP 47 tag, or else in English.
    public func text(in language: String?) -> String { String(cString: pass_sentence(rawValue, language ?? "")) }

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
