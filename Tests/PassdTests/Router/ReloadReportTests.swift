// Tests the operator's reports: when the service last answered and confirmed a login, a refused reload, and the changes
// that wait for a restart.

import AccessEnabler
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassServer

@Suite("rpc.md §7: reports on the service, logins and reloads") @EngineActor struct ReloadReportTests {
    private func report(_ name: String, of household: Household) async throws -> JSONValue {
        try await household.connect(.admin).call("passd.\(name)")
    }

    private func warnings(of household: Household) async throws -> [String] {
        let warnings = try await report("status", of: household)["warnings"]?.array ?? []
        return warnings.map { warning in
            ["code", "message", "remedy"].map { warning[$0]?.string ?? "" }.joined(separator: " | ")
        }
    }

    private func check(_ name: String, of household: Household) async throws -> JSONValue? {
        try await report("doctor", of: household)["checks"]?.array?.first { $0["name"]?.string == name }
    }

    @Test func `the last contact is the last answer, with any failure since then`() async throws {
        let household = try await Household()
        let answered = household.clock.wall.milliseconds
        let start = household.clock.boot
        household.daemon.contact = .reachable(since: start, last: start)
        var backend = try await report("status", of: household)["backend"]
        #expect(backend?["lastContact"] == .int(answered) && backend?["lastFailure"] == nil)
        household.clock.advance(by: .seconds(60))
        let (now, trouble) = (household.clock.boot, ServiceTrouble(reason: "no route", remedy: "Look."))
        household.daemon.contact = .failing(trouble, since: now, last: now, answered: start)
        backend = try await report("status", of: household)["backend"]
        #expect(backend?["lastContact"] == .int(answered) && backend?["lastFailure"] == .int(answered + 60_000))
        household.daemon.contact = .failing(trouble, since: now, last: now)
        backend = try await report("status", of: household)["backend"]
        #expect(backend?["lastContact"] == nil, "the service never answered")
    }

    @Test func `a login is reported with the time when the service last confirmed it`() async throws {
        let household = try await Household { $0.offersAll() }
        household.logsIn()
        let first = household.clock.wall.milliseconds
        _ = try await household.app()
        func confirmed() async throws -> JSONValue? {
            try await report("status", of: household)["signedIn"]?.array?.first?["confirmed"]
        }
        #expect(try await confirmed() == .int(first))
        household.clock.advance(by: .seconds(90))
        #expect(try await confirmed() == .int(first), "an answer from memory confirms no login")
        let asked = household.backend.calls.elements.count { $0.hasPrefix("profiles") }
        _ = try await household.app()
        try await household.backend.calls.wait { $0.count { $0.hasPrefix("profiles") } > asked }
        await household.engine.flush()
        #expect(try await confirmed() == .int(first + 90_000))
    }

    @Test func `a refused reload is reported with its reason, until a reload succeeds`() async throws {
        let household = try await Household()
        let place = FilePosition("/etc/passd/passd.conf", 3)
        household.server.tellReload(refused: [
            Problem(.warning, place: place, message: "unknown key"),
            Problem(.fatal, place: place, message: "proxy = http://u:geheim@p: expected a port"),
            Problem(.fatal, place: place, message: "burst = many"),
        ])
        #expect(
            try await warnings(of: household) == [
                "reload-refused | The last reload was refused: /etc/passd/passd.conf:3: proxy = http://(secret)@p: expected "
                    + "a port (and 1 more problem). | Correct the file, and run passd-cli reload. Until then, passd "
                    + "uses the former configuration."
            ])
        #expect(try await check("reload-refused", of: household)?["outcome"] == "warn")
        household.server.tellReload()
        #expect(try await warnings(of: household).isEmpty)
    }

    @Test func `a problem in force is reported without the password of its address`() async throws {
        let household = try await Household()
        let watcher = try household.connect()
        try await watcher.call("passd.subscribe", ["types": ["warning"]])
        household.has(
            Problem(.ignored, place: FilePosition("/etc/passd/passd.conf", 3), message: "proxy = http://u:geheim@p"))
        let warning = try await watcher.hear("event")["data"]?["warning"]
        #expect(warning?["message"] == "/etc/passd/passd.conf:3: proxy = http://(secret)@p.")
    }

    @Test func `changes that wait for a restart are named, and the doctor advises the restart`()
        async throws
    {
        let household = try await Household(apps: [.sample(), .sample("sport", ["SPORT"])])
        let names = [Setting.Name("sign-on", "partner"), .init("backend", "proxy")]
        household.signsOn(by: "none")
        household.waits(for: names)
        let now = household.clock.boot
        household.daemon.contact = .failing(ServiceTrouble(reason: "no proxy", remedy: "Set."), since: now, last: now)
        #expect(
            try await warnings(of: household).last
                == "restart-needed | Changes wait for a restart: [sign-on] partner, [backend] proxy. | "
                + "Restart passd: systemctl restart passd")
        #expect(
            try await check("single-sign-on", of: household)?["remedy"]
                == "[sign-on] partner was changed and waits for a restart. Restart passd: systemctl restart passd")
        #expect(try await check("backend", of: household)?["remedy"]?.string?.hasPrefix("[backend] proxy was") == true)
        household.server.tellReload(refused: [
            Problem(.fatal, place: FilePosition("/etc/passd/passd.conf", 3), message: "burst = many")
        ])
        #expect(
            try await check("restart-needed", of: household)?["remedy"]
                == "Correct the file first, then restart passd: systemctl restart passd")
        household.waits(for: [])
        #expect(
            try await check("single-sign-on", of: household)?["remedy"]?.string?.hasPrefix("In [sign-on], set ") == true
        )
        #expect(try await check("restart-needed", of: household) == nil)
    }

    @Test func `a box without systemd is not told of systemctl`() async throws {
        let household = try await Household(isForDevelopers: true, origin: "none")
        household.waits(for: [Setting.Name("backend", "origin")])
        let remedy = try await check("backend", of: household)?["remedy"]?.string ?? ""
        #expect(
            remedy.hasSuffix("Restart passd: a developer's box starts it again after kill \(getpid())"), "\(remedy)")
    }

    @Test func `an instance is restarted by its own unit`() async throws {
        let household = try await Household(origin: "none", instance: InstanceName("room1"))
        household.waits(for: [Setting.Name("backend", "origin")])
        let remedy = try await check("backend", of: household)?["remedy"]?.string ?? ""
        #expect(remedy.hasSuffix("Restart passd: systemctl restart passd@room1"), "\(remedy)")
    }
}

extension Household {
    fileprivate func has(_ problem: Problem) {
        let loaded = server.state.loaded
        let other = LoadedConfiguration(values: loaded.values, apps: loaded.apps, problems: [problem])
        server.apply(other, server.policyInForce.policy, waiting: [])
        server.tellReload()
    }

    fileprivate func waits(for names: [Setting.Name]) {
        server.apply(server.state.loaded, server.policyInForce.policy, waiting: names)
    }
}
