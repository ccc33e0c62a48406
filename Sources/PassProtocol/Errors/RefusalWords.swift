// A refusal in words: what an app shows its viewer, and what it writes to its log. Both are made from the refusal itself,
// so that the answer and the callback say the same. Here are also the words for a login that did not succeed. rpc.md §4,
// §5; access-enabler.md §7.8, §13.3.

import PassJSON

public struct RefusalWords: Sendable, Equatable {
    /// For the viewer: the provider's words if it has any, else a plain English sentence.
    public let display: String
    /// For the log: the code, what the service says to programmers, and its trace, on one line.
    public let log: String

    public init(_ code: FlowErrorCode, _ error: EnhancedError?) {
        if let words = error?.details, !words.isEmpty { display = words } else { display = Self.sentence(code, error) }
        let reason = error.map { $0.message.isEmpty ? $0.code : "\($0.code): \($0.message)" }
        log =
            (code.rawValue + " " + (reason ?? "(no reason given)") + (error?.trace.map { " [trace \($0)]" } ?? ""))
            .onOneLine
    }

    fileprivate static let usedUp = "Your temporary pass is used up."

    private static func sentence(_ code: FlowErrorCode, _ error: EnhancedError?) -> String {
        switch error?.code {
        case "authorization_denied_by_parental_controls":
            return "Your TV provider's parental controls do not permit this."
        case "temporary_access_duration_limit_exceeded", "temporary_access_resources_limit_exceeded":
            return usedUp
        case "maximum_attempts_exceeded": return "Your TV provider has refused this several times. Try again later."
        case "authorization_denied_by_degradation_rule", "authorization_denied_by_hba_policies":
            return "Your TV provider does not permit this at the moment."
        default: break
        }
        switch code {
        case .userNotAuthenticated, .providerNotSelected, .providerNotAvailable, .authenticated,
            .multipleAuthenticationRequests:
            return "Sign in with your TV provider to watch this."
        case .userNotAuthorized: return "Your TV provider does not permit this."
        case .genericAuthentication, .internalAuthentication, .genericAuthorization, .internalAuthorization,
            .internalError:
            return "This cannot be checked at the moment. Try again later."
        }
    }

    static let members: [Member] = [
        .optional(
            "display", .string,
            summary: "With a refusal, for the viewer: the provider's words if it has any, else an English sentence."),
        .optional(
            "log", .string, summary: "With a refusal, for the app's log: codes, the service's message, its trace."),
    ]

    var json: [(String, JSONValue)] { [("display", .string(display)), ("log", .string(log))] }
}

extension LoginOutcome {
    /// For the viewer: the words of the service or the provider if it has any, else an English sentence; nil where the
    /// viewer knows already what has become of the login.
    public var display: String? {
        if kind == .cancelled, cause == .N130 { return "Another app has started a sign-in." }
        if kind == .authenticated || kind == .cancelled { return nil }
        if let details, !details.isEmpty { return details }
        switch (kind, cause) {
        case (.denied, .N111?): return RefusalWords.usedUp
        case (.denied, _): return "Your TV provider did not sign you in."
        case (.expired, _): return "The time for signing in is over. Start again."
        case (_, .N130?): return "This code is not valid any more. Start again."
        default: return "Signing in does not work at the moment. Try again later."
        }
    }
}
