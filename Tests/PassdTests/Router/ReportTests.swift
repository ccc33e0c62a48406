// Tests the operator's reports: rpc.md §7, operations.md §3. They never contain a secret or a login code.

import AccessEnabler
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer
@testable import PassSystem

@Suite struct ReportTests {
    private func report(_ name: String, of household: Household) async throws -> JSONValue {
        try await household.connect(.admin).call("passd.\(name)")
    }

    @Test func `in a good state there are no warnings and no failed checks`() async throws {
        let household = try await Household()
        let status = try await report("status", of: household)
        #expect(status["readiness"] == "ready")
        #expect(status["warnings"] == [])
        #expect(status["store"]?["health"] == "good")
        #expect(status["backend"]?["reachable"] == .null)
        #expect(status["clock"]?["offset"] == .null)
        #expect(status["sessions"] == 1)
        let checks = try await report("doctor", of: household)["checks"]?.array ?? []
        #expect(checks.compactMap { $0["outcome"]?.string }.contains("fail") == false)
        #expect(
            checks.compactMap { $0["name"]?.string } == ["store", "backend", "sign-in", "login-page", "app-news24"])
    }

    @Test func `each problem has a stable code and a remedy`() async throws {
        let household = try await Household(apps: [.sample("news24", ["NEWS24"], .unusable(reason: "is empty"))])
        await household.spoil()
        let status = try await report("status", of: household)
        let codes = status["warnings"]?.array?.compactMap { $0["code"]?.string } ?? []
        #expect(codes == ["store-set-aside", "clock-wrong", "backend-unreachable", "configuration"])
        #expect(status["backend"]?["reachable"] == false)
        #expect(status["store"]?["health"] == "memory only")
        #expect(status["clock"]?["offset"] == 86_400_000)
        let checks = try await report("doctor", of: household)["checks"]?.array ?? []
        let failed = checks.filter { $0["outcome"] == "fail" }
        #expect(failed.compactMap { $0["name"]?.string } == ["store", "backend", "app-news24"])
        #expect(failed.allSatisfy { $0["remedy"]?.string?.isEmpty == false })
    }

    @Test(arguments: [
        ("", "", "fail", "news24: viewers cannot sign in."),
        ("", "protocol = v1\n", "pass", "news24: viewers type the code at the page that the service names."),
        ("", "activation-url = https://tv.example/go\n", "pass", "news24: viewers type the code at activation-url."),
        (
            "activation-url = https://tv.example/go\n", "finish-url = https://tv.example/done\n", "pass",
            "news24: viewers scan a link that leads to the provider."
        ),
        (
            "redirect-url = tv://back\n", "redirect-url = https://tv.example/done\n", "pass",
            "news24: viewers log in with a browser on the box."
        ),
        (
            "finish-url = https://tv.example/done\n", "", "pass",
            "news24: viewers scan a link that leads to the provider."
        ),
    ]) func `ruling 43: the doctor says how viewers of each app sign in`(
        stanza: String, backend: String, outcome: String, says: String
    ) async throws {
        let workspace = Workspace()
        try workspace.write(
            "etc/passd/apps.d/news24.conf", "[app news24]\nrequestors = NEWS24\nallow = user:0\n" + stanza)
        let loaded = try workspace.load("[backend]\norigin = https://sp.example\n" + backend)
        let household = try await Household()
        await household.hasRead(loaded)
        let checks = try await report("doctor", of: household)["checks"]?.array ?? []
        let check = try #require(checks.first { $0["name"] == "sign-in" })
        #expect(check["outcome"] == .string(outcome) && check["message"] == .string(says), "\(check)")
        #expect((check["remedy"] != nil) == (outcome == "fail"))
    }

    @Test(arguments: [("", ["activation-page"]), ("https://activate.example/", [])])
    func `ruling 18: the doctor reports a code without a page to type it on`(
        page: String, failed: [String]
    ) async throws {
        let household = try await Household {
            $0.offersAll()
            var login = Sample.login
            login.url = page
            $0.beginLogin = .success(.showCode(login))
        }
        let visitor = try await household.app()
        try await visitor.call("setSelectedProvider", ["providerID": .string(Sample.login.provider?.rawValue ?? "M1")])
        try await visitor.call("getAuthentication")
        let checks = try await report("doctor", of: household)["checks"]?.array ?? []
        #expect(checks.filter { $0["outcome"] == "fail" }.compactMap { $0["name"]?.string } == failed)
    }

    @Test(arguments: [
        (OpenLogin.MissingLink.addressRefused, "finish-url"), (.noDomain, "domain-name"), (.notGiven, "registered"),
    ]) func `ruling 43: the doctor says why a code had no link`(
        reason: OpenLogin.MissingLink, remedy: String
    )
        async throws
    {
        let household = try await Household {
            $0.offersAll()
            var login = Sample.login
            (login.url, login.missingLink) = ("https://activate.example/", reason)
            $0.beginLogin = .success(.showCode(login))
        }
        let visitor = try await household.app()
        try await visitor.call("setSelectedProvider", ["providerID": .string(Sample.login.provider?.rawValue ?? "M1")])
        try await visitor.call("getAuthentication")
        let checks = try await report("doctor", of: household)["checks"]?.array ?? []
        let failed = checks.filter { $0["outcome"] == "fail" }
        #expect(failed.compactMap { $0["name"]?.string } == ["login-link"])
        #expect(failed.first?["remedy"]?.string?.contains(remedy) == true)
    }

    @Test(arguments: [
        ("", "fail", "news24: viewers cannot sign in."),
        ("activation-url = https://tv.example/go\n", "pass", "news24: viewers type the code at activation-url."),
    ]) func `ruling 43: the doctor does not promise a link that the service refuses`(
        page: String, outcome: String, says: String
    ) async throws {
        let workspace = Workspace()
        try workspace.write("etc/passd/apps.d/news24.conf", "[app news24]\nrequestors = NEWS24\nallow = user:0\n")
        let loaded = try workspace.load(
            "[backend]\norigin = https://sp.example\nfinish-url = https://tv.example/done\n" + page)
        let household = try await Household {
            $0.offersAll()
            var login = Sample.login
            login.missingLink = .addressRefused
            $0.beginLogin = .success(.showCode(login))
        }
        await household.hasRead(loaded)
        let visitor = try await household.app()
        try await visitor.call("setSelectedProvider", ["providerID": "M1"])
        try await visitor.call("getAuthentication")
        let checks = try await report("doctor", of: household)["checks"]?.array ?? []
        let check = checks.first { $0["name"] == "sign-in" }
        #expect(check?["outcome"] == .string(outcome) && check?["message"] == .string(says), "\(checks)")
    }

    @Test func `rpc.md §7: the doctor says what the service refused at the start of a login, until a login starts`()
        async throws
    {
        let household = try await Household {
            $0.offersAll()
            let refusal = ServiceError(
                status: 400, code: "invalid_parameter_domain_name", actionName: "none", message: "no", trace: "t-7")
            $0.beginLogin = .failure(BackendFault(.refused(refusal), trace: "t-7"))
        }
        let visitor = try await household.app()
        func check() async throws -> JSONValue? {
            try await report("doctor", of: household)["checks"]?.array?.first { $0["name"] == "login" }
        }
        #expect(try await check() == nil)
        _ = try? await visitor.call("setSelectedProvider", ["providerID": "M1"])
        _ = try? await visitor.call("getAuthentication")
        let refused = try #require(try await check())
        let message = refused["message"]?.string ?? ""
        #expect(refused["outcome"] == "fail" && refused["remedy"]?.string?.contains("domain-name") == true)
        #expect(
            message.contains("NEWS24 with the provider M1: The domain") && message.contains("_domain_name, trace t-7"),
            "\(message)")
        household.backend.script { $0.beginLogin = .success(.showCode(Sample.login)) }
        try await visitor.call("setSelectedProvider", ["providerID": "M1"])
        _ = try? await visitor.call("getAuthentication")
        #expect(try await check() == nil)
    }

    @Test func `ruling 18: the doctor reports a browser login without a page`() async throws {
        let household = try await Household {
            $0.offersAll()
            var fault = BackendFault(.unusableAnswer)
            fault.lacksPage = true
            $0.beginLogin = .failure(fault)
        }
        let visitor = try await household.app()
        try await visitor.call("setOptions", ["flow": "browser"])
        try await visitor.call("setSelectedProvider", ["providerID": "M1"])
        _ = try? await visitor.call("getAuthentication")
        let checks = try await report("doctor", of: household)["checks"]?.array ?? []
        #expect(checks.contains { $0["name"] == "activation-page" && $0["outcome"] == "fail" })
    }

    @Test func `ruling 40: the doctor says which setting lets apps of different programmers share a login`()
        async throws
    {
        let household = try await Household(apps: [.sample(), .sample("sport", ["SPORT"])])
        func check() async throws -> JSONValue? {
            try await report("doctor", of: household)["checks"]?.array?.first { $0["name"] == "single-sign-on" }
        }
        await household.signsOn(by: "none")
        let without = try await check()
        #expect(without?["outcome"] == "warn" && without?["remedy"]?.string?.contains("platform-identity") == true)
        await household.signsOn(by: "device-key")
        let with = try await check()
        #expect(with?["outcome"] == "pass" && with?["message"]?.string?.contains("the platform identity") == true)
    }

    @Test func `changes that the store refuses are reported until it accepts them`() async throws {
        let household = try await Household { $0.offersAll() }
        await household.logsIn()
        household.vault.breakDown(VaultFault(.full, "no space"))
        let visitor = try await household.app()
        var status = try await report("status", of: household)
        #expect(status["store"]?["health"] == "some changes not saved yet")
        #expect(status["warnings"]?.array?.first?["code"] == "store-unsaved")
        household.vault.breakDown(nil)
        try await visitor.call("logout")
        status = try await report("status", of: household)
        #expect(status["store"]?["health"] == "good")
    }

    @Test func `if the store is newer than passd, status and doctor do not blame the disk`() async throws {
        let household = try await Household { $0.offersAll() }
        await household.logsIn()
        household.vault.loseDisk(because: [.init(code: "vault-newer-schema", message: "Newer.", remedy: "Update.")])
        household.vault.breakDown(VaultFault(.broken, "memory only"))
        try await household.app().call("logout")
        let status = try await report("status", of: household)
        #expect(status["warnings"]?.array?.compactMap { $0["code"]?.string } == ["vault-newer-schema"], "\(status)")
        let checks = try await report("doctor", of: household)["checks"]?.array ?? []
        let store = checks.first { $0["name"] == "store" }
        #expect(store?["outcome"] == "fail" && store?["remedy"] == "See vault-newer-schema.", "\(checks)")
        #expect(!checks.contains { $0["name"] == "store-unsaved" })
    }

    @Test func `status, doctor and metrics count the crashes of the last seven days`() async throws {
        let now = VirtualClock().wall.milliseconds / 1000
        let household = try await Household(crashes: [
            Crash(time: now + 86_400, cause: "BUS"), Crash(time: now - 8 * 86_400, cause: "ILL"),
            Crash(time: now - 7200, cause: "SEGV"),
            Crash(time: now - 3600, cause: "watchdog"), Crash(time: now - 3600, cause: "SEGV"),
        ])
        let warning = try #require(try await report("status", of: household)["warnings"]?.array?.first)
        #expect(warning["code"] == "crashes")
        #expect(warning["message"] == "passd has crashed in the last seven days: SEGV 2, watchdog 1.")
        #expect(warning["remedy"]?.string?.hasPrefix("See journalctl -u passd -x PASSD_EVENT=CRASHED,") == true)
        let checks = try await report("doctor", of: household)["checks"]?.array ?? []
        #expect(checks.contains { $0["name"] == "crashes" && $0["outcome"] == "warn" })
        let metrics = try await report("metrics", of: household)["text"]?.string ?? ""
        #expect(metrics.contains("passd_crashes{cause=\"SEGV\"} 2\n"))
        #expect(!metrics.contains("ILL") && !metrics.contains("BUS"))
    }

    @Test func `sessions are shown with the facts from the kernel`() async throws {
        let household = try await Household()
        let visitor = try await household.app()
        try await visitor.call(
            "passd.hello", ["client": ["name": .string(String(repeating: "n", count: 200)), "version": "1"]])
        let identity = try await visitor.call("passd.whoami")["identity"]
        let sessions = try await report("sessions", of: household)["sessions"]?.array ?? []
        #expect(sessions.map { $0["session"] } == [1, 2])
        #expect(sessions.first?["identity"] == identity)
        #expect(sessions.first?["requestorID"] == "NEWS24")
        #expect(sessions.first?["client"]?.string == String(repeating: "n", count: 64) + " 1")
        #expect(sessions.first?["pendingCalls"] == 0)
        #expect(sessions.last?["pendingCalls"] == 1, "the call that requests the report")
        #expect(sessions.last?["requestorID"] == nil)
    }

    @Test func `no report has a secret or a code`() async throws {
        let household = try await Household { $0.offersAll() }
        let visitor = try await household.app()
        try await visitor.call("getAuthentication")
        try await visitor.call("setSelectedProvider", ["providerID": "M1"])
        var text = ""
        func read() async throws {
            for name in ["status", "sessions", "tokens", "doctor", "metrics"] {
                text += try await report(name, of: household).text
            }
        }
        try await read()
        await household.usesCode()
        _ = try await visitor.hear("setAuthenticationStatus")
        try await visitor.call("checkAuthorization", ["resource": "channel-1"])
        try await read()
        for secret in Sample.secrets { #expect(!text.contains(secret)) }
        #expect(text.contains("\"provider\":\"M1\""))
    }

    @Test func `a logout by the operator is reported to the app`() async throws {
        let household = try await Household { $0.offersAll() }
        await household.logsIn()
        let (visitor, admin) = (try await household.app(), try await household.connect(.admin))
        #expect(try await admin.call("passd.logoutAll") == ["forgotten": 1])
        #expect(try await visitor.hear("setAuthenticationStatus")["reason"] == "logout")
        try await household.backend.calls.wait { $0.contains("logout NEWS24 M1") }
    }

    @Test func `a logout by the operator names what the service has not accepted`() async throws {
        let household = try await Household { $0.offersAll() }
        await household.logsIn()
        let (visitor, admin) = (try await household.app(), try await household.connect(.admin))
        household.backend.script { $0.logout = .failure(BackendFault(.serverError(503))) }
        #expect(
            try await admin.call("passd.logoutAll") == [
                "forgotten": 1, "untold": [["requestorID": "NEWS24", "provider": "M1"]],
            ])
        #expect(try await visitor.hear("setAuthenticationStatus")["reason"] == "logout")
        #expect(household.vault.contents.profiles.isEmpty && household.vault.contents.tombstones.count == 1)
    }

    @Test func `two apps with the same requestor and provider are named once`() async throws {
        var contents = VaultContents()
        for app in ["a", "b"] {
            let registration = RegistrationKey(
                app: AppID(rawValue: app), statement: "s-\(app)", origin: "https://service.test", interface: "v2")
            contents.tombstones.insert(
                ProfileKey(registration: registration, requestor: Sample.news, provider: ProviderID(rawValue: "M1")))
        }
        let household = try await Household(vault: FakeVault(contents)) {
            $0.logout = .failure(BackendFault(.serverError(503)))
        }
        #expect(
            try await household.connect(.admin).call("passd.logoutAll") == [
                "forgotten": 0, "untold": [["requestorID": "NEWS24", "provider": "M1"]],
            ])
    }

    @Test func `forget is reported to the app, but not to the service`() async throws {
        let household = try await Household { $0.offersAll() }
        await household.logsIn()
        let (visitor, admin) = (try await household.app(), try await household.connect(.admin))
        #expect(try await admin.call("passd.forget", ["provider": "M2"]) == ["forgotten": 0])
        #expect(try await admin.call("passd.forget", ["provider": "M1"]) == ["forgotten": 1])
        #expect(try await visitor.hear("setAuthenticationStatus")["reason"] == "logout")
        #expect(!household.backend.calls.elements.contains { $0.hasPrefix("logout") })
        #expect(household.vault.contents.tombstones.isEmpty)
    }

    @Test func `the answer to a reload says whether it is in force, and lists all problems`() async throws {
        let household = try await Household()
        let admin = try await household.connect(.admin)
        await household.reloads(
            false, [Problem(.fatal, place: FilePosition("/etc/passd/passd.conf", 3), message: "bad value")])
        #expect(
            try await admin.call("passd.reload") == [
                "applied": false, "problems": ["/etc/passd/passd.conf:3: bad value"], "changed": [], "waiting": [],
            ])
        await household.reloads(true, [])
        #expect(
            try await admin.call("passd.reload") == ["applied": true, "problems": [], "changed": [], "waiting": []])
    }

    @Test func `policy explains the decision that it would make`() async throws {
        let household = try await Household(apps: [.sample(user: 1000)])
        let admin = try await household.connect(.admin)
        let question: JSONValue = ["uid": 1000, "method": "getAuthorization", "requestorID": "NEWS24"]
        let allowed = try await admin.call("passd.policyExplain", question)
        #expect(allowed == ["allowed": true, "rule": "app news24: allow user:1000", "app": "news24", "uid": 1000])
        let other: JSONValue = ["uid": 1001, "method": "getAuthorization", "requestorID": "NEWS24"]
        #expect(try await admin.call("passd.policyExplain", other)["allowed"] == false)
    }

    @Test func `a running process is examined, and a missing process is reported`() async throws {
        let household = try await Household()
        let admin = try await household.connect(.admin)
        func question(_ pid: Int64) -> JSONValue { ["pid": .int(pid), "method": "logout", "requestorID": "NEWS24"] }
        let own = try await admin.call("passd.policyExplain", question(Int64(getpid())))
        #expect(own["allowed"] == true && own["uid"] == .int(Int64(geteuid())))
        let absent = try await admin.exchange("passd.policyExplain", question(Int64(Int32.max)))
        #expect(absent.fault == "INVALID_PARAMS")
        #expect(absent.answer["error"]?["message"] == "No process has the number 2147483647.")
        #expect(absent.answer["error"]?["data"]?["remedy"]?.string?.contains("ps -e") == true)
        #expect(try await admin.exchange("passd.policyExplain", ["method": "logout"]).fault == "INVALID_PARAMS")
    }
}

