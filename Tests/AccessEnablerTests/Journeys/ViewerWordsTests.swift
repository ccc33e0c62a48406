// Tests the sentences for the viewer when a play, a hint, a menu or a login fails.

import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("ruling 45: words for viewers") @EngineActor struct ViewerWordsTests {
    nonisolated static let outages: [BackendFault.Kind] = [
        .throttled, .unreachable, .insecure, .deadline, .overloaded, .serverError(503), .unusableAnswer,
    ]
    nonisolated static let refusals: [BackendFault.Kind] = [.noService, .registrationRefused("x"), .tokenRefused]

    /// An app, with a viewer if `isIn`. Each callback with a sentence is a line: the callback's name and the sentence's
    /// name.
    private static func scene(
        isIn: Bool = true, _ script: (inout FakeBackend.Script) -> Void = { _ in }
    ) async throws -> (Stage, Session) {
        let stage = try await Stage {
            $0.offersLogin()
            if isIn { $0.isLoggedIn("NEWS24") }
            script(&$0)
        }
        stage.words = { callback in
            guard let display = callback.json["display"]?.string else { return callback.name }
            return "\(callback.name) \(callback.json["displayCode"]?.string ?? display)"
        }
        return (stage, try await stage.app("A", "NEWS24"))
    }

    @Test(arguments: outages) func `an outage is not reported as a denial by the provider`(
        _ kind: BackendFault.Kind
    ) async throws {
        let (stage, app) = try await Self.scene {
            $0.authorize = { _ in .failure(BackendFault(kind)) }
            $0.preauthorize = { _ in .failure(BackendFault(kind)) }
        }
        let errors = [
            await #expect(throws: RPCError.self) { try await app.getAuthorization(.init(resource: "film")) },
            await #expect(throws: RPCError.self) { try await app.checkAuthorization(.init(resource: "film")) },
            await #expect(throws: RPCError.self) {
                try await app.checkPreauthorizedResources(.init(resources: ["film"]))
            },
            await #expect(throws: RPCError.self) { try await app.preauthorize(.init(resources: ["film"])) },
        ]
        for error in errors { #expect(error?.words == ViewerWords(.tryLater)) }
        stage.backend.script { $0.providers = .failure(BackendFault(kind)) }
        let menu = await #expect(throws: RPCError.self) { try await app.listProviders(.init()) }
        #expect(menu?.words == ViewerWords(.tryLater))
        #expect(stage.lines().count { $0 == "A tokenRequestFailed tryLater" } == 2)
    }

    /// The errors of the two steps of a login: the list of providers, and the code.
    private static func failedLogin(_ kind: BackendFault.Kind) async throws -> (errors: [RPCError?], stage: Stage) {
        let (stage, app) = try await scene(isIn: false) { $0.providers = .failure(BackendFault(kind)) }
        let list = await #expect(throws: RPCError.self) { try await app.getAuthentication(.init()) }
        stage.backend.script {
            $0.providers = .success(Sample.providers)
            $0.beginLogin = .failure(BackendFault(kind))
        }
        _ = try await app.getAuthentication(.init())
        let code = await #expect(throws: RPCError.self) {
            try await app.setSelectedProvider(.init(providerID: "M1"))
        }
        return ([list, code], stage)
    }

    @Test(arguments: outages) func `the sentences for a login and for the start of an app in an outage`(
        _ kind: BackendFault.Kind
    ) async throws {
        let (errors, stage) = try await Self.failedLogin(kind)
        for error in errors { #expect(error?.words == ViewerWords(.signInLater)) }
        #expect(stage.lines().count { $0 == "A setAuthenticationStatus signInLater" } == 2)
        stage.backend.script { $0.prepare = .failure(BackendFault(kind)) }
        let late = stage.connect("B")
        let start = await #expect(throws: RPCError.self) {
            try await late.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("B"))
        }
        #expect(start?.words == ViewerWords(.tryLater))
    }

    @Test(arguments: refusals) func `if waiting does not help, no viewer is told to try later`(
        _ kind: BackendFault.Kind
    ) async throws {
        let (stage, app) = try await Self.scene { $0.authorize = { _ in .failure(BackendFault(kind)) } }
        let play = await #expect(throws: RPCError.self) { try await app.getAuthorization(.init(resource: "film")) }
        #expect(play?.words == ViewerWords(.notAvailable))
        #expect(stage.lines().contains("A tokenRequestFailed notAvailable"))
    }

    /// An app with a viewer, whose plays and hints the service refuses.
    private static func scene(refusing error: ServiceError) async throws -> (Stage, Session) {
        try await scene {
            $0.authorize = { .success(.init(resource: $0, isAuthorized: false, source: .mvpd, error: error)) }
            $0.preauthorize = { .success(.init(resource: $0, isAuthorized: false, source: .mvpd, error: error)) }
        }
    }

    private nonisolated static func refused(
        _ code: String, _ action: String = "none", details: String? = nil
    ) -> ServiceError {
        ServiceError(status: 403, code: code, actionName: action, details: details)
    }

    @Test(arguments: ["network_received_error", "network_connection_timeout", "maximum_execution_time_exceeded"])
    func `Z120: the provider could not be asked`(code: String) async throws {
        let no = Self.refused(code, "retry")
        let (stage, app) = try await Self.scene(refusing: no)
        let play = await #expect(throws: RPCError.self) { try await app.getAuthorization(.init(resource: "film")) }
        #expect(play?.name == .unanswered(.Z120) && play?.words == ViewerWords(.tryLater))
        #expect(stage.lines().contains("A tokenRequestFailed tryLater"))
        let hints = try await app.preauthorize(.init(resources: ["film"])).decisions
        #expect(hints.map(\.words) == [ViewerWords(.tryLater)])
    }

    @Test(
        arguments: [
            ("authorization_denied_by_session_invalidated", "authentication", .signInAgain),
            ("identity_not_recognized_by_mvpd", "authentication", .signInAgain),
            ("authorization_denied_by_hba_policies", "authentication", .notPermittedNow),
            ("authorization_denied_by_parental_controls", "none", .parentalControls),
            ("authorization_denied_by_mvpd", "none", .notPermitted),
            ("something_new", "none", .notPermitted),
        ] as [(String, String, BoxSentence)])
    func `a denial by the provider or the service has its own sentence in a play and in a hint`(
        code: String, action: String, sentence: BoxSentence
    ) async throws {
        let no = Self.refused(code, action)
        let (stage, app) = try await Self.scene(refusing: no)
        let answer = try await app.checkAuthorization(.init(resource: "film")).json
        #expect(answer["displayCode"]?.string == sentence.rawValue)
        #expect(stage.lines().contains("A tokenRequestFailed \(sentence.rawValue)"))
        let hints = try await app.preauthorize(.init(resources: ["film"])).decisions
        #expect(hints.map(\.words) == [ViewerWords(sentence)])
    }

    @Test(
        arguments: [
            ("invalid_parameter_service_provider", "none", .notAvailable), ("bad_request", "none", .notAvailable),
            ("invalid_header_device_info", "none", .notAvailable),
            ("invalid_header_device_identifier", "none", .notAvailable),
            ("invalid_configuration_platform", "configuration", .notAvailable),
            ("invalid_access_token_service_provider", "application-registration", .notAvailable),
            ("internal_server_error", "none", .tryLater),
        ] as [(String, String, BoxSentence)])
    func `an invalid request or configuration is not reported as a denial by the provider`(
        code: String, action: String, sentence: BoxSentence
    ) async throws {
        let no = Self.refused(code, action)
        let (stage, app) = try await Self.scene(refusing: no)
        let play = await #expect(throws: RPCError.self) { try await app.getAuthorization(.init(resource: "film")) }
        #expect(play?.words == ViewerWords(sentence))
        #expect(stage.lines().contains("A tokenRequestFailed \(sentence.rawValue)"))
        let hints = try await app.preauthorize(.init(resources: ["film"])).decisions
        #expect(hints.map(\.words) == [ViewerWords(sentence)])
    }

    @Test(
        arguments: [
            ("too_many_resources", "configuration", .notAvailable, "Tell the programmer of the app."),
            (
                "authorization_denied_by_parental_controls", "none", .parentalControls,
                "The viewer can change the limit at the provider."
            ),
            ("internal_server_error", "none", .tryLater, nil),
        ] as [(String, String, BoxSentence, String?)])
    func `a menu that is refused as a whole has a sentence and a remedy for its case`(
        code: String, action: String, sentence: BoxSentence, remedy: String?
    ) async throws {
        let no = Self.refused(code, action)
        let (_, app) = try await Self.scene { $0.preauthorize = { _ in .failure(BackendFault(.refused(no))) } }
        let menu = await #expect(throws: RPCError.self) {
            try await app.checkPreauthorizedResources(.init(resources: ["film"]))
        }
        #expect(menu?.name == .unanswered(.P100) && menu?.words == ViewerWords(sentence))
        if let remedy { #expect(menu?.remedy == remedy) }
    }

    private nonisolated static let misfits: [(BackendFault.Kind, BoxSentence)] =
        refusals.map { ($0, .notAvailable) }
        + ([
            ("invalid_configuration_platform_id", "configuration", .notAvailable),
            ("invalid_parameter_redirect_url", "none", .notAvailable),
            ("invalid_parameter_domain_name", "none", .notAvailable), ("bad_request", "none", .notAvailable),
            ("invalid_request", "none", .notAvailable), ("something_new", "configuration", .notAvailable),
            ("invalid_parameter_service_provider", "none", .notAvailable),
            ("invalid_access_token_client_application", "application-registration", .notAvailable),
            ("invalid_integration", "none", .providerNotAvailable),
            ("invalid_parameter_mvpd", "none", .providerNotAvailable),
        ] as [(String, String, BoxSentence)]).map { (.refused(refused($0.0, $0.1)), $0.2) }

    @Test(arguments: misfits.indices) func `no viewer is told to wait if the service's configuration stops the login`(
        _ index: Int
    ) async throws {
        let (kind, sentence) = Self.misfits[index]
        let (errors, stage) = try await Self.failedLogin(kind)
        for error in errors {
            #expect(error?.words == ViewerWords(sentence))
            #expect(
                error?.remedy.isEmpty == false && error?.remedy != SDKStatus.N500.remedy, "the remedy for developers")
        }
        #expect(stage.lines().count { $0 == "A setAuthenticationStatus \(sentence.rawValue)" } == 2)
    }

    @Test func `a requestor without providers has the same sentence in the answer and in the callback`() async throws {
        let (stage, app) = try await Self.scene(isIn: false) { $0.providers = .success([]) }
        let error = await #expect(throws: RPCError.self) { try await app.getAuthentication(.init()) }
        #expect(error?.words == ViewerWords(.notAvailable) && error?.remedy.contains("operator") == true)
        #expect(stage.lines().contains("A setAuthenticationStatus notAvailable"))
    }

    @Test func `the error of a login without a page refers to the operator`() async throws {
        var fault = BackendFault(.unusableAnswer)
        (fault.lacksPage, fault.reason) = (true, "it names no page")
        let (stage, app) = try await Self.scene(isIn: false) { [fault] in $0.beginLogin = .failure(fault) }
        _ = try await app.getAuthentication(.init())
        let error = await #expect(throws: RPCError.self) {
            try await app.setSelectedProvider(.init(providerID: "M1"))
        }
        #expect(error?.words == ViewerWords(.notAvailable) && error?.remedy.contains("activation-url") == true)
        #expect(stage.lines().contains("A setAuthenticationStatus notAvailable"))
    }

    @Test func `if the service's configuration stops a play, the developer is told the cause`() async throws {
        let (_, app) = try await Self.scene(
            refusing: Self.refused("invalid_configuration_platform_id", "configuration"))
        let play = await #expect(throws: RPCError.self) { try await app.getAuthorization(.init(resource: "film")) }
        #expect(play?.name == .unanswered(.Z500) && play?.remedy == "Tell the programmer of the app.")
    }

    @Test func `a refused access token has the service's code in details, but no trace`() async throws {
        var fault = BackendFault(.tokenRefused)
        fault.tokenCode = "invalid_client"
        let (_, app) = try await Self.scene { [fault] in $0.authorize = { _ in .failure(fault) } }
        let error = await #expect(throws: RPCError.self) { try await app.getAuthorization(.init(resource: "film")) }
        #expect(error?.name == .unanswered(.R401) && error?.trace == nil)
        #expect(error?.details?["error"] == "invalid_client")
        #expect(error?.remedy.contains("software statement") == true)
    }

    @Test(arguments: [true, false]) func `a used-up pass has the same sentence everywhere`(
        byService: Bool
    ) async throws {
        var pass = Provider(id: ProviderID(rawValue: "PASS"), displayName: "Ten minutes", logoURL: "")
        pass.isTempPass = true
        let (stage, app) = try await Self.scene { [pass] in
            $0.providers = .success(Sample.providers + [pass])
            $0.isLoggedIn("NEWS24", profile: Sample.profile(pass.id, .temporary, ends: 1_795_570_000_000))
            let over = Self.refused("authenticated_profile_expired", "authentication")
            $0.authorize = { .success(.init(resource: $0, isAuthorized: false, source: .mvpd, error: over)) }
        }
        #expect(try await app.setSelectedProvider(.init(providerID: "PASS")) == .authenticated)
        let mark = stage.mark
        if byService {
            let play = try await app.checkAuthorization(.init(resource: "film")).json
            #expect(play["displayCode"] == "passUsedUp")
        } else {
            stage.clock.advance(by: .seconds(30 * 24 * 3600))
            try await stage.hear("A setAuthenticationStatus passUsedUp", since: mark)
        }
        try await Self.expect(.passUsedUp, app)
        #expect(!stage.lines(since: mark).contains { $0.contains("signIn") }, "\(stage.lines(since: mark))")
    }

    @Test func `the provider's own sentences are marked as such`() async throws {
        let no = Self.refused("authorization_denied_by_mvpd", details: "Upgrade to Sports.")
        let (stage, app) = try await Self.scene {
            $0.authorize = { .success(.init(resource: $0, isAuthorized: false, source: .mvpd, error: no)) }
        }
        let answer = try await app.checkAuthorization(.init(resource: "film")).json
        #expect(answer["display"] == "Upgrade to Sports." && answer["displaySource"] == "provider")
        #expect(answer["displayCode"] == nil)
        #expect(stage.lines().contains("A tokenRequestFailed Upgrade to Sports."))
    }

    /// Expects this sentence in every call of the app while no viewer is signed in.
    private static func expect(_ sentence: BoxSentence, _ app: Session) async throws {
        let words = ViewerWords(sentence)
        #expect(try await app.checkAuthentication().json["displayCode"]?.string == sentence.rawValue)
        let play = try await app.checkAuthorization(.init(resource: "film")).json
        #expect(play["displayCode"]?.string == sentence.rawValue && play["displaySource"] == "box")
        #expect(play["display"]?.string == sentence.text(in: nil))
        #expect(try await app.checkPreauthorizedResources(.init(resources: ["film"])).words == words)
        #expect(try await app.preauthorize(.init(resources: ["film"])).words == words)
    }

    @Test func `the sentence if no viewer was ever signed in`() async throws {
        let (_, app) = try await Self.scene(isIn: false)
        try await Self.expect(.signIn, app)
    }

    @Test func `the sentence after another app's logout, until the next login`() async throws {
        let (stage, app) = try await Self.scene()
        let other = try await stage.twin("B", of: "A", "NEWS24")
        _ = try await other.logout()
        #expect(stage.lines().contains("A setAuthenticationStatus signedOutElsewhere"))
        try await Self.expect(.signedOutElsewhere, app)
        // The app that logged out knows the reason.
        try await Self.expect(.signIn, other)
        stage.backend.script { $0.isLoggedIn("NEWS24") }
        try await stage.setAgain(other)
        #expect(app.isIn)
        _ = try await app.logout()
        try await Self.expect(.signIn, app)
    }

    @Test func `an operator's logout is not reported as another app's logout`() async throws {
        let (stage, app) = try await Self.scene()
        _ = await stage.engine.logout(requestor: nil, tellingService: true)
        #expect(stage.lines().contains("A setAuthenticationStatus signInAgain"))
        try await Self.expect(.signInAgain, app)
    }

    @Test func `the sentence for an expired login`() async throws {
        let (stage, app) = try await Self.scene {
            $0.isLoggedIn("NEWS24", profile: Sample.profile(ends: 1_795_570_000_000))
        }
        #expect(app.isIn)
        stage.clock.advance(by: .seconds(30 * 24 * 3600))
        try await stage.hear("A setAuthenticationStatus signInAgain")
        try await Self.expect(.signInAgain, app)
    }

    @Test(arguments: ["authenticated_profile_missing", "authenticated_profile_expired"], [true, false])
    func `rest-v2.md §8: hints end a login that the service no longer accepts`(code: String, inList: Bool) async throws
    {
        let (stage, app) = try await Self.scene {
            let no = Self.refused(code, "authentication")
            $0.preauthorize = {
                inList
                    ? .success(.init(resource: $0, isAuthorized: false, source: .mvpd, error: no))
                    : .failure(BackendFault(.refused(no)))
            }
        }
        let other = try await stage.twin("B", of: "A", "NEWS24")
        let answer = try await app.preauthorize(.init(resources: ["film", "news"]))
        #expect(answer.decisions.isEmpty && answer.words == ViewerWords(.signInAgain))
        let older = "authentication_session_" + code.dropFirst("authenticated_profile_".count)
        #expect(answer.status?.code == older)
        #expect(!app.isIn && !other.isIn)
        #expect(try await app.checkAuthentication().json["authenticated"] == false)
        for name in ["A", "B"] { #expect(stage.lines().contains("\(name) setAuthenticationStatus signInAgain")) }
        try await Self.expect(.signInAgain, app)
        #expect(
            try await other.checkPreauthorizedResources(.init(resources: ["film"])).words == ViewerWords(.signInAgain))
    }

    @Test func `a menu of the older call has the same sentence`() async throws {
        let (stage, app) = try await Self.scene {
            let no = Self.refused("authenticated_profile_missing", "authentication")
            $0.preauthorize = { _ in .failure(BackendFault(.refused(no))) }
        }
        let answer = try await app.checkPreauthorizedResources(.init(resources: ["film"]))
        #expect(answer.resources.isEmpty && answer.words == ViewerWords(.signInAgain) && !app.isIn)
        #expect(!stage.lines().contains("A status P100"))
    }

    @Test func `a play without a requestor has a sentence too`() async throws {
        let (stage, _) = try await Self.scene(isIn: false)
        let app = stage.connect("C")
        let error = await #expect(throws: RPCError.self) { try await app.checkAuthorization(.init(resource: "film")) }
        #expect(error?.viewerWords == ViewerWords(.tryLater))
        #expect(stage.lines().contains("C tokenRequestFailed tryLater"))
    }

    @Test func `the sentence for a provider that is not on the list`() async throws {
        let (_, app) = try await Self.scene(isIn: false)
        let error = await #expect(throws: RPCError.self) {
            try await app.setSelectedProvider(.init(providerID: "M9"))
        }
        #expect(error?.name == .invalidParams && error?.words == ViewerWords(.providerNotAvailable))
        #expect(error?.remedy.contains("listProviders") == true)
    }
}
