// An answer that will be stored. If it is larger than what can be stored, all of it is refused, with the reason, before
// any of it is used.

import AccessEnabler

protocol BoundedAnswer {
    /// Says what exceeds the limits; nil if nothing does.
    var excess: String? { get }
}

extension BackendFault {
    /// The answer cannot be used, because it is larger than what can be stored.
    static func excessive(_ excess: String) -> BackendFault {
        var fault = BackendFault(.unusableAnswer)
        fault.reason = excess
        return fault
    }
}

/// Returns the answer if all of it can be stored.
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
