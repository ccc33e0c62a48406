// Turns values of the engine into values for the socket. A failure of the service becomes an error answer and a code on the
// status channel. Both depend on the kind of call (`CallPhase`). Contract: access-enabler.md §6.1, §13.3, §18.1; rest-v2.md
// §18.3; rpc.md §2, §4.

import PassJSON
import PassProtocol

extension Provider {
    var mvpd: MVPD {
        MVPD(
            id: id.rawValue, displayName: displayName, logoURL: logoURL,
            enablePlatformServices: enablePlatformServices ? true : nil,
            boardingStatus: boardingStatus.flatMap { MVPD.BoardingStatus(rawValue: $0.rawValue) },
            isTempPass: isTempPass ? true : nil)
    }
}

extension ServiceError {
    /// The error with the older name of its code, which ported apps expect. Contract: rest-v2.md §18.3.
    var shown: EnhancedError {
        let prefix = "authenticated_profile_"
        let name = code.hasPrefix(prefix) ? "authentication_session_" + code.dropFirst(prefix.count) : code
        return EnhancedError(
            status: status, code: name, action: action, message: message ?? "",
            details: details, helpUrl: helpURL, trace: trace)
    }

    /// A text that may be shown to the viewer: the provider's text if there is one, otherwise the service's text. Contract:
    /// rest-v2.md §18.2.
    var description: String { details ?? message ?? "" }
}

extension ServiceDecision {
    var hint: Decision {
        let sentence = hintVerdict == .undecided ? error?.sentence(.preauthorization) : nil
        let words = hintRefusal.map { RefusalWords($0, error?.shown, saying: sentence).viewer }
        return Decision(id: resource.rawValue, authorized: isAuthorized, error: error?.shown, words: words)
    }
}

extension ServiceDecision.Source {
    var name: String {
        switch self {
        case .mvpd: "mvpd"
        case .degradation: "degradation"
        case .tempPass: "temppass"
        case .dummy: "dummy"
        case .other(let name): name
        }
    }
}

extension Profile {
    @EngineActor func summary(_ context: EngineContext) -> ProfileSummary {
        ProfileSummary(
            provider: provider.rawValue, type: kind.name, issuer: issuer, notBefore: context.boxDate(notBefore),
            notAfter: context.boxDate(end),
            attributes: attributes.shownValues)
    }
}

extension [String: Profile.Attribute] {
    /// The values by name, as apps get them.
    var shownValues: JSONObject { JSONObject(sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) }) }
}

/// The kind of call that failed.
enum CallPhase: Sendable {
    case configuration, login, authorization, preauthorization

    /// The code for failures without a more precise code in the contract.
    var general: SDKStatus {
        switch self {
        case .configuration: .configurationServer(500)
        case .login: .N500
        case .authorization: .Z500
        case .preauthorization: .P100
        }
    }
}

extension BackendFault {
    /// The code for the status channel.
    func status(_ phase: CallPhase) -> SDKStatus {
        switch kind {
        case .registrationRefused: .R400
        case .tokenRefused: .R401
        case .unreachable, .noService: .CFG404
        case .insecure: .SEC420
        case .throttled:
            switch phase {
            case .authorization: .Z100
            case .preauthorization: .P100
            case .configuration, .login: .CFG429
            }
        case .serverError(let code): phase.isConfiguration ? .configurationServer(code) : phase.general
        // An unusable answer is reported as 502, Bad Gateway.
        case .unusableAnswer: phase.isConfiguration ? .configurationServer(502) : phase.general
        case .refused(let error): error.status(phase)
        case .deadline: phase.isConfiguration ? .CFG404 : phase.general
        // The box has too many requests. The code is the same as after a 429 of the service.
        case .overloaded: phase.isConfiguration ? .CFG429 : phase.general
        case .cancelled: phase.general
        }
    }

    /// Whether the viewer has used up a temporary pass. Contract: access-enabler.md §16.1.
    var isUsedUpPass: Bool {
        if case .refused(let error) = kind { error.code.hasPrefix("temporary_access") } else { false }
    }

    var details: JSONValue? { reason.map { ["reason": .string($0)] } }

    /// The error with which the call is answered.
    func error(_ phase: CallPhase) -> RPCError { plainError(phase).saying(words(phase)) }

    /// The words for the viewer. Ruling 45.
    private func words(_ phase: CallPhase) -> ViewerWords {
        let later: BoxSentence = if case .login = phase { .signInLater } else { .tryLater }
        switch kind {
        case .noService, .registrationRefused, .tokenRefused: return ViewerWords(.notAvailable)
        case .refused(let refusal):
            return ViewerWords(provider: refusal.details, else: refusal.sentence(phase) ?? later)
        case .unusableAnswer where lacksPage: return ViewerWords(.notAvailable)
        case .unreachable, .insecure, .deadline, .overloaded, .throttled, .serverError, .unusableAnswer, .cancelled:
            return ViewerWords(later)
        }
    }

