// A refusal in words: for the viewer, and for the app's log. Both texts are made from the refusal itself, so that the answer
// and the callback say the same. This file also has the words for a failed login. rpc.md §4, §5; access-enabler.md §7.8, §13.3;
// ruling 45.

public import PassJSON

public struct RefusalWords: Sendable, Equatable {
    public var viewer: ViewerWords
    /// For the log: the code, the service's message for developers, and the service's trace, on one line.
    public let log: String

    /// Makes the words for a code. If the provider has no words, the viewer gets `sentence`, or the code's own sentence if
    /// `sentence` is nil.
    public init(_ code: FlowErrorCode, _ error: EnhancedError?, saying sentence: BoxSentence? = nil) {
        viewer = ViewerWords(provider: error?.details, else: sentence ?? Self.sentence(code, error))
        let reason = error.map { $0.message.isEmpty ? $0.code : "\($0.code): \($0.message)" }
        log = Self.line(code, reason, trace: error?.trace)
    }

    /// Makes the words for an unanswered question, from the error of its call.
    public init(_ code: FlowErrorCode, unanswered error: RPCError) {
        viewer = error.viewerWords
        log = Self.line(code, "\(error.name.text): \(error.message)", trace: error.trace)
    }

    private static func line(_ code: FlowErrorCode, _ reason: String?, trace: String?) -> String {
        (code.rawValue + " " + (reason ?? "(no reason given)") + (trace.map { " [trace \($0)]" } ?? "")).onOneLine
    }

    private static func sentence(_ code: FlowErrorCode, _ error: EnhancedError?) -> BoxSentence {
        if let sentence = error.flatMap({ sentence(ofCode: $0.code) }) { return sentence }
        switch code {
        // If the service itself reports this error, there was a login before, so the viewer is asked to sign in again.
        case .userNotAuthenticated:
            return error == nil || error?.code == "authentication_session_missing" && error?.status == 0
                ? .signIn : .signInAgain
        case .providerNotSelected, .providerNotAvailable, .authenticated, .multipleAuthenticationRequests:
            return .signIn
        case .userNotAuthorized: return .notPermitted
        case .genericAuthentication, .internalAuthentication, .genericAuthorization, .internalAuthorization,
            .internalError:
            return .tryLater
        }
    }

    /// The box's sentence for a code of the service; nil if there is no special sentence.
    public static func sentence(ofCode code: String) -> BoxSentence? {
        switch code {
        case "authorization_denied_by_parental_controls": .parentalControls
        case "temporary_access_duration_limit_exceeded", "temporary_access_resources_limit_exceeded": .passUsedUp
        case "maximum_attempts_exceeded": .refusedOften
        case "authorization_denied_by_degradation_rule", "authorization_denied_by_hba_policies": .notPermittedNow
        case "authorization_denied_by_session_invalidated", "identity_not_recognized_by_mvpd": .signInAgain
        default: nil
        }
    }

    /// Whether the error means that the service could not decide.
    public static func isUndecided(_ code: String?, _ action: ErrorAction?) -> Bool {
        guard let code else { return false }
        return SDKStatus(undecidedBy: code) != nil
            || action == .retry && !code.hasPrefix("authorization_denied_") && sentence(ofCode: code) == nil
    }

    static let members: [Member] =
        ViewerWords.members("With a refusal") + [
            .optional(
                "log", .string,
                summary: "With a refusal: a line for the app's log, with codes, the service's "
                    + "message and its trace.")
        ]

    var json: [(String, JSONValue)] { viewer.json + [("log", .string(log))] }
}

extension SDKStatus {
    /// The status for a code that means "not decided"; nil for other codes. Contract: access-enabler.md §13.3; rest-v2.md §6.2.
    public init?(undecidedBy code: String) {
        switch code {
        case "network_received_error", "network_connection_timeout", "maximum_execution_time_exceeded": self = .Z120
        case "invalid_parameter_resources", "too_many_resources": self = .Z130
        case "internal_server_error", "decision_missing": self = .Z500
        default: return nil
        }
    }
}

