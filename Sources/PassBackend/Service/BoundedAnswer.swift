// An answer that is made of what is remembered afterwards: one that is larger than what can be kept is refused whole and
// with the reason, before anything of it is believed.

import AccessEnabler

protocol BoundedAnswer {
    /// What is too much of it, in words.
    var excess: String? { get }
}

extension BackendFault {
    /// No answer that could be used: it is more than can be kept.
    static func excessive(_ excess: String) -> BackendFault {
        var fault = BackendFault(.unusableAnswer)
        fault.reason = excess
        return fault
    }
}

/// The answer if all of it can be kept.
func bounded<Answer>(_ answer: Answer) -> Result<Answer, CallTrouble> {
    guard let excess = (answer as? any BoundedAnswer)?.excess else { return .success(answer) }
    return .failure(.fault(.excessive(excess)))
}

extension LoginStep {
    func bounded() throws(BackendFault) -> LoginStep {
        switch self {
        case .showCode(let login), .openURL(let login):
            if let excess = login.excess { throw .excessive(excess) }
        case .alreadyIn(let provider, _):
            if let excess = ValueLimits.excess([("name of a provider", provider.rawValue)]) { throw .excessive(excess) }
        }
        return self
    }
}
