// The meaning of a service's decision for the app that asked. The table below gives the meaning of each error code. For unknown
// codes, the service's recommended action decides. Contract: access-enabler.md §13.3; rest-v2.md §6.2, §18.3.

import PassProtocol

enum DecisionOutcome: Sendable {
    /// Permitted. The status code is set if the permit does not come from the provider.
    case permitted(MediaToken, SDKStatus?)
    /// The provider or the service denies the resource.
    case denied(SDKStatus, FlowErrorCode)
    /// The service no longer accepts the login.
    case notAuthenticated
    /// The requestor no longer works with the provider.
    case lapsed
    /// The question was not answered.
    case unanswered(SDKStatus)

    init(_ decision: ServiceDecision) {
        if decision.isAuthorized {
            guard let token = decision.token else {
                self = .unanswered(.Z500)
                return
            }
            self = .permitted(token, decision.source.status)
            return
        }
        self = decision.error.map(Self.init) ?? .denied(.Z100, .userNotAuthorized)
    }

    init(_ error: ServiceError) {
        switch error.code {
        case _ where error.meansNoProfile: self = .notAuthenticated
        case let code where SDKStatus(undecidedBy: code) != nil:
            self = .unanswered(SDKStatus(undecidedBy: code) ?? .Z500)
        case _ where error.meansLapsedIntegration: self = .lapsed
        // The service does not accept the platform's login with the platform's current status. rest-v2.md §12.3.
        case _ where error.isAboutPlatformStatus: self = .notAuthenticated
        case "authorization_denied_by_mvpd", "authorization_denied_by_parental_controls",
            "authorization_denied_by_hba_policies", "authorization_denied_by_session_invalidated",
            "identity_not_recognized_by_mvpd":
            self = .denied(.Z100, .userNotAuthorized)
        case "temporary_access_duration_limit_exceeded", "temporary_access_resources_limit_exceeded":
            self = .denied(.N111, .userNotAuthorized)
        case "maximum_attempts_exceeded": self = .denied(.Z110, .userNotAuthorized)
        case "authorization_denied_by_degradation_rule": self = .denied(.Z169, .userNotAuthorized)
        case _ where error.needsTemporaryIdentity: self = .unanswered(.Z500)
        default:
            switch error.action {
            case .authentication: self = .notAuthenticated
            // The question was wrong, so there is no decision.
            case _ where error.isOperators: self = .unanswered(.Z500)
            case .authorization, .none: self = .denied(.Z100, .userNotAuthorized)
            case .retry: self = .unanswered(.Z120)
            default: self = .unanswered(.Z500)
            }
        }
    }
}

extension DecisionOutcome {
    var verdict: EngineEvent.Verdict {
        switch self {
        case .permitted: .permitted
        case .denied: .denied
        case .notAuthenticated, .lapsed: .unauthenticated
        case .unanswered: .undecided
        }
    }
}

extension ServiceDecision {
    /// Whether the service's answer omits the resource. Such a resource is neither permitted nor denied.
    var isOmitted: Bool { error?.code == ServiceError.omittedCode }

    /// The verdict of a hint, which has no media token.
    var hintVerdict: EngineEvent.Verdict {
        isAuthorized ? .permitted : error.map { DecisionOutcome($0).verdict } ?? .denied
    }

    /// The code with which a play would be refused. Nil for a permit. Also nil for an omitted resource, because a play of this
    /// resource may need no authorization.
    var hintRefusal: FlowErrorCode? {
        if isOmitted { return nil }
        return switch hintVerdict {
        case .permitted: nil
        case .undecided: .genericAuthorization
        case .denied: .userNotAuthorized
        case .unauthenticated: .userNotAuthenticated
        }
    }
}

extension ServiceDecision.Source {
    /// The status code for a permit that does not come from the provider. Contract: access-enabler.md §16.
    fileprivate var status: SDKStatus? {
        switch self {
        case .degradation: .Z010
        case .tempPass: .Z011
        case .mvpd, .dummy, .other: nil
        }
    }
}