    private func plainError(_ phase: CallPhase) -> RPCError {
        let wait = retryAfter.map { max(1, Int($0.components.seconds)) }
        switch kind {
        case .noService:
            return .unanswered(
                status(phase), "No service is configured: [backend] origin is none.",
                remedy: "Set [backend] origin (see passd.conf(5)), and restart the daemon.", action: .configuration)
        case .overloaded:
            var error = RPCError.limit("requests-per-second", maximum: 1, retryAfter: wait ?? 5)
            error.message = "This box has sent all requests that it may send to the service at the moment."
            error.remedy =
                "Try again in \(Int64(error.retryAfter ?? 5).secondsInWords). [backend] requests-per-second and burst are "
                + "the limits."
            return error
        case .deadline:
            return .unanswered(
                status(phase), "The service did not answer in time.", action: .retry, retryAfter: wait ?? 1,
                trace: trace)
        case .throttled:
            return .unanswered(.CFG429, action: .retry, retryAfter: wait ?? 1, trace: trace)
        case .unusableAnswer:
            // The usual text of this status is not used, because it names the service as the cause, which may be wrong here.
            // Contract: rest-v2.md §6.4.
            let why = reason.map { ": \($0)" } ?? ""
            return .unanswered(
                status(phase), "The answer of the service cannot be used\(why).",
                remedy: lacksPage
                    ? "Set [backend] activation-url to the page where viewers type the code, and reload passd."
                    : "Try again. If the problem persists, look for a captive portal or a proxy between box and "
                        + "service.",
                action: lacksPage ? .configuration : .retry, retryAfter: wait, trace: trace, details: details)
        case .serverError where reason != nil:
            // The text does not name the sender of the answer, because this may be the service's front end or a machine between
            // box and service.
            return .unanswered(
                status(phase), "The service did not answer: \(reason ?? "").",
                remedy:
                    "Try again later. If the problem persists, look for a captive portal or a proxy between box "
                    + "and service.",
                action: .retry, retryAfter: wait, trace: trace, details: details)
        case .unreachable, .serverError:
            return .unanswered(
                status(phase), reason?.sentence, action: .retry, retryAfter: wait, trace: trace, details: details)
        case .registrationRefused(let code):
            let known = ReasonTable.reason(of: code)
            return .unanswered(
                .R400, known?.meaning, remedy: known?.remedy, action: .applicationRegistration, trace: trace,
                details: ["error": .string(code)])
        case .tokenRefused:
            let known = tokenCode.flatMap(ReasonTable.reason)
            return .unanswered(
                .R401, known?.meaning, remedy: known?.remedy, action: .applicationRegistration, trace: trace,
                details: tokenCode.map { ["error": .string($0)] })
        case .refused(let refusal):
            var error = RPCError.unanswered(
                status(phase), action: refusal.action, trace: refusal.trace ?? trace, details: refusal.shown.json)
            if phase.isConfiguration || status(phase) == phase.general { error.explain(refusal) }
            return error
        case .insecure, .cancelled:
            return .unanswered(status(phase), reason?.sentence, trace: trace, details: details)
        }
    }
}

extension RPCError {
    /// Adds the reason and a remedy from the service's refusal. To be called if the status only says that the call has failed.
    /// Ruling 45.
    mutating func explain(_ refusal: ServiceError) {
        if let known = ReasonTable.reason(of: refusal.code) {
            (message, remedy) = (known.meaning, known.remedy)
        } else if refusal.isOperators {
            remedy = "Give the trace and details.code to the operator of the service."
        }
    }
}

extension String {
    /// The text with a capital letter and a full stop.
    fileprivate var sentence: String { (first?.uppercased() ?? "") + dropFirst() + "." }
}

extension CallPhase {
    fileprivate var isConfiguration: Bool { if case .configuration = self { true } else { false } }
}

extension ServiceError {
    /// The text for the viewer if the provider sent none; nil if a later try may succeed. Ruling 45.
    func sentence(_ phase: CallPhase) -> BoxSentence? {
        switch code {
        case "authorization_denied_by_mvpd", "preauthorization_denied_by_mvpd": return .notPermitted
        case "internal_server_error", "invalid_parameter_code", "invalid_authentication_session": return nil
        default: break
        }
        if let sentence = RefusalWords.sentence(ofCode: code) { return sentence }
        if case .login = phase, meansLapsedIntegration { return .providerNotAvailable }
        if isOperators { return .notAvailable }
        switch status(phase) {
        case .CFG400, .R401, .Z130: return .notAvailable
        default: return nil
        }
    }

    /// Whether the request itself or the service's configuration is wrong, so that the developer or the operator has to act.
    var isOperators: Bool {
        switch action {
        case .configuration, .applicationRegistration: true
        default:
            ["bad_request", "invalid_request"].contains(code)
                || ["invalid_configuration_", "invalid_parameter_", "invalid_header_"]
                    .contains { code.hasPrefix($0) }
        }
    }

    fileprivate func status(_ phase: CallPhase) -> SDKStatus {
        switch (code, phase) {
        case ("invalid_parameter_service_provider", _), ("invalid_access_token_service_provider", _): .CFG400
        case ("invalid_access_token_client_application", _): .R401
        case (_, .configuration): .CFG400
        // Contract: access-enabler.md §16.1.
        case _ where phase == .login && code.hasPrefix("temporary_access"): .N111
        case ("invalid_parameter_resources", .authorization): .Z130
        default: phase.general
        }
    }
}
