// Tests the decision table and the state machine of a login, row by row.

import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §7.2, §7.4, §7.7a") struct AuthenticationFlowTests {
    private static let north: ProviderID = .init(rawValue: "M1")
    private static let other: ProviderID = .init(rawValue: "M2")
    private static let list = [Provider(id: north, displayName: "North", logoURL: "")]
    private static let login = OpenLogin(
        code: .init(rawValue: "K7Q2M4X"), url: "http://127.0.0.1/a", provider: north,
        notBefore: .init(milliseconds: 0), notAfter: .init(milliseconds: 1_800_000))
    private static let profile = Profile(
        provider: north, kind: .regular, issuer: "M1", notBefore: .init(milliseconds: 0),
        notAfter: .init(milliseconds: 1), attributes: [:])
    private static let film = ResourceID(rawValue: "film")

    private static func ask(_ change: (inout AuthenticationQuestion) -> Void = { _ in }) -> AuthenticationEvent {
        var question = AuthenticationQuestion()
        change(&question)
        return .asked(question)
    }

    private static let askForFilm = ask { $0.origin = .authorization(film, data: [:]) }
    private static let begun = AuthenticationEvent.begun(.showCode(login), .secondScreen, 2)
    private static let choose = AuthenticationEvent.chosen(.init(provider: north))

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let events: [AuthenticationEvent]
        /// The effects of the last event.
        let effects: String
        let phase: String
    }

    static let rows: [Row] = [
        .init(
            testDescription: "§7.2 row 1: a valid login is enough", events: [ask { $0.authenticatedWith = north }],
            effects: "status 1 authenticated, track M1 cached", phase: "idle"),
        .init(
            testDescription: "§7.2 row 1: a valid login is not enough if a new login is forced",
            events: [
                ask {
                    $0.authenticatedWith = north; $0.isForced = true
                }
            ], effects: "fetch providers",
            phase: "listing"),
        .init(
            testDescription: "ruling 20, §7.2 row 6: a forced login asks the viewer although a provider is remembered",
            events: [
                ask {
                    $0.authenticatedWith = north; $0.isForced = true; $0.remembered = north
                }
            ], effects: "fetch providers", phase: "listing"),
        .init(
            testDescription: "§7.2 row 2: a repeated call shows the picker again",
            events: [ask(), .listed(list, 1), ask()], effects: "show M1", phase: "choosing"),
        .init(
            testDescription: "§7.2 row 2: a repeated call during a request waits for the same answer",
            events: [ask(), ask()], effects: "", phase: "listing"),
        .init(
            testDescription: "§7.2 row 2: a repeated call shows the code again",
            events: [ask(), .listed(list, 1), choose, begun, ask()], effects: "show code K7Q2M4X",
            phase: "second screen"),
        .init(
            testDescription: "§7.2 row 2: a repeated call opens the page again",
            events: [ask { $0.remembered = north }, .begun(.openURL(login), .browser, 1), ask()],
            effects: "navigate again K7Q2M4X", phase: "browser"),
        .init(
            testDescription: "§7.2 row 2: a play that joins the open login follows it",
            events: [ask(), .listed(list, 1), choose, begun, askForFilm, .polled(.done(profile))],
            effects: "stop polling, remember true, status 1 authenticated K7Q2M4X, track M1, authorize film",
            phase: "idle"),
        .init(
            testDescription: "§7.2 row 2: a repeated call does not lose the play that began the login",
            events: [askForFilm, .listed(list, 1), choose, begun, ask(), .polled(.done(profile))],
            effects: "stop polling, remember true, status 1 authenticated K7Q2M4X, track M1, authorize film",
            phase: "idle"),
        .init(
            testDescription: "§7.2 row 3: a play of another resource is a conflict, and the first play continues",
            events: [
                askForFilm, .listed(list, 1), choose, begun,
                ask { $0.origin = .authorization(ResourceID(rawValue: "news"), data: [:]) },
            ], effects: "status 0 MULTIPLE_AUTHENTICATION_REQUESTS_ERROR", phase: "second screen"),
        .init(
            testDescription: "§7.2 row 3: a forced login conflicts with a login that is not forced",
            events: [ask(), .listed(list, 1), choose, begun, ask { $0.isForced = true }],
            effects: "status 0 MULTIPLE_AUTHENTICATION_REQUESTS_ERROR", phase: "second screen"),
        .init(
            testDescription: "§7.2 row 2: a forced login is requested again",
            events: [ask { $0.isForced = true }, .listed(list, 1), choose, begun, ask { $0.isForced = true }],
            effects: "show code K7Q2M4X", phase: "second screen"),
        .init(
            testDescription: "rpc.md §4: a code that is open in another session is shown, and no new code is made",
            events: [ask { $0.openElsewhere = login }], effects: "watch K7Q2M4X, select M1, show code K7Q2M4X",
            phase: "second screen"),
        .init(
            testDescription: "§7.2 row 1 before rows 2 and 3: a session with a login needs no second flow",
            events: [ask { $0.isForced = true }, ask { $0.authenticatedWith = north }],
            effects: "status 1, track M1 cached", phase: "listing"),
        .init(
            testDescription: "a list that was requested earlier arrives too late",
            events: [ask(), .cancelled, ask(), .listed(list, 1)], effects: "", phase: "listing"),
        .init(
            testDescription: "a failure of an earlier request ends nothing",
            events: [ask(), .listed(list, 1), choose, .chosen(.init(provider: other)), .beginFailed(2)], effects: "",
            phase: "beginning M2"),
        .init(
            testDescription: "a code of an earlier choice is not shown",
            events: [ask(), .listed(list, 1), choose, .chosen(.init(provider: other)), begun], effects: "",
            phase: "beginning M2"),
        .init(
            testDescription: "rpc.md §5: after another app's login the waiting authorization continues",
            events: [askForFilm, .listed(list, 1), .signedOnElsewhere], effects: "stop polling, authorize film",
            phase: "idle"),
        .init(
            testDescription: "§7.2 row 4: a degradation rule admits everyone",
            events: [ask { $0.chosenBefore = north }, .begun(.alreadyIn(north, .degraded), .secondScreen, 1)],
            effects: "refresh M1, report N010, remember true, status 1 authenticated, track M1", phase: "idle"),
        .init(
            testDescription: "§7.2 row 5: a provider that was chosen before overrides the remembered provider",
            events: [
                ask {
                    $0.chosenBefore = other; $0.remembered = north
                }
            ], effects: "begin M2", phase: "beginning M2"),
        .init(
            testDescription: "§7.2 row 6: the remembered provider needs no picker",
            events: [ask { $0.remembered = north }],
            effects: "begin M1", phase: "beginning M1"),
        .init(
            testDescription: "§7.2 row 8: otherwise the viewer picks", events: [ask(), .listed(list, 1)],
            effects: "show M1", phase: "choosing"),
        .init(
            testDescription: "§7.2: there are no providers", events: [ask(), .listed([], 1)],
            effects: "stop polling, remember false, status 0 PROVIDER_NOT_AVAILABLE_ERROR failed N500, track failed",
            phase: "idle"),
        .init(
            testDescription: "the list is unavailable", events: [ask(), .listingFailed(1)],
            effects: "stop polling, remember false, status 0 GENERIC_AUTHENTICATION_ERROR failed N500, track failed",
            phase: "idle"),
        .init(
            testDescription: "a choice in the picker begins the login", events: [ask(), .listed(list, 1), choose],
            effects: "select M1, track selection M1, begin M1", phase: "beginning M1"),
        .init(
            testDescription: "the code is shown and polled", events: [ask(), .listed(list, 1), choose, begun],
            effects: "show code K7Q2M4X", phase: "second screen"),
        .init(
            testDescription: "the service issues no code", events: [ask(), .listed(list, 1), choose, .beginFailed(2)],
            effects:
                "stop polling, remember false, report REG500, status 0 GENERIC_AUTHENTICATION_ERROR failed REG500, track failed",
            phase: "idle"),
        .init(
            testDescription: "nobody has logged in yet",
            events: [ask(), .listed(list, 1), choose, begun, .polled(.pending)],
            effects: "", phase: "second screen"),
        .init(
            testDescription: "logged in", events: [ask(), .listed(list, 1), choose, begun, .polled(.done(profile))],
            effects: "stop polling, remember true, status 1 authenticated K7Q2M4X, track M1", phase: "idle"),
        .init(
            testDescription: "after a login for a film the authorization follows",
            events: [askForFilm, .listed(list, 1), choose, begun, .polled(.done(profile))],
            effects: "stop polling, remember true, status 1 authenticated K7Q2M4X, track M1, authorize film",
            phase: "idle"),
        .init(
            testDescription: "the code has expired", events: [ask(), .listed(list, 1), choose, begun, .expired],
            effects:
                "stop polling, remember false, report N130, status 0 GENERIC_AUTHENTICATION_ERROR expired N130 K7Q2M4X, track failed",
            phase: "idle"),
        .init(
            testDescription: "the code is no longer valid",
            events: [ask(), .listed(list, 1), choose, begun, .polled(.gone)],
            effects:
                "stop polling, remember false, report N130, status 0 GENERIC_AUTHENTICATION_ERROR failed N130 K7Q2M4X, track failed",
            phase: "idle"),
        .init(
            testDescription: "cancelled while the code is on the screen",
            events: [ask(), .listed(list, 1), choose, begun, .cancelled],
            effects:
                "stop polling, deselect, status 0 PROVIDER_NOT_SELECTED_ERROR cancelled N005 K7Q2M4X, report N005, track failed",
            phase: "idle"),
        .init(
            testDescription: "cancelled with no flow open", events: [.cancelled],
            effects: "deselect, status 0 PROVIDER_NOT_SELECTED_ERROR, report N005, track failed", phase: "idle"),
        .init(
            testDescription: "a logout, or the end of the app",
            events: [ask(), .listed(list, 1), choose, begun, .abandoned],
            effects: "stop polling", phase: "idle"),
        .init(
            testDescription: "an answer that comes after the end changes nothing",
            events: [ask(), .listed(list, 1), choose, begun, .cancelled, .polled(.done(profile))], effects: "",
            phase: "idle"),
        .init(
            testDescription: "another provider while a code is shown",
            events: [ask(), .listed(list, 1), choose, begun, .chosen(.init(provider: other))],
            effects: "stop polling, select M2, track selection M2, begin M2", phase: "beginning M2"),
        .init(
            testDescription: "a provider that is not on the list",
            events: [ask(), .listed(list, 1), .chosen(.init(provider: other, isKnown: false))],
            effects: "status 0 GENERIC_AUTHENTICATION_ERROR", phase: "choosing"),
        .init(
            testDescription: "OQ-6: a choice outside of a flow is only remembered", events: [choose],
            effects: "select M1, track selection M1", phase: "idle"),
        .init(
            testDescription: "§22.10: a temporary pass needs no flow",
            events: [.chosen(.init(provider: north, isBasicTempPass: true))],
            effects:
                "select M1, track selection M1, refresh M1, report N011, remember true, status 1 authenticated, track M1",
            phase: "idle"),
        .init(
            testDescription: "a login that already exists",
            events: [ask { $0.remembered = north }, .begun(.alreadyIn(north, .signOn), .secondScreen, 1)],
            effects: "refresh M1, remember true, status 1 authenticated, track M1", phase: "idle"),
        .init(
            testDescription: "a browser is sent to the provider",
            events: [ask { $0.remembered = north }, .begun(.openURL(login), .browser, 1)], effects: "navigate K7Q2M4X",
            phase: "browser"),
        .init(
            testDescription: "the browser returns",
            events: [
                ask { $0.remembered = north }, .begun(.openURL(login), .browser, 1), .urlHandled(isRefusal: false),
            ],
            effects: "complete K7Q2M4X", phase: "completing"),
        .init(
            testDescription: "§7.6: the browser returns twice",
            events: [
                ask { $0.remembered = north }, .begun(.openURL(login), .browser, 1), .urlHandled(isRefusal: false),
                .urlHandled(isRefusal: false),
            ],
            effects: "", phase: "completing"),
        .init(
            testDescription: "§7.6: the browser returns with an error",
            events: [
                ask { $0.remembered = north }, .begun(.openURL(login), .browser, 1), .urlHandled(isRefusal: true),
            ],
            effects:
                "stop polling, remember false, status 0 GENERIC_AUTHENTICATION_ERROR denied N500 K7Q2M4X, track failed",
            phase: "idle"),
        .init(
            testDescription: "§7.6: the browser returns, but no viewer is signed in",
            events: [
                ask { $0.remembered = north }, .begun(.openURL(login), .browser, 1), .urlHandled(isRefusal: false),
                .polled(.pending),
            ],
            effects:
                "stop polling, remember false, report N130, status 0 GENERIC_AUTHENTICATION_ERROR failed N130 K7Q2M4X, track failed",
            phase: "idle"),
        .init(
            testDescription: "§7.6: a URL with no flow open", events: [.urlHandled(isRefusal: false)], effects: "",
            phase: "idle"),
    ]

    @Test(arguments: rows) func `each row does what the contract says`(row: Row) {
        var flow = AuthenticationFlow()
        var effects: [AuthenticationEffect] = []
        for event in row.events { effects = flow.handle(event) }
        #expect(effects.map(name).joined(separator: ", ") == row.effects)
        #expect(name(flow.phase) == row.phase)
    }
}
