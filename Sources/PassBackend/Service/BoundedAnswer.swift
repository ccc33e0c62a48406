// An answer whose contents are stored. If a part is too large, the whole answer is refused with the reason, before it
// is used.

import AccessEnabler

protocol BoundedAnswer {
    /// The part that is too large, in words; nil if all of it can be stored.
    var excess: String? { get }
}

extension BackendFault {
    /// The fault for an answer that is too large to be kept.
    static func excessive(_ excess: String) -> BackendFault {
        var fault = BackendFault(.unusableAnswer)
        fault.reason = excess
        return fault
    }
}

/// Returns the answer, or the trouble if it is too large to be kept.
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
