// Tests decisions on resources: the traces of §13, every row of its failure table, and the hints of §14.

import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §13, §14, §15") @EngineActor struct AuthorizationTraceTests {
    private static let film = ResourceID(rawValue: "film")

    private static func signedIn(
        _ script: @escaping (inout FakeBackend.Script) -> Void = { _ in }
    ) async throws -> (Stage, Session, Int) {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("NEWS24")
            script(&$0)
        }
        let app = try await stage.app("A", "NEWS24")
        return (stage, app, stage.mark)
    }

    @Test func `trace 4: every play asks the service again, and gets a token of its own`() async throws {
        let tokens = Recorder<Int>()
        let (stage, app, mark) = try await Self.signedIn {
            $0.authorize = { resource in
                tokens.append(0)
                return .success(Sample.permit(resource, token: "t\(tokens.elements.count)"))
            }
        }
        for number in 1...2 {
            let answer = try await app.getAuthorization(.init(resource: "film"))
            let outcome = AuthorizationAnswer.Outcome.authorized(
                token: "t\(number)", expires: 1_795_565_220_000, source: "mvpd")
            #expect(answer == .answered(.init(resource: "film", outcome: outcome)))
        }
        #expect(
            stage.lines(since: mark).filter { $0 != "⇄ profiles NEWS24 M1" } == [
                "⇄ authorize film", "A ← setToken t1 film", "A ← tracking true,M1,md5(u1),false",
                "⇄ authorize film", "A ← setToken t2 film", "A ← tracking true,M1,md5(u1),false",
            ])
    }

    @Test func `trace 5: a check without a login sends no request and opens no dialog`() async throws {
        let stage = try await Stage()
        let app = try await stage.app("A", "NEWS24")
        let mark = stage.mark
        let answer = try await app.checkAuthorization(.init(resource: "film"))
        #expect(answer.outcome == .refused(.userNotAuthenticated, source: nil, nil))
        #expect(
            stage.lines(since: mark) == [
                "A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR",
                "A ← tokenRequestFailed film USER_NOT_AUTHENTICATED_ERROR ''", "A ← tracking false,,,", "A ~ N000",
            ])
    }

    @Test func `§13.2: an authorization continues after its login`() async throws {
        let stage = try await Stage {
            $0.offersLogin()
            $0.authorize = { .success(Sample.permit($0)) }
        }
        let app = try await stage.app("A", "NEWS24")
        let pending = try await app.getAuthorization(.init(resource: "film"))
        #expect(pending == .pending(resource: "film", .selectProvider(Sample.providers.map(\.mvpd))))
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        let mark = stage.mark
        try await stage.poll()
        try await stage.hear("A ← setToken t1 film")
        #expect(
            stage.lines(since: mark).prefix(5) == [
                "⇄ pollLogin K7Q2M4X", "A ← setAuthenticationStatus 1 ", "A ← tracking true,M1,md5(u1),false",
                "⇄ authorize film", "A ← setToken t1 film",
            ])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let code: String
        var action = "none"
        let status: String
        let callback: String
        /// The error; nil if the call gets an answer.
        var error: SDKStatus?

        var testDescription: String { "\(code) is \(status)" }
    }

    nonisolated static let rows: [Row] = [
        Row(code: "authorization_denied_by_mvpd", status: "Z100", callback: "USER_NOT_AUTHORIZED_ERROR"),
        Row(code: "authorization_denied_by_parental_controls", status: "Z100", callback: "USER_NOT_AUTHORIZED_ERROR"),
        Row(
            code: "authorization_denied_by_hba_policies", action: "authentication", status: "Z100",
            callback: "USER_NOT_AUTHORIZED_ERROR"),
        Row(
            code: "identity_not_recognized_by_mvpd", action: "authentication", status: "Z100",
            callback: "USER_NOT_AUTHORIZED_ERROR"),
        Row(code: "maximum_attempts_exceeded", status: "Z110", callback: "USER_NOT_AUTHORIZED_ERROR"),
        Row(code: "authorization_denied_by_degradation_rule", status: "Z169", callback: "USER_NOT_AUTHORIZED_ERROR"),
        Row(
            code: "network_received_error", action: "retry", status: "Z120", callback: "USER_NOT_AUTHORIZED_ERROR",
            error: .Z120),
        Row(code: "invalid_parameter_resources", status: "Z130", callback: "USER_NOT_AUTHORIZED_ERROR", error: .Z130),
        Row(
            code: "internal_server_error", action: "configuration", status: "Z500",
            callback: "GENERIC_AUTHORIZATION_ERROR", error: .Z500),
        Row(
            code: "authenticated_profile_expired", action: "authentication", status: "N000",
            callback: "USER_NOT_AUTHENTICATED_ERROR"),
        Row(
            code: "invalid_header_pfs_provider_info_expired", status: "N000",
            callback: "USER_NOT_AUTHENTICATED_ERROR"),
        Row(
            code: "invalid_header_pfs_permission_access_not_granted", status: "N000",
            callback: "USER_NOT_AUTHENTICATED_ERROR"),
    ]

    @Test(arguments: rows)
    func `§13.3, rest-v2.md §18.3: each refusal has its code and its callback`(_ row: Row) async throws {
        let error = ServiceError(status: 403, code: row.code, actionName: row.action, details: "why")
        let (stage, app, mark) = try await Self.signedIn {
            $0.authorize = {
                .success(.init(resource: $0, isAuthorized: false, source: .mvpd, error: error))
            }
        }
        do {
            let answer = try await app.checkAuthorization(.init(resource: "film"))
            #expect(row.error == nil)
            guard case .refused(let code, "mvpd", let shown?) = answer.outcome else {
                Issue.record("\(answer)")
                return
            }
            #expect(code.rawValue == row.callback && shown.details == "why")
        } catch {
            #expect(row.error.map(ErrorName.unanswered) == (error as RPCError).name)
        }
        let lines = stage.lines(since: mark)
        #expect(lines.contains("A ~ \(row.status)"))
        #expect(lines.contains("A ← tokenRequestFailed film \(row.callback) 'why'"))
        #expect(lines.last == "A ← tracking false,,,")
        // Only a lost session ends the login.
        #expect(stage.vault.contents.profiles.isEmpty == (row.status == "N000"))
    }

    nonisolated static let faults: [(BackendFault.Kind, String, ErrorName)] = [
        (.unreachable, "CFG404", .unanswered(.CFG404)), (.throttled, "Z100", .unanswered(.CFG429)),
        (.serverError(503), "Z500", .unanswered(.Z500)), (.unusableAnswer, "Z500", .unanswered(.Z500)),
        (.deadline, "Z500", .unanswered(.Z500)), (.overloaded, "Z500", .limit),
        (.insecure, "SEC420", .unanswered(.SEC420)), (.tokenRefused, "R401", .unanswered(.R401)),
    ]

    @Test(arguments: faults)
    func `§13.3, §18.1: if the service does not answer, the call gets a named error`(
        _ kind: BackendFault.Kind, _ status: String, _ name: ErrorName
    ) async throws {
        let (stage, app, mark) = try await Self.signedIn { $0.authorize = { _ in .failure(BackendFault(kind)) } }
        let error = await #expect(throws: RPCError.self) { try await app.getAuthorization(.init(resource: "film")) }
        #expect(error?.name == name && error?.remedy.isEmpty == false)
        #expect(stage.lines(since: mark).contains("A ~ \(status)"))
        #expect(stage.vault.contents.profiles.count == 1)
    }

    @Test func `ruling 21: a throttled call fails with CFG429 and a pause, and the SDK's code is sent as status`()
        async throws
    {
        let fault = BackendFault(.throttled, retryAfter: .seconds(3))
        let (stage, app, mark) = try await Self.signedIn {
            $0.authorize = { _ in .failure(fault) }
            $0.preauthorize = { _ in .failure(fault) }
        }
        let play = await #expect(throws: RPCError.self) { try await app.getAuthorization(.init(resource: "film")) }
        let menu = await #expect(throws: RPCError.self) {
            try await app.checkPreauthorizedResources(.init(resources: ["film"]))
        }
        for error in [play, menu] { #expect(error?.name == .unanswered(.CFG429) && error?.retryAfter == 3) }
        #expect(stage.lines(since: mark).filter { $0.contains(" ~ ") } == ["A ~ Z100", "A ~ P100"])
    }

    @Test(arguments: ["", String(repeating: "x", count: 70_000)])
    func `an impossible resource is refused without a request`(_ resource: String) async throws {
        let (stage, app, mark) = try await Self.signedIn()
        let error = await #expect(throws: RPCError.self) { try await app.getAuthorization(.init(resource: resource)) }
        #expect(error?.name == .unanswered(.Z130))
        #expect(!stage.lines(since: mark).contains { $0.hasPrefix("⇄") })
    }

    @Test func `§14.1: hints that permit are kept for a quarter of an hour, and only unknown resources are asked for`()
        async throws
    {
        let (stage, app, mark) = try await Self.signedIn()
        for resources in [["a", "b"], ["b", "a"], ["a"], ["a", "c", "b"]] {
            #expect(try await app.checkPreauthorizedResources(.init(resources: resources)).resources == resources)
        }
        _ = try await app.checkPreauthorizedResources(.init(resources: ["b", "a"], cache: false))
        let asked = stage.lines(since: mark).filter { $0.hasPrefix("⇄") }
        #expect(asked == ["⇄ preauthorize a b", "⇄ preauthorize c", "⇄ preauthorize b a"])
        #expect(stage.lines(since: mark).contains("A ← preauthorizedResources b,a"))
        stage.clock.advance(by: .seconds(15 * 60))
        _ = try await app.checkPreauthorizedResources(.init(resources: ["b", "a"]))
        #expect(stage.lines(since: mark).filter { $0 == "⇄ preauthorize b a" }.count == 2)
    }

    @Test func `ruling 17: denied and omitted resources are asked for again, and a later denial replaces a permit`()
        async throws
    {
        let (stage, app, mark) = try await Self.signedIn {
            $0.preauthorize = { resource in
                let omitted = ServiceError(status: 0, code: ServiceError.omittedCode, actionName: "none")
                return .success(
                    ServiceDecision(
                        resource: resource, isAuthorized: resource.rawValue == "bought", source: .mvpd,
                        error: resource.rawValue == "free" ? omitted : nil))
            }
        }
        let menu = ["locked", "bought", "free"]
        #expect(try await app.checkPreauthorizedResources(.init(resources: menu)).resources == ["bought"])
        let hints = try await app.preauthorize(.init(resources: menu)).decisions
        #expect(hints.map(\.authorized) == [false, true, false])
        #expect(hints.map(\.error?.code) == [nil, nil, "decision_missing"])
        // There is no decision about an omitted resource, and it may need no login.
        #expect(hints.map(\.words) == [ViewerWords(.notPermitted), nil, nil])
        let asked = stage.lines(since: mark).filter { $0.hasPrefix("⇄") }
        #expect(asked == ["⇄ preauthorize locked bought free", "⇄ preauthorize locked free"])
        stage.engine.settings.permitsOmitted = true
        #expect(try await app.checkPreauthorizedResources(.init(resources: menu)).resources == ["bought", "free"])
        stage.backend.script {
            $0.preauthorize = { .success(ServiceDecision(resource: $0, isAuthorized: false, source: .mvpd)) }
        }
        let fresh = CheckPreauthorizedResources.Params(resources: ["bought"], cache: false)
        #expect(try await app.checkPreauthorizedResources(fresh).resources.isEmpty)
        #expect(try await app.checkPreauthorizedResources(.init(resources: ["bought"])).resources.isEmpty)
    }

    @Test func `§14.2: without a login the answer has only the reason, and no request is sent`() async throws {
        let stage = try await Stage()
        let app = try await stage.app("A", "NEWS24")
        let mark = stage.mark
        let answer = try await app.preauthorize(.init(resources: ["a"]))
        #expect(answer.decisions.isEmpty)
        #expect(answer.status?.code == "authentication_session_missing" && answer.status?.status == 0)
        #expect(answer.words?.display == "Sign in with your TV provider to watch this.")
        #expect(try await app.checkPreauthorizedResources(.init(resources: ["a"])).resources.isEmpty)
        #expect(stage.lines(since: mark) == ["A ~ N000", "A ← preauthorizedResources "])
    }

    @Test func `§6.2, §14.2: preauthorize does not wait for the setup`() async throws {
        let stage = try await Stage()
        let app = stage.connect("A")
        let error = await #expect(throws: RPCError.self) { try await app.preauthorize(.init(resources: ["a"])) }
        #expect(error?.name == .requestorNotSet)
        #expect(error?.details?["code"]?.string == "requestor_not_configured")
    }

    @Test func `§15: metadata come from memory, with encrypted values unchanged and times in milliseconds`()
        async throws
    {
        let (stage, app, mark) = try await Self.signedIn { $0.authorize = { .success(Sample.permit($0)) } }
        _ = try await app.getAuthorization(.init(resource: "film"))
        let zip = try await app.getMetadata(.userMetadata(name: "zip"))
        #expect(zip.metadata == "cipher" && zip.encrypted)
        #expect(try await app.getMetadata(.authentication).metadata == "1803340861000")
        #expect(try await app.getMetadata(.authorization(resource: "film")).metadata == "1795651200000")
        #expect(try await app.getMetadata(.authorization(resource: "other")).metadata == .null)
        #expect(try await app.getMetadata(.deviceID).metadata == .null)
        #expect(try await app.getMetadata(.userMetadata(name: "shoes")).metadata == .null)
        #expect(stage.lines(since: mark).filter { $0.hasPrefix("⇄") } == ["⇄ authorize film"])
    }
}