extension Household {
    /// Causes every condition that a report can warn about.
    func spoil() {
        let warning = VaultHealth.Warning(code: "store-set-aside", message: "It was damaged.", remedy: "Log in again.")
        daemon.storeHealth = { VaultHealth(isPersistent: false, warnings: [warning]) }
        let time = clock.boot
        daemon.contact = .failing(ServiceTrouble(reason: "no route", remedy: "Look."), since: time, last: time)
        server.state.loaded = LoadedConfiguration(
            values: server.state.loaded.values, apps: server.state.loaded.apps,
            problems: [Problem(.ignored, place: FilePosition("/etc/passd/passd.conf"), message: "unknown key")])
        engine.learn(clock.wall.advanced(by: .seconds(86_400)))
    }

    func signsOn(by identity: String) {
        let loaded = server.state.loaded
        var values = loaded.values
        values[Setting.Name("sign-on", "platform-identity")] = EffectiveValue(text: identity, origin: .builtIn)
        server.state.loaded = LoadedConfiguration(values: values, apps: loaded.apps, problems: loaded.problems)
    }

    func hasRead(_ loaded: LoadedConfiguration) { server.state.loaded = loaded }

    fileprivate func reloads(_ applied: Bool, _ problems: [Problem]) {
        daemon.reloadResult = Reload.result(isApplied: applied, problems: problems.map(\.description))
    }
}
