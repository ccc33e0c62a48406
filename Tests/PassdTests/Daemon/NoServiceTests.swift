// Tests a box without a chosen service. The box starts, logs little, and tells callers what is missing.
// access-enabler.md §6.2, operations.md §2.

import PassBackend
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler
@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct NoServiceTests {
    private static let service = "https://service.test"

    private static func key(_ origin: String) -> RegistrationKey {
        RegistrationKey(app: AppID(rawValue: "news24"), statement: "s", origin: origin, interface: "v2")
    }

    @Test func `an app is told that no service is chosen, and where to choose one`() async throws {
        let household = try await Household(origin: "none")
        let visitor = try await household.connect()
        let exchange = try await visitor.exchange("setRequestor", ["requestorID": "NEWS24"])
        let error = try #require(exchange.answer["error"])
        #expect(error["code"] == -32011 && error["data"]?["code"] == "CFG404")
        #expect(error["message"] == "No service is configured: [backend] origin is none.")
        #expect(error["data"]?["action"] == "configuration")
        #expect(error["data"]?["remedy"]?.string?.contains("[backend] origin") == true)
        #expect(exchange.heard == ["status", "setRequestorComplete"])
        #expect(exchange.callbacks.first?["params"]?["errorId"] == "CFG404")
        for method in ["getAuthentication", "checkAuthentication", "logout"] {
            #expect(try await visitor.exchange(method).fault == "REQUESTOR_NOT_SET")
        }
        #expect(household.clock.alarmCount == 0, "no request is retried")
        #expect(!household.log.text.contains("BACKEND") && !household.log.text.contains("<4>"))
    }

    @Test func `operators see this in the status, in the doctor's report and in systemctl status`() async throws {
        let household = try await Household(origin: "none")
        let admin = try await household.connect(.admin)
        let status = try await admin.call("passd.status")
        #expect(status["backend"]?["origin"] == "none" && status["backend"]?["reachable"] == .null)
        #expect(status["warnings"] == [])
        let checks = try await admin.call("passd.doctor")["checks"]?.array ?? []
        let check = try #require(checks.first { $0["name"] == "backend" })
        #expect(check["outcome"] == "fail" && check["message"] == "No service is configured.")
        #expect(check["remedy"]?.string?.hasPrefix("Run \"passd-setup service ") == true)
        #expect(await household.statusText == "no service configured, no apps, nobody is signed in")
    }

    @Test func `the doctor of an instance names the command that sets up this instance`() async throws {
        let household = try await Household(origin: "none", instance: InstanceName("room1"))
        let checks = try await household.connect(.admin).call("passd.doctor")["checks"]?.array ?? []
        let check = try #require(checks.first { $0["name"] == "backend" })
        #expect(check["remedy"]?.string?.contains("passd-setup --instance room1 service ") == true)
        #expect(check["remedy"]?.string?.contains("passd-setup --instance room1 sandbox") == true)
    }

    @Test func `a warning or a decision of an instance names the commands for this instance`()
        async throws
    {
        let household = try await Household(origin: "none", instance: InstanceName("room1"))
        let warning = VaultHealth.Warning(
            code: "store-set-aside", message: "See passd-cli tokens.", remedy: "Run passd-cli forget --all.")
        await household.warns(of: warning)
        let admin = try await household.connect(.admin)
        let told = try await admin.call("passd.status")["warnings"]?.array?.first
        #expect(told?["message"] == "See passd-cli --instance room1 tokens.")
        #expect(told?["remedy"] == "Run passd-cli --instance room1 forget --all.")
        let check = try await admin.call("passd.doctor")["checks"]?.array?.first { $0["name"] == "store-set-aside" }
        #expect(check?["remedy"] == told?["remedy"])
        _ = try await household.connect().exchange("setRequestor", ["requestorID": "OTHER"])
        let decision = try await admin.call("passd.decisions")["decisions"]?.array?.first
        #expect(decision?["remedy"]?.string?.hasPrefix("passd-cli --instance room1 policy explain ") == true)
    }

    @Test func `stored data stay and are shown, but nothing is polled or reported`() async throws {
        let vault = FakeVault()
        let login = LoginKey(registration: Self.key(Self.service), requestor: Sample.news)
        let place = ProfileKey(registration: Self.key(Self.service), requestor: Sample.news, provider: Sample.north)
        let ended = ProfileKey(registration: Self.key(Self.service), requestor: Sample.sport, provider: Sample.north)
        try await vault.commit([
            .profile(place, Sample.profile), .openLogin(login, Sample.login), .tombstone(ended, true),
        ])
        let household = try await Household(origin: "none", vault: vault)
        #expect(await household.engine.openLoginKeys.isEmpty)
        #expect(try await household.connect(.admin).call("passd.tokens")["tokens"]?.array?.count == 1)
        #expect(await household.engine.logout(tellingService: true).count == 1)
        #expect(try await household.connect(.admin).call("passd.tokens")["tokens"] == [])
        await household.clock.advance(by: .seconds(60))
        #expect(household.clock.settings.elements.isEmpty, "no alarm was set")
        #expect(vault.contents.openLogins[login] != nil)
        // The logouts are reported when a service is chosen again.
        #expect(vault.contents.tombstones == [place, ended])
        #expect(household.backend.calls.elements.isEmpty)
    }

    @Test(arguments: Configuration.Backend.Version.allCases)
    func `every request to the missing service has one answer, in both protocols`(
        _ version: Configuration.Backend.Version
    ) async {
        let none = NoService(version)
        let key = none.registration(of: AppID(rawValue: "news24"), statement: Secret("a"))
        #expect(key.interface == version.rawValue && key.origin == "none")
        let caller = BackendCaller(
            registration: key, softwareStatement: Secret("a"), requestor: Sample.news, device: DeviceID(rawValue: "d"),
            deadline: BootTime(nanoseconds: 0))
        let film = [ResourceID(rawValue: "film")]
        let partner = Partner(name: "Hearth", deviceType: "hearth-box")
        let questions: [@Sendable () async throws -> Void] = [
            { try await none.prepare(caller) }, { _ = try await none.providers(caller) },
            { _ = try await none.profiles(.all, caller) },
            { _ = try await none.beginLogin(LoginRequest(provider: nil), caller) },
            { _ = try await none.pollLogin(Sample.login, caller) },
            { _ = try await none.authorize(film, at: Sample.north, caller) },
            { _ = try await none.preauthorize(film, at: Sample.north, caller) },
            { _ = try await none.logout(Sample.north, caller) },
            { _ = try await none.partnerRequest(Sample.north, of: partner, caller) },
            { _ = try await none.exchange(Secret("a"), at: Sample.north, of: partner, caller) },
        ]
        for question in questions {
            let fault = await #expect(throws: BackendFault.self) { try await question() }
            #expect(fault?.kind == .noService)
        }
    }

    @Test func `apps may name other services, but only those in the configuration`() throws {
        let made = Recorder<String>()
        let book = ServiceBook(NoService(.v2), at: nil, others: [Self.service], absent: NoService(.v2)) { origin in
            made.append(origin.description)
            return FakeBackend()
        }
        #expect(book.standard is NoService)
        #expect(book.service(at: [Self.service]) is FakeBackend)
        #expect(book.service(at: ["https://other.test"]) == nil && book.service(at: ["none"]) == nil)
        #expect(book.service(of: Self.key(Self.service)) is FakeBackend)
        #expect(book.service(of: Self.key("https://former.test")) is NoService)
        #expect(made.elements == [Self.service])
    }
}

extension Household {
    fileprivate var statusText: String { server.statusLine().text }
}

extension Household {
    fileprivate func warns(of warning: VaultHealth.Warning) {
        daemon.storeHealth = { VaultHealth(isPersistent: true, warnings: [warning]) }
    }
}
