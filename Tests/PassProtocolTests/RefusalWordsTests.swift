// Tests the texts that apps get to show and to log after a refusal.

import PassJSON
import PassProtocol
import Testing

@Suite("rpc.md §4, §5: the texts of a refusal") struct RefusalWordsTests {
    private static func error(
        _ code: String, _ details: String? = nil, message: String = "No.", trace: String? = nil
    ) -> EnhancedError {
        EnhancedError(status: 403, code: code, action: .none, message: message, details: details, trace: trace)
    }

    static let rows: [(FlowErrorCode, EnhancedError?, String, String)] = [
        (
            .userNotAuthorized, error("authorization_denied_by_mvpd", "Upgrade to Sports.", trace: "t-1"),
            "Upgrade to Sports.", "USER_NOT_AUTHORIZED_ERROR authorization_denied_by_mvpd: No. [trace t-1]"
        ),
        (
            .userNotAuthorized, error("authorization_denied_by_mvpd", "", message: ""),
            "Your TV provider does not permit this.", "USER_NOT_AUTHORIZED_ERROR authorization_denied_by_mvpd"
        ),
        (
            .userNotAuthorized, error("authorization_denied_by_parental_controls"),
            "Your TV provider's parental controls do not permit this.",
            "USER_NOT_AUTHORIZED_ERROR authorization_denied_by_parental_controls: No."
        ),
        (
            .userNotAuthorized, nil, "Your TV provider does not permit this.",
            "USER_NOT_AUTHORIZED_ERROR (no reason given)"
        ),
        (
            .userNotAuthenticated, nil, "Sign in with your TV provider to watch this.",
            "USER_NOT_AUTHENTICATED_ERROR (no reason given)"
        ),
        (
            .genericAuthorization, error("internal", message: "a\nb"),
            "This cannot be checked at the moment. Try again later.", "GENERIC_AUTHORIZATION_ERROR internal: a b"
        ),
    ]

    @Test(arguments: rows.indices) func `the viewer and the log get separate texts`(_ index: Int) {
        let (code, error, display, log) = Self.rows[index]
        let words = RefusalWords(code, error)
        #expect(words.viewer.display == display)
        #expect(words.log == log)
    }

    @Test(arguments: FlowErrorCode.allCases) func `every code has a text`(_ code: FlowErrorCode) {
        #expect(RefusalWords(code, nil).viewer.display.hasSuffix("."))
    }

    static let ends: [(LoginOutcome, String?)] = [
        (LoginOutcome(.authenticated), nil),
        (LoginOutcome(.cancelled, .N005), nil),
        (LoginOutcome(.expired, .N130), "The time for signing in is over. Start again."),
        (LoginOutcome(.failed, .N130), "This code is no longer valid. Start again."),
        (LoginOutcome(.failed, .REG500), "Signing in does not work at the moment. Try again later."),
        (LoginOutcome(.denied, .N500), "Your TV provider did not sign you in."),
    ]

    @Test(arguments: ends.indices) func `a failed login has a text for the viewer`(_ index: Int) {
        let (outcome, display) = Self.ends[index]
        #expect(outcome.words?.display == display)
        let callback = Callback.setAuthenticationStatus(status: 0, .genericAuthentication, nil, outcome).json
        #expect(callback["display"]?.string == display)
    }

    @Test func `ruling 45: a failed login has the text of its error, if there is one`() {
        let callback = Callback.setAuthenticationStatus(
            status: 0, .genericAuthentication, nil, LoginOutcome(.failed, .REG500), ViewerWords(.notAvailable)
        ).json
        #expect(callback["displayCode"] == "notAvailable")
    }

    @Test func `the answer and the callback have the same texts, and a permit has none`() {
        let error = Self.error("authorization_denied_by_mvpd", "Upgrade to Sports.")
        let answer = AuthorizationAnswer(resource: "r", outcome: .refused(.userNotAuthorized, source: nil, error)).json
        let callback = Callback.tokenRequestFailed(resource: "r", .userNotAuthorized, description: "", error).json
        for name in ["display", "displaySource", "log"] {
            #expect(answer[name] != nil && answer[name] == callback[name])
        }
        let permit = AuthorizationAnswer(resource: "r", outcome: .authorized(token: "t", expires: nil, source: nil))
            .json
        #expect(permit["display"] == nil && permit["log"] == nil)
    }

    @Test func `ruling 45: the box's sentences have names of their own`() {
        let texts = BoxSentence.allCases.map { $0.text(in: nil) }
        #expect(Set(texts).count == texts.count && texts.allSatisfy { $0.hasSuffix(".") })
        let answer = AuthorizationAnswer(resource: "r", outcome: .refused(.userNotAuthorized, source: nil, nil)).json
        #expect(answer["displaySource"] == "box" && answer["displayCode"] == "notPermitted")
        let own = Self.error("authorization_denied_by_mvpd", "Upgrade to Sports.")
        let provider = AuthorizationAnswer(resource: "r", outcome: .refused(.userNotAuthorized, source: nil, own)).json
        #expect(provider["displaySource"] == "provider" && provider["displayCode"] == nil)
    }

    @Test(arguments: ErrorName.named + SDKStatus.known.map { ErrorName.unanswered($0) })
    func `ruling 45: every error has a text for viewers, which apps receive`(_ name: ErrorName) {
        let error = RPCError(name, "It failed.", remedy: "Try.").forViewers(in: nil)
        let data = error.json["data"]
        #expect(data?["display"]?.string?.isEmpty == false && data?["displaySource"] == "box")
        #expect(data?["displayCode"]?.string.flatMap(BoxSentence.init(rawValue:)) != nil)
        #expect(RPCError(json: error.json) == error)
        #expect(RPCError(name, "It failed.", remedy: "Try.").json["data"]?["display"] == nil)
    }
}