extension LoginOutcome {
    /// The words for the viewer; nil if the viewer already knows the outcome of the login. If the login ended because a call
    /// failed, the words of the call's error are used instead.
    public var words: ViewerWords? {
        switch (kind, cause) {
        case (.cancelled, .N130?): ViewerWords(.anotherSignIn)
        case (.authenticated, _), (.cancelled, _): nil
        case (.denied, _): ViewerWords(.signInRefused)
        case (.expired, _): ViewerWords(.codeExpired)
        case (.failed, .N130?): ViewerWords(.codeInvalid)
        case (.failed, _): ViewerWords(.signInLater)
        }
    }
}

/// The text for the viewer. It has the provider's own words, or a sentence of the box. rpc.md §2, §4; ruling 45.
public struct ViewerWords: Sendable, Equatable {
    public let display: String
    /// The name of a sentence of the box; nil for the provider's words. A later release may have more names.
    public let code: String?

    public init(_ sentence: BoxSentence, in language: String? = nil) {
        display = sentence.text(in: language)
        code = sentence.rawValue
    }

    public init(provider text: String) {
        display = text
        code = nil
    }

    /// Makes the words: the provider's text if there is one, otherwise the sentence of the box.
    public init(provider text: String?, else sentence: BoxSentence) {
        if let text, !text.isEmpty { self.init(provider: text) } else { self.init(sentence) }
    }

    /// The box's sentence in this language. The provider's words stay as they are.
    func translated(to language: String?) -> ViewerWords {
        code.flatMap(BoxSentence.init).map { ViewerWords($0, in: language) } ?? self
    }

    /// Reads the words from a daemon's answer; nil if it has none.
    init?(json: JSONValue?) {
        guard let text = json?["display"]?.string else { return nil }
        display = text
        code = json?["displayCode"]?.string
    }

    /// The members `display` and `displayCode` with their schemas. `when` begins their descriptions, such as "If nobody is
    /// signed in".
    static func members(_ when: String) -> [Member] {
        [
            .optional(
                "display", .string,
                summary: "\(when): the text for the viewer, from the provider or, if the provider has none, a "
                    + "sentence in the language of the session."),
            .optional("displaySource", .words(Source.self), summary: "With display: whose words these are."),
            .optional(
                "displayCode", .component(codeComponent),
                summary: "With a sentence of the box: its name, for translations."),
        ]
    }

    public static let codeComponent = Component(
        "DisplayCode", summary: "The name of a sentence that the box has for viewers.",
        schema: .words(BoxSentence.self))

    private enum Source: String, CaseIterable { case provider, box }

    var json: [(String, JSONValue)] {
        let source = code == nil ? Source.provider : .box
        return [("display", .string(display)), ("displaySource", .string(source.rawValue))]
            + (code.map { [("displayCode", .string($0))] } ?? [])
    }
}

// MARK: - The language of a session. The engine and the handlers write English. The sentences are translated just before they
// are sent.

extension JSONValue {
    /// The result with the box's sentences in this language.
    public func translated(to language: String) -> JSONValue {
        switch self {
        case .array(let items): return .array(items.map { $0.translated(to: language) })
        case .object(let object):
            let isOurs = object["displaySource"] == "box"
            let sentence = isOurs ? object["displayCode"]?.string.flatMap(BoxSentence.init) : nil
            return .object(
                JSONObject(
                    object.members.map { member in
                        let text = member.name == "display" ? sentence?.text(in: language) : nil
                        return .init(
                            name: member.name,
                            value: text.map(JSONValue.string) ?? member.value.translated(to: language))
                    }))
        default: return self
        }
    }
}

extension Callback {
    /// The callback with the box's sentence in this language.
    public func translated(to language: String) -> Callback {
        switch self {
        case .setAuthenticationStatus(let status, let code, let reason, let outcome, let words):
            return .setAuthenticationStatus(
                status: status, code, reason, outcome, (words ?? outcome?.words)?.translated(to: language))
        case .tokenRequestFailed(let resource, let code, let description, let error, let words):
            var words = words ?? RefusalWords(code, error)
            words.viewer = words.viewer.translated(to: language)
            return .tokenRequestFailed(resource: resource, code, description: description, error, words)
        default: return self
        }
    }
}
